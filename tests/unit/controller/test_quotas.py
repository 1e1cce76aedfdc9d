"""Client quotas: which entities, keys and values are taken, and what a describe finds."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import ROWS_PER_STEP
from metaquorum.controller.commands import AlterClientQuotas
from metaquorum.controller.managers import quotas
from metaquorum.controller.outcome import Outcome
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.quotas import quota_entity
from metaquorum.testing.plan_context import plan_context
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.alter_client_quotas_request import (
    AlterClientQuotasRequest,
    EntityData,
    EntryData,
    OpData,
)
from metaquorum.wire.generated.alter_client_quotas_response import AlterClientQuotasResponse
from metaquorum.wire.generated.describe_client_quotas_request import (
    ComponentData,
    DescribeClientQuotasRequest,
)

Parts = Sequence[tuple[str, str | None]]
Ops = Sequence[tuple[str, float | None]]

ANNA: Parts = [("user", "anna")]


def _request(*entries: tuple[Parts, Ops], validate_only: bool = False) -> AlterClientQuotasRequest:
    return AlterClientQuotasRequest(
        [
            EntryData(
                [EntityData(*part) for part in parts],
                [OpData(key, value or 0.0, value is None) for key, value in ops],
            )
            for parts, ops in entries
        ],
        validate_only,
    )


def _plan(state: MetadataState, request: AlterClientQuotasRequest) -> Outcome:
    return quotas.plan_alter(plan_context(state.live()), AlterClientQuotas(request))


def _alter(state: MetadataState, *entries: tuple[Parts, Ops]) -> AlterClientQuotasResponse:
    outcome = _plan(state, _request(*entries))
    for offset, record in enumerate(outcome.records, start=state.end_offset):
        state.replay(record, offset, 1, 0)
    state.close_batch()
    state.commit(state.end_offset)
    assert isinstance(outcome.reply, AlterClientQuotasResponse)
    return outcome.reply


def _refusal(parts: Parts, ops: Ops) -> str | None:
    (row,) = _alter(MetadataState(), (parts, ops)).entries
    assert (row.error_code == error_codes.INVALID_REQUEST) == (row.error_message is not None)
    return row.error_message


RATE: Ops = [("producer_byte_rate", 1024.0)]


@pytest.mark.parametrize(
    ("parts", "ops"),
    [
        (ANNA, RATE),
        ([("user", None)], RATE),
        ([("client-id", "c")], [("consumer_byte_rate", 1.0)]),
        ([("user", "anna"), ("client-id", None)], [("request_percentage", 0.5)]),
        ([("client-id", "c"), ("user", "anna")], [("controller_mutation_rate", 2.25)]),
        ([("ip", "10.1.2.3")], [("connection_creation_rate", 2147483647.0)]),
        ([("ip", "::1")], [("connection_creation_rate", 5.0)]),
        ([("ip", "localhost")], [("connection_creation_rate", 5.0)]),
        ([("ip", "127.1")], [("connection_creation_rate", 5.0)]),
        ([("ip", "[fe80::1]")], [("connection_creation_rate", 5.0)]),
        ([("ip", None)], [("connection_creation_rate", 5.0)]),
        (ANNA, [("producer_byte_rate", 9223372036854775807.0)]),
        (ANNA, [("producer_byte_rate", 100.0000001)]),
        (ANNA, [("no_such_quota", None)]),
        (ANNA, []),
    ],
)
def test_what_kafka_takes_is_taken(parts: Parts, ops: Ops) -> None:
    assert _refusal(parts, ops) is None


@pytest.mark.parametrize(
    ("parts", "ops", "word"),
    [
        ([], RATE, "no parts"),
        ([("group", "g")], RATE, "'group' is no entity type"),
        ([("", "g")], RATE, "'' is no entity type"),
        ([("user", "")], RATE, "user has an empty name"),
        ([("user", "a"), ("user", "b")], RATE, "more than one user"),
        ([("user", ""), ("user", "")], RATE, "more than one user"),
        ([("group", "a"), ("group", "b")], RATE, "'group' is no entity type"),
        ([("user", "a"), ("client-id", "")], RATE, "client-id has an empty name"),
        ([("ip", "1.2.3.4"), ("user", "a")], RATE, "cannot be combined"),
        ([("client-id", "c"), ("ip", None)], RATE, "cannot be combined"),
        ([("ip", "not an address")], [("connection_creation_rate", 1.0)], "not a valid IP"),
        ([("ip", "300.1.1.1")], [("connection_creation_rate", 1.0)], "not a valid IP"),
        ([("ip", "fe80::1%eth0")], [("connection_creation_rate", 1.0)], "not a valid IP"),
        ([("ip", "1.2.3.4.5")], [("connection_creation_rate", 1.0)], "not a valid IP"),
        ([("ip", "1.2.3.4")], RATE, "'producer_byte_rate' is no quota of this entity"),
        (ANNA, [("connection_creation_rate", 1.0)], "is no quota of this entity"),
        (ANNA, [("no_such_quota", 1.0)], "'no_such_quota' is no quota"),
        (ANNA, [("producer_byte_rate", 0.0)], "must be above 0, not 0"),
        (ANNA, [("request_percentage", -1.0)], "must be above 0, not -1"),
        (ANNA, [("producer_byte_rate", 1.5)], "must be a whole number, not 1.5"),
        (ANNA, [("producer_byte_rate", 1e19)], "at most 9223372036854775807"),
        ([("ip", None)], [("connection_creation_rate", 2147483648.0)], "at most 2147483647"),
        (ANNA, [("request_percentage", math.nan)], "must be a finite number, not nan"),
        (ANNA, [("request_percentage", math.inf)], "must be a finite number, not inf"),
        (ANNA, [*RATE, ("producer_byte_rate", None)], "given more than once"),
    ],
)
def test_what_kafka_refuses_is_refused_with_a_reason(parts: Parts, ops: Ops, word: str) -> None:
    refusal = _refusal(parts, ops)
    assert refusal is not None
    assert word in refusal


def test_one_wrong_entity_does_not_stop_the_others() -> None:
    state = MetadataState()
    answer = _alter(state, (ANNA, [*RATE, ("nonsense", 1.0)]), ([("user", "berta")], RATE))
    assert [row.error_code for row in answer.entries] == [error_codes.INVALID_REQUEST, 0]
    assert [(p.entity_type, p.entity_name) for p in answer.entries[0].entity] == ANNA
    assert dict(state.committed().quotas.items()) == {
        (("user", "berta"),): {"producer_byte_rate": 1024.0}
    }


def test_an_entity_named_twice_is_refused_and_unchanged() -> None:
    state = MetadataState()
    one = [("user", "a"), ("client-id", "c")]
    answer = _alter(state, (one, RATE), (ANNA, RATE), (one[::-1], RATE))
    assert [row.error_code for row in answer.entries] == [error_codes.INVALID_REQUEST, 0]
    assert len(state.committed().quotas) == 1


def test_quotas_are_set_changed_and_removed_one_by_one() -> None:
    state = MetadataState()
    _alter(state, (ANNA, [*RATE, ("consumer_byte_rate", 7.0)]))
    _alter(state, (ANNA, [("producer_byte_rate", None)]))
    entity = (("user", "anna"),)
    assert state.committed().quotas.get(entity) == {"consumer_byte_rate": 7.0}
    _alter(state, (ANNA, [("consumer_byte_rate", None)]))
    assert entity not in state.committed().quotas


def test_what_is_so_already_costs_no_record() -> None:
    state = MetadataState()
    _alter(state, (ANNA, RATE))
    again = _plan(state, _request((ANNA, [*RATE, ("request_percentage", None)])))
    assert again.records == ()


def test_validate_only_answers_without_records() -> None:
    request = _request((ANNA, RATE), ([("user", "")], RATE), validate_only=True)
    outcome = _plan(MetadataState(), request)
    assert outcome.records == ()
    assert isinstance(outcome.reply, AlterClientQuotasResponse)
    assert [row.error_code for row in outcome.reply.entries] == [0, error_codes.INVALID_REQUEST]


def test_more_entries_than_one_request_may_have_are_refused_unread() -> None:
    request = _request(*([(ANNA, RATE)] * 10_001))
    with pytest.raises(RequestError, match="has 10001 entries, at most 10000") as refusal:
        _plan(MetadataState(), request)
    assert refusal.value.code == error_codes.POLICY_VIOLATION


NAMES = st.sampled_from(["a", "b", "", None, "10.0.0.1"])
KINDS = st.sampled_from(["user", "client-id", "ip", "group", ""])
VALUES = st.one_of(st.none(), st.floats(), st.sampled_from([1.0, 2.0, 1.5]))
KEYS = st.sampled_from(["producer_byte_rate", "request_percentage", "connection_creation_rate"])
ENTRIES = st.lists(
    st.tuples(
        st.lists(st.tuples(KINDS, NAMES), max_size=2),
        st.lists(st.tuples(st.one_of(KEYS, st.text(max_size=2)), VALUES), max_size=3),
    ),
    max_size=5,
)


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.lists(ENTRIES, max_size=3))
def test_refused_entities_stay_unchanged_and_others_are_altered(
    requests: list[list[tuple[Parts, Ops]]],
) -> None:
    state = MetadataState()
    for entries in requests:
        before = dict(state.committed().quotas.items())
        answer = _alter(state, *entries)
        after = dict(state.committed().quotas.items())
        assert len(answer.entries) == len({quota_entity(parts) for parts, _ in entries})
        for row in answer.entries:
            entity = quota_entity((part.entity_type, part.entity_name) for part in row.entity)
            now = dict(after.get(entity, {}))
            if row.error_code:
                assert now == before.get(entity, {})
                continue
            (ops,) = [ops for parts, ops in entries if quota_entity(parts) == entity]
            wanted = {**before.get(entity, {}), **dict(ops)}
            assert now == {key: value for key, value in wanted.items() if value is not None}


EXACT, DEFAULT, ANY = quotas.MATCH_EXACT, quotas.MATCH_DEFAULT, quotas.MATCH_ANY
Component = tuple[str, int, str | None]


@pytest.fixture(scope="module")
def full() -> MetadataState:
    """Every shape of entity, each with a rate of its own."""
    state = MetadataState()
    shapes: list[Parts] = [
        [("user", "a")],
        [("user", None)],
        [("client-id", "c")],
        [("client-id", None)],
        [("user", "a"), ("client-id", "c")],
        [("user", "a"), ("client-id", None)],
        [("user", None), ("client-id", "c")],
    ]
    _alter(state, *((shape, [("producer_byte_rate", n + 1.0)]) for n, shape in enumerate(shapes)))
    _alter(
        state,
        ([("ip", "10.0.0.1")], [("connection_creation_rate", 8.0)]),
        ([("ip", None)], [("connection_creation_rate", 9.0)]),
    )
    return state


def _found(state: MetadataState, components: Sequence[Component], strict: bool) -> list[float]:
    request = DescribeClientQuotasRequest([ComponentData(*c) for c in components], strict)
    answer = quotas.describe(state.committed(), request)
    assert answer.error_code == error_codes.NONE
    return sorted(row.values[0].value for row in answer.entries or ())


@pytest.mark.parametrize(
    ("components", "strict", "found"),
    [
        ([], False, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ([], True, []),
        ([("user", EXACT, "a")], True, [1]),
        ([("user", EXACT, "a")], False, [1, 5, 6]),
        ([("user", DEFAULT, None)], True, [2]),
        ([("user", DEFAULT, None)], False, [2, 7]),
        ([("user", ANY, None)], True, [1, 2]),
        ([("user", ANY, None)], False, [1, 2, 5, 6, 7]),
        ([("user", EXACT, "a"), ("client-id", ANY, None)], True, [5, 6]),
        ([("user", ANY, None), ("client-id", EXACT, "c")], False, [5, 7]),
        ([("user", EXACT, "nobody")], False, []),
        ([("ip", ANY, None)], True, [8, 9]),
        ([("ip", EXACT, "10.0.0.1")], False, [8]),
    ],
)
def test_a_filter_finds_what_it_should(
    full: MetadataState, components: Sequence[Component], strict: bool, found: list[float]
) -> None:
    assert _found(full, components, strict) == found


@pytest.mark.parametrize(
    ("components", "code"),
    [
        ([("", EXACT, "a")], error_codes.INVALID_REQUEST),
        ([("group", EXACT, "a")], error_codes.UNSUPPORTED_VERSION),
        ([("user", EXACT, None)], error_codes.INVALID_REQUEST),
        ([("user", DEFAULT, "a")], error_codes.INVALID_REQUEST),
        ([("user", ANY, "a")], error_codes.INVALID_REQUEST),
        ([("user", 3, None)], error_codes.INVALID_REQUEST),
        ([("user", ANY, None), ("user", EXACT, "a")], error_codes.INVALID_REQUEST),
        ([("user", ANY, None), ("ip", ANY, None)], error_codes.INVALID_REQUEST),
    ],
)
def test_a_filter_that_makes_no_sense_is_refused(
    full: MetadataState, components: Sequence[Component], code: int
) -> None:
    request = DescribeClientQuotasRequest([ComponentData(*c) for c in components], False)
    answer = quotas.describe(full.committed(), request)
    assert (answer.error_code, answer.entries) == (code, None)
    assert answer.error_message


def test_a_describe_is_sorted_and_keeps_every_value(full: MetadataState) -> None:
    request = DescribeClientQuotasRequest([ComponentData("client-id", ANY, None)], False)
    rows = quotas.describe(full.committed(), request).entries or []
    named = [[(part.entity_type, part.entity_name) for part in row.entity] for row in rows]
    assert named == [
        [("client-id", None)],
        [("client-id", None), ("user", "a")],
        [("client-id", "c")],
        [("client-id", "c"), ("user", None)],
        [("client-id", "c"), ("user", "a")],
    ]


def test_a_long_describe_is_made_in_steps_as_of_its_first(full: MetadataState) -> None:
    names = [f"user-{number}" for number in range(10 * ROWS_PER_STEP)]
    for name in names:
        _alter(full, ([("user", name)], [("producer_byte_rate", 1.0)]))
    request = DescribeClientQuotasRequest([ComponentData("user", ANY, None)], True)
    expected = quotas.describe(full.committed(), request).entries
    steps = quotas.described_in_steps(full.committed(), quotas.filter_of(request))
    assert next(steps) == []
    _alter(full, ([("user", "later")], [("producer_byte_rate", 1.0)]))
    taken = list(steps)
    assert max(len(rows) for rows in taken) == ROWS_PER_STEP
    assert [row for rows in taken for row in rows] == expected
    assert {row.entity[0].entity_name for row in expected or ()} >= set(names)
