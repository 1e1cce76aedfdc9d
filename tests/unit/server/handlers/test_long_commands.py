"""Commands of many rows: asked of the controller in parts, each row answered for its part."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import (
    MAX_QUOTA_ENTRIES_PER_REQUEST,
    ROWS_PER_COMMAND,
)
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.controller.config import ControllerConfig
from metaquorum.controller.core import ControllerCore
from metaquorum.controller.effects import Reply
from metaquorum.controller.events import (
    BecameActive,
    CommandArrived,
    HighWatermark,
)
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.access.authorise import AllowEverybody
from metaquorum.testing.fake_services import FakeServices, plain_config, services_with_eight_records
from metaquorum.testing.memory_log import MemoryLog
from metaquorum.testing.pipeline_client import PipelineClient, request_frame
from metaquorum.wire.generated import alter_client_quotas_request as quotas
from metaquorum.wire.generated import alter_client_quotas_response as told
from metaquorum.wire.generated import alter_user_scram_credentials_request as scram
from metaquorum.wire.generated import create_acls_request as create
from metaquorum.wire.generated import delete_acls_request as delete
from metaquorum.wire.generated import describe_acls_request as describe
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord

ANY, LITERAL, TOPIC, READ, ALLOW = 1, 3, 2, 3, 3
MANY = 3 * ROWS_PER_COMMAND + 7


class ControlledHouse(FakeServices):
    """A node with a controller behind it, whose commits come when ``commit_changes`` says so."""

    def begin(self) -> None:
        level = MetadataRecord(12, 0, FeatureLevelRecord("metadata.version", 30))
        self.core = ControllerCore(ControllerConfig(1, max_idle_interval_ms=0), [level])
        self.log = MemoryLog()
        self.replies: dict[int, Promise[Any]] = {}
        self.commits_at_once = True
        self.refuses_from: int | None = None
        self._step(BecameActive(1, 0))
        self.commit_changes()

    def ask_controller(self, command: object, *, deadline_ms: int) -> Promise[Any]:
        promise: Promise[Any] = Promise()
        self.asked.append(command)
        if self.refuses_from is not None and len(self.asked) > self.refuses_from:
            promise.fail(RequestError(error_codes.NOT_CONTROLLER, "no"))
            return promise
        id = len(self.asked)
        self.replies[id] = promise
        self._step(CommandArrived(id, command))
        if self.commits_at_once:
            self.commit_changes()
        return promise

    def commit_changes(self) -> None:
        self._step(HighWatermark(self.log.end))

    def committed(self) -> Any:
        return self.core.committed()

    @property
    def batches(self) -> list[int]:
        return [len(one.records) for one in self.log.batches]

    def _step(self, event: Any) -> None:
        for effect in self.core.step(event, 0, 0, self.log):
            if isinstance(effect, Reply) and isinstance(effect.response, RequestError):
                self.replies.pop(effect.id).fail(effect.response)
            elif isinstance(effect, Reply):
                self.replies.pop(effect.id).complete(effect.response)


class AllowsAll(AllowEverybody):
    """Access rules mean something, and everybody may do everything."""

    is_on = True


@pytest.fixture
def services() -> Any:
    made = ControlledHouse()
    made.begin()
    return made


@pytest.fixture
def client(services: Any) -> PipelineClient:
    made = PipelineClient(services)
    made.pipeline.authoriser = AllowsAll()
    return made


def entry(user: str, value: float = 1.0, key: str = "producer_byte_rate") -> quotas.EntryData:
    return quotas.EntryData([quotas.EntityData("user", user)], [quotas.OpData(key, value)])


def rule(number: int) -> create.AclCreation:
    return create.AclCreation(TOPIC, f"t{number}", LITERAL, f"User:{number}", "*", READ, ALLOW)


def every(**more: Any) -> delete.DeleteAclsFilter:
    parts = {"resource_name_filter": None, "principal_filter": None, "host_filter": None, **more}
    codes = {"resource_type_filter": ANY, "pattern_type_filter": ANY, "permission_type": ANY}
    return delete.DeleteAclsFilter(**{"operation": ANY, **codes, **parts})


def test_quotas_of_many_entities_are_set_in_several_batches(services: Any, client: Any) -> None:
    request = quotas.AlterClientQuotasRequest([entry(f"u{n}", n + 1.0) for n in range(MANY)])
    answer = client.ask(request, 1)
    assert [(row.error_code, row.entity[0].entity_name) for row in answer.entries] == [
        (0, f"u{n}") for n in range(MANY)
    ]
    assert services.batches[1:] == [ROWS_PER_COMMAND] * 3 + [7]
    assert services.committed().quotas.get((("user", "u5"),)) == {"producer_byte_rate": 6.0}


def test_an_entity_named_in_two_places_far_apart_is_refused_once(
    services: Any, client: Any
) -> None:
    users = ["twice", *(f"u{n}" for n in range(MANY)), "twice", "twice"]
    answer = client.ask(quotas.AlterClientQuotasRequest([entry(user) for user in users]), 1)
    codes = {row.entity[0].entity_name: row.error_code for row in answer.entries}
    assert len(answer.entries) == MANY + 1
    assert codes.pop("twice") == error_codes.INVALID_REQUEST
    assert set(codes.values()) == {0}
    assert services.committed().quotas.get((("user", "twice"),)) is None


def test_validating_many_quotas_sets_none(services: Any, client: Any) -> None:
    request = quotas.AlterClientQuotasRequest([entry(f"u{n}") for n in range(MANY)], True)
    assert {row.error_code for row in client.ask(request, 1).entries} == {0}
    assert len(services.committed().quotas) == 0


def test_more_entries_than_kafka_takes_are_refused_as_a_whole(services: Any, client: Any) -> None:
    count = MAX_QUOTA_ENTRIES_PER_REQUEST + 1
    answer = client.ask(quotas.AlterClientQuotasRequest([entry(f"{n}") for n in range(count)]), 1)
    assert {row.error_code for row in answer.entries} == {error_codes.POLICY_VIOLATION}
    assert services.asked == []


def test_many_quotas_are_answered_when_all_of_them_are_committed(
    services: Any, client: Any
) -> None:
    services.commits_at_once = False
    request = quotas.AlterClientQuotasRequest([entry(f"u{n}") for n in range(MANY)])
    exchange = client.send(request, 1)
    assert len(services.asked) == 4 and exchange.delivered is None
    services.commit_changes()
    assert {row.error_code for row in exchange.response.entries} == {0}


def test_behind_a_part_that_is_refused_nothing_is_asked_for(services: Any, client: Any) -> None:
    services.refuses_from = 2
    request = quotas.AlterClientQuotasRequest([entry(f"u{n}") for n in range(10 * MANY)])
    answer = client.ask(request, 1)
    codes = [row.error_code for row in answer.entries]
    written = 2 * ROWS_PER_COMMAND
    assert codes[:written] == [0] * written
    # Not "ask another node": that would be understood of the whole request.
    assert set(codes[written:]) == {error_codes.REQUEST_TIMED_OUT}
    assert len(services.asked) == 3


def test_where_the_first_part_is_refused_the_whole_request_is(services: Any, client: Any) -> None:
    services.refuses_from = 0
    request = quotas.AlterClientQuotasRequest([entry(f"u{n}") for n in range(MANY)])
    codes = {row.error_code for row in client.ask(request, 1).entries}
    assert codes == {error_codes.NOT_CONTROLLER}


def test_a_fault_in_the_end_of_a_long_request_changes_nothing(services: Any, client: Any) -> None:
    request = quotas.AlterClientQuotasRequest([entry(f"u{n}") for n in range(MANY)])
    exchange = client.send_raw(request_frame(request, 1)[:-4])
    assert exchange.fault is not None
    assert services.asked == []


def test_many_rules_are_made_in_parts_and_each_has_its_verdict(services: Any, client: Any) -> None:
    rules = [rule(n) for n in range(MANY)]
    rules[150].principal = "nobody"
    answer = client.ask(create.CreateAclsRequest(rules), 3)
    codes = [row.error_code for row in answer.results]
    assert codes[150] == error_codes.INVALID_REQUEST
    assert codes[:150] + codes[151:] == [0] * (MANY - 1)
    assert len(services.committed().access_rules) == MANY - 1
    assert max(services.batches) <= ROWS_PER_COMMAND
    again = client.ask(create.CreateAclsRequest([*rules[:140], *rules[:140]]), 3)
    assert {row.error_code for row in again.results} == {0}
    assert len(services.committed().access_rules) == MANY - 1


def test_the_same_rule_in_two_parts_is_made_once(services: Any, client: Any) -> None:
    rules = [rule(n % ROWS_PER_COMMAND) for n in range(MANY)]
    assert {row.error_code for row in client.ask(create.CreateAclsRequest(rules), 3).results} == {0}
    assert len(services.committed().access_rules) == ROWS_PER_COMMAND


def test_filters_take_away_many_rules_and_each_is_told_all_of_them(
    services: Any, client: Any
) -> None:
    client.ask(create.CreateAclsRequest([rule(n) for n in range(MANY)]), 3)
    filters = [
        every(resource_name_filter="t5"),
        every(),
        every(operation=99),
        every(principal_filter="User:none"),
        every(principal_filter="User:8"),
    ]
    results = client.ask(delete.DeleteAclsRequest(filters), 3).filter_results
    assert [one.error_code for one in results] == [0, 0, error_codes.INVALID_REQUEST, 0, 0]
    names = [[row.resource_name for row in one.matching_acls] for one in results]
    assert names == [["t5"], [f"t{n}" for n in range(MANY)], [], [], ["t8"]]
    assert len(services.committed().access_rules) == 0
    assert services.batches[-4:] == [ROWS_PER_COMMAND] * 3 + [7]


def test_rules_that_somebody_else_removes_meanwhile_are_not_told(
    services: Any, client: Any
) -> None:
    client.ask(create.CreateAclsRequest([rule(n) for n in range(3)]), 3)
    services.commits_at_once = False
    exchanges = [client.send(delete.DeleteAclsRequest([every()]), 3) for _ in range(2)]
    services.commit_changes()
    rows = [one.response.filter_results[0].matching_acls for one in exchanges]
    assert [len(some) for some in rows] == [3, 0]


def test_rules_of_a_part_that_is_refused_are_told_with_the_code(services: Any, client: Any) -> None:
    client.ask(create.CreateAclsRequest([rule(n) for n in range(MANY)]), 3)
    services.refuses_from = len(services.asked) + 1
    (one,) = client.ask(delete.DeleteAclsRequest([every()]), 3).filter_results
    codes = [row.error_code for row in one.matching_acls]
    assert codes[:ROWS_PER_COMMAND] == [0] * ROWS_PER_COMMAND
    assert codes[ROWS_PER_COMMAND:] == [error_codes.REQUEST_TIMED_OUT] * (MANY - ROWS_PER_COMMAND)
    assert len(services.committed().access_rules) == MANY - ROWS_PER_COMMAND


def test_filters_that_match_too_many_rules_remove_none(
    services: Any, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.ask(create.CreateAclsRequest([rule(n) for n in range(20)]), 3)
    monkeypatch.setattr("metaquorum.controller.managers.acls.MAX_RECORDS_PER_BATCH", 19)
    (one,) = client.ask(delete.DeleteAclsRequest([every()]), 3).filter_results
    assert one.error_code == error_codes.POLICY_VIOLATION
    assert len(services.committed().access_rules) == 20


def test_rules_are_deleted_by_the_active_controller_alone(services: Any, client: Any) -> None:
    services.leading = LeaderAndEpoch(2, 4)
    (one,) = client.ask(delete.DeleteAclsRequest([every()]), 3).filter_results
    assert one.error_code == error_codes.NOT_CONTROLLER


@pytest.mark.parametrize("version", [1, 2, 3])
def test_rules_of_many_resources_and_of_one_are_described(
    services: Any, client: Any, version: int
) -> None:
    rules = [rule(n) for n in range(MANY)]
    for one in rules[10:260]:
        one.resource_name = "shared"
    client.ask(create.CreateAclsRequest(rules), 3)
    answer = client.ask(describe.DescribeAclsRequest(ANY, None, ANY, None, None, ANY, ANY), version)
    found = {one.resource_name: [acl.principal for acl in one.acls] for one in answer.resources}
    assert len(found) == MANY - 249
    assert found["shared"] == [f"User:{n}" for n in range(10, 260)]
    assert found["t300"] == ["User:300"]


def test_credentials_of_many_users_are_set_in_parts(services: Any, client: Any) -> None:
    def upsertion(user: str) -> scram.ScramCredentialUpsertion:
        return scram.ScramCredentialUpsertion(user, 1, 4096, b"salt", b"salted")

    users = [f"u{n}" for n in range(MANY)]
    deletions = [scram.ScramCredentialDeletion("u7", 1), scram.ScramCredentialDeletion("none", 1)]
    upsertions = [upsertion(one) for one in [*users, "u8"]]
    request = scram.AlterUserScramCredentialsRequest(deletions, upsertions)
    results = client.ask(request, 0).results
    codes = {row.user: row.error_code for row in results}
    assert len(results) == MANY + 1
    assert codes.pop("u7") == error_codes.RESOURCE_NOT_FOUND  # the first fault of a user counts
    assert codes.pop("u8") == error_codes.DUPLICATE_RESOURCE
    assert codes.pop("none") == error_codes.RESOURCE_NOT_FOUND
    assert set(codes.values()) == {0}
    assert len(services.committed().scram) == MANY - 2
    assert max(services.batches) <= ROWS_PER_COMMAND


def test_a_node_that_follows_hands_on_the_parts_one_by_one() -> None:
    config = plain_config(
        "CLIENTS://127.0.0.1:0,CONTROLLER://127.0.0.1:0",
        listener_security_protocol_map="CLIENTS:PLAINTEXT,CONTROLLER:PLAINTEXT",
    )
    services = services_with_eight_records(config=config, leading=LeaderAndEpoch(2, 4))
    client = PipelineClient(services, "CLIENTS")
    request = quotas.AlterClientQuotasRequest([entry(f"u{n}") for n in range(MANY)])
    exchange = client.send(request, 1)
    parts = [asked[3] for asked in services.asked]
    assert [len(one.entries) for one in parts] == [ROWS_PER_COMMAND] * 3 + [7]
    for part, answer in zip(parts, services.answers, strict=True):
        rows = [told.EntryData(0, None, [told.EntityData("user", "x")]) for _ in part.entries]
        answer.complete(told.AlterClientQuotasResponse(entries=rows))
    assert len(exchange.response.entries) == MANY
