"""Access rules: what is written, and what each rule and each filter is told (KIP-140)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.controller.commands import CreateAcls, RemoveAcls
from metaquorum.controller.managers import acls
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.server.contract.steps import taken
from metaquorum.wire.generated import create_acls_request as create
from metaquorum.wire.generated import delete_acls_request as delete
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord

ANY, MATCH, LITERAL, PREFIXED = 1, 2, 3, 4
TOPIC, GROUP, CLUSTER = 2, 3, 4
READ, DENY, ALLOW = 3, 2, 3


@pytest.fixture
def host(make_host: Callable[..., Any]) -> Any:
    made = make_host([MetadataRecord(12, 0, FeatureLevelRecord("metadata.version", 30))])
    made.lead()
    made.commit()
    return made


def rule(name: str = "t", **more: Any) -> create.AclCreation:
    parts = {
        "resource_type": TOPIC,
        "resource_name": name,
        "resource_pattern_type": LITERAL,
        "principal": "User:a",
        "host": "*",
        "operation": READ,
        "permission_type": ALLOW,
        **more,
    }
    return create.AclCreation(**parts)


def every(**more: Any) -> delete.DeleteAclsFilter:
    parts = {
        "resource_type_filter": ANY,
        "resource_name_filter": None,
        "pattern_type_filter": ANY,
        "principal_filter": None,
        "host_filter": None,
        "operation": ANY,
        "permission_type": ANY,
        **more,
    }
    return delete.DeleteAclsFilter(**parts)


def told(host: Any, command: Any) -> Any:
    asked = host.ask(command)
    host.commit()
    reply = host.replies[asked]
    if isinstance(reply, RequestError):
        raise reply
    return reply


_drawn = iter(range(1, 1 << 30))


def created(host: Any, *rules: create.AclCreation) -> list[int]:
    ids = tuple(next(_drawn).to_bytes(16, "big") for _ in rules)
    reply = told(host, CreateAcls(create.CreateAclsRequest(list(rules)), ids))
    assert all(bool(one.error_message) == bool(one.error_code) for one in reply.results)
    assert all(one.error_message is not None for one in reply.results)
    return [one.error_code for one in reply.results]


def deleted(host: Any, *filters: delete.DeleteAclsFilter) -> list[list[str]]:
    """The names that each filter matched; all of them are removed."""
    matched = found(host, *filters)
    assert not any(one.fault for one in matched)
    ids = dict.fromkeys(rule.rule_id for one in matched for rule in one.rules)
    assert told(host, RemoveAcls(tuple(ids))) == set(ids)
    return [[rule.resource_name for rule in one.rules] for one in matched]


def found(host: Any, *filters: delete.DeleteAclsFilter) -> list[acls.Matched]:
    rules = [rule for _, rule in host.core.committed().access_rules.items()]
    return taken(acls.matched_in_steps(rules, filters))


def kept(host: Any) -> list[str]:
    return [rule.resource_name for _, rule in host.core.committed().access_rules.items()]


def test_rules_are_kept_under_the_ids_that_came_with_them(host: Any) -> None:
    assert created(host, rule("a"), rule("b", resource_pattern_type=PREFIXED)) == [0, 0]
    rules = [one for _, one in host.core.committed().access_rules.items()]
    assert [(one.resource_name, one.pattern_type) for one in rules] == [("a", 3), ("b", 4)]
    assert [one.principal for one in rules] == ["User:a"] * 2


def test_a_rule_that_is_there_already_succeeds_without_a_record(host: Any) -> None:
    assert created(host, rule("a"), rule("a")) == [0, 0]
    before = host.core.state.end_offset
    assert created(host, rule("a")) == [0]
    assert host.core.state.end_offset == before
    assert kept(host) == ["a"]


@pytest.mark.parametrize(
    "parts",
    [
        {"resource_type": CLUSTER},
        {"resource_name": ""},
        {"principal": "alice"},
        {"principal": ""},
        *[{"resource_type": code} for code in (0, ANY, 99, -1)],
        *[{"resource_pattern_type": code} for code in (0, ANY, MATCH, 9)],
        *[{"operation": code} for code in (0, ANY, 99)],
        *[{"permission_type": code} for code in (0, ANY, 4)],
    ],
)
def test_a_bad_rule_is_refused_and_its_neighbours_are_made(
    host: Any, parts: dict[str, Any]
) -> None:
    bad = rule(**parts)
    codes = created(host, rule("a"), bad, rule("z"))
    assert codes == [0, error_codes.INVALID_REQUEST, 0]
    assert kept(host) == ["a", "z"]


def test_any_host_is_taken_and_a_cluster_rule_names_the_cluster(host: Any) -> None:
    cluster = rule("kafka-cluster", resource_type=CLUSTER)
    assert created(host, cluster, rule(host=""), rule(host="no address")) == [0, 0, 0]


def test_filters_take_away_what_they_match_and_each_is_told_all_of_it(host: Any) -> None:
    created(host, rule("a"), rule("ab"), rule("b"), rule("g", resource_type=GROUP))
    assert deleted(
        host,
        every(resource_name_filter="a"),
        every(resource_type_filter=TOPIC),
        every(resource_name_filter="none"),
    ) == [["a"], ["a", "ab", "b"], []]
    assert kept(host) == ["g"]


def test_filters_that_match_a_resource_take_prefixes_and_stars_too(host: Any) -> None:
    created(host, rule("*"), rule("te", resource_pattern_type=PREFIXED), rule("x"))
    match = every(resource_name_filter="test", pattern_type_filter=MATCH)
    assert deleted(host, match) == [["*", "te"]]
    assert kept(host) == ["x"]


def test_a_filter_with_an_unknown_code_is_refused_and_others_applied(host: Any) -> None:
    created(host, rule("a"))
    refused, every_rule = found(host, every(operation=99), every())
    assert refused.fault is not None and not refused.rules
    assert [rule.resource_name for rule in every_rule.rules] == ["a"]


def test_too_many_rules_at_once_are_refused(host: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acls, "MAX_RECORDS_PER_BATCH", 2)
    with pytest.raises(RequestError) as refused:
        created(host, rule("a"), rule("b"), rule("c"))
    assert refused.value.code == error_codes.POLICY_VIOLATION
    created(host, rule("a"), rule("b"))
    created(host, rule("c"))
    with pytest.raises(RequestError) as refused:
        deleted(host, every())
    assert refused.value.code == error_codes.POLICY_VIOLATION
    assert kept(host) == ["a", "b", "c"]


def test_rules_that_are_gone_already_are_not_removed_again(host: Any) -> None:
    created(host, rule("a"), rule("b"))
    (matched,) = found(host, every())
    ids = tuple(one.rule_id for one in matched.rules)
    assert told(host, RemoveAcls(ids[:1])) == {ids[0]}
    assert told(host, RemoveAcls(ids)) == {ids[1]}
    before = host.core.state.end_offset
    assert told(host, RemoveAcls(ids)) == set()
    assert host.core.state.end_offset == before


def test_rules_that_are_being_removed_are_gone_for_the_next_command(host: Any) -> None:
    created(host, rule("a"))
    (matched,) = found(host, every())
    ids = (matched.rules[0].rule_id,)
    first, second = host.ask(RemoveAcls(ids)), host.ask(RemoveAcls(ids))
    assert second not in host.replies  # it rests on what is not committed
    host.commit()
    assert (host.replies[first], host.replies[second]) == (set(ids), set())


def test_a_rule_costs_one_look_up_however_many_filters_there_are(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    created(host, *(rule(f"t{number}") for number in range(40)))
    looked: list[int] = []
    one_rule = acls.AclFilterIndex.matching

    def counted(index: Any, one: Any) -> list[int]:
        looked.append(len(index))
        return one_rule(index, one)

    monkeypatch.setattr(acls.AclFilterIndex, "matching", counted)
    found(host, *(every(principal_filter=f"User:{number}") for number in range(1_000)))
    assert looked == [1] * 40


def test_no_step_of_a_search_compares_more_than_it_may(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    created(host, *(rule(f"t{number}") for number in range(60)))
    monkeypatch.setattr(acls, "LOOKUPS_PER_STEP", 20)
    monkeypatch.setattr(acls, "FILTERS_PER_STEP", 3)
    read, looked = [0], [0]
    one_filter, one_rule = acls.AclFilterIndex.add, acls.AclFilterIndex.matching

    def added(index: Any, number: int, one: Any) -> None:
        read[0] += 1
        one_filter(index, number, one)

    def counted(index: Any, one: Any) -> list[int]:
        looked[0] += len(index)
        return one_rule(index, one)

    monkeypatch.setattr(acls.AclFilterIndex, "add", added)
    monkeypatch.setattr(acls.AclFilterIndex, "matching", counted)
    rules = [one for _, one in host.core.committed().access_rules.items()]
    filters = [every(operation=code) for code in range(3, 9)] + [
        every(principal_filter="User:a"),
        every(host_filter="*", permission_type=ALLOW),
        every(resource_name_filter="t1", pattern_type_filter=MATCH),
    ]
    for _ in acls.matched_in_steps(rules, filters):
        assert read[0] <= 3 and looked[0] <= 20
        read[0] = looked[0] = 0


def test_only_a_change_of_the_acls_changes_their_stamp(host: Any) -> None:
    stamps = [host.core.committed().rules_stamp]
    created(host, rule("a"))
    stamps.append(host.core.committed().rules_stamp)
    created(host, rule("a"))
    assert host.core.committed().rules_stamp is stamps[-1]
    deleted(host, every())
    stamps.append(host.core.committed().rules_stamp)
    assert len({id(one) for one in stamps}) == 3
