"""DescribeUserScramCredentials: what kafka-configs asks after quotas."""

from __future__ import annotations

from metaquorum.metadata.state import MetadataState
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated.describe_user_scram_credentials_request import (
    DescribeUserScramCredentialsRequest,
    UserName,
)
from metaquorum.wire.generated.records.user_scram_credential_record import (
    API_KEY,
    UserScramCredentialRecord,
)

SHA_256, SHA_512 = 1, 2


def state_with(*credentials: tuple[str, int, int]):
    state = MetadataState()
    for offset, (name, mechanism, iterations) in enumerate(credentials):
        record = UserScramCredentialRecord(
            name=name, mechanism=mechanism, salt=b"s", stored_key=b"k", server_key=b"k",
            iterations=iterations,
        )  # fmt: skip
        state.replay(MetadataRecord(API_KEY, 0, record), offset, 1, 1_000)
    return state.live()


def ask(state, *names):
    users = [UserName(name) for name in names] if names else None
    client = PipelineClient(services_with_eight_records(state=state))
    return client.ask(DescribeUserScramCredentialsRequest(users=users), 0)


def rows(response):
    return [
        (
            row.user,
            row.error_code,
            [(info.mechanism, info.iterations) for info in row.credential_infos],
        )
        for row in response.results
    ]


def test_nobody_has_a_credential_and_that_is_no_error():
    response = ask(MetadataState().committed())
    assert (response.error_code, rows(response)) == (0, [])


def test_everybody_is_told_by_name_with_mechanisms_and_iterations():
    state = state_with(("bob", SHA_512, 8_192), ("ann", SHA_512, 4_096), ("ann", SHA_256, 5_000))
    assert rows(ask(state)) == [
        ("ann", 0, [(SHA_256, 5_000), (SHA_512, 4_096)]),
        ("bob", 0, [(SHA_512, 8_192)]),
    ]


def test_who_has_none_and_who_is_named_twice_is_told_in_its_own_row():
    state = state_with(("ann", SHA_256, 4_096))
    assert rows(ask(state, "ann", "none", "none")) == [
        ("ann", 0, [(SHA_256, 4_096)]),
        ("none", 92, []),
    ]
    assert rows(ask(state, "none"))[0][1] == 91
