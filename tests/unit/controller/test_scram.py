"""SCRAM credentials: what is written, and what each user is told (KIP-554)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import MAX_RECORDS_PER_BATCH
from metaquorum.controller.commands import AlterUserScramCredentials
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import alter_user_scram_credentials_request as wire
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord

SHA_256, SHA_512 = 1, 2
SALTED = b"\x60\x21"


def leading(make_host: Callable[..., Any], level: int = 30) -> Any:
    host = make_host([MetadataRecord(12, 0, FeatureLevelRecord("metadata.version", level))])
    host.lead()
    host.commit()
    return host


def setting(name: str, mechanism: int = SHA_512, iterations: int = 4096, salted: bytes = SALTED):
    return wire.ScramCredentialUpsertion(name, mechanism, iterations, b"7q", salted)


def removing(name: str, mechanism: int = SHA_512) -> wire.ScramCredentialDeletion:
    return wire.ScramCredentialDeletion(name, mechanism)


def altered(host: Any, *changes: Any) -> list[tuple[str, int]]:
    """Each user with the code of its row."""
    deletions = [one for one in changes if isinstance(one, wire.ScramCredentialDeletion)]
    upsertions = [one for one in changes if one not in deletions]
    request = wire.AlterUserScramCredentialsRequest(deletions, upsertions)
    asked = host.ask(AlterUserScramCredentials(request))
    host.commit()
    reply = host.replies[asked]
    assert not isinstance(reply, RequestError), reply
    assert all((one.error_message is None) == (one.error_code == 0) for one in reply.results)
    return [(one.user, one.error_code) for one in reply.results]


def users(host: Any) -> list[tuple[str, int]]:
    return sorted(host.core.committed().scram.keys())


def test_a_credential_is_kept_as_the_keys_that_kafka_keeps(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    assert altered(host, setting("alice", iterations=8192)) == [("alice", error_codes.NONE)]
    kept = host.core.committed().scram.get(("alice", SHA_512))
    assert (bytes(kept.salt), kept.iterations) == (b"7q", 8192)
    assert bytes(kept.stored_key).hex().startswith("7176a349f91eb2e11d99e957308135")
    assert bytes(kept.server_key).hex().startswith("4c617c0eddee5ac6585f2fbf501b7c")


def test_a_credential_is_replaced_and_removed_by_mechanism(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    altered(host, setting("alice", SHA_256))
    altered(host, setting("alice", SHA_512))
    altered(host, setting("alice", SHA_512, 5000))
    assert host.core.committed().scram.get(("alice", SHA_512)).iterations == 5000
    assert altered(host, removing("alice", SHA_512)) == [("alice", error_codes.NONE)]
    assert users(host) == [("alice", SHA_256)]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (setting(""), error_codes.UNACCEPTABLE_CREDENTIAL),
        (setting("a", iterations=4095), error_codes.UNACCEPTABLE_CREDENTIAL),
        (setting("a", iterations=16385), error_codes.UNACCEPTABLE_CREDENTIAL),
        (setting("a", salted=b""), error_codes.UNACCEPTABLE_CREDENTIAL),
        (setting("a", mechanism=0), error_codes.UNSUPPORTED_SASL_MECHANISM),
        (removing("a", mechanism=3), error_codes.UNSUPPORTED_SASL_MECHANISM),
        (removing("a"), error_codes.RESOURCE_NOT_FOUND),
    ],
)
def test_one_user_is_refused_and_the_others_are_not(
    make_host: Callable[..., Any], change: Any, code: int
) -> None:
    host = leading(make_host)
    told = dict(altered(host, change, setting("other")))
    assert told == {change.name: code, "other": error_codes.NONE}
    assert users(host) == [("other", SHA_512)]


def test_a_user_that_is_named_twice_is_not_changed(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    altered(host, setting("a"))
    told = altered(host, removing("a"), setting("a", SHA_256), setting("b"))
    assert sorted(told) == [("a", error_codes.DUPLICATE_RESOURCE), ("b", error_codes.NONE)]
    assert users(host) == [("a", SHA_512), ("b", SHA_512)]


def test_a_release_before_scram_users_says_so(make_host: Callable[..., Any]) -> None:
    host = leading(make_host, level=10)
    assert altered(host, setting("a")) == [("a", error_codes.UNSUPPORTED_VERSION)]
    assert users(host) == []


def test_more_changes_than_a_batch_holds_are_refused_at_once(
    make_host: Callable[..., Any],
) -> None:
    host = leading(make_host)
    many = [removing(str(number)) for number in range(MAX_RECORDS_PER_BATCH + 1)]
    request = wire.AlterUserScramCredentialsRequest(many, [])
    reply = host.replies[host.ask(AlterUserScramCredentials(request))]
    assert reply.code == error_codes.POLICY_VIOLATION
