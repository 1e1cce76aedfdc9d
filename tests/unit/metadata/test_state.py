"""The state: what is live, what is committed, what can be taken back."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import VALUES_FORGOTTEN_PER_COMMIT
from metaquorum.metadata.state import MetadataState, Provenance
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated.records.abort_transaction_record import AbortTransactionRecord
from metaquorum.wire.generated.records.begin_transaction_record import BeginTransactionRecord
from metaquorum.wire.generated.records.config_record import ConfigRecord
from metaquorum.wire.generated.records.end_transaction_record import EndTransactionRecord
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord
from metaquorum.wire.generated.records.no_op_record import NoOpRecord

BEGIN = MetadataRecord(23, 0, BeginTransactionRecord(name="test"))
END = MetadataRecord(24, 0, EndTransactionRecord())
ABORT = MetadataRecord(25, 0, AbortTransactionRecord(reason="test"))
NO_OP = MetadataRecord(20, 0, NoOpRecord())


def _level(name: str, level: int) -> MetadataRecord:
    return MetadataRecord(12, 0, FeatureLevelRecord(name, level))


def _setting(value: str | None, resource: str = "") -> MetadataRecord:
    return MetadataRecord(4, 0, ConfigRecord(4, resource, "k", value))


def _feed(state: MetadataState, *records: MetadataRecord, epoch: int = 1) -> None:
    for offset, record in enumerate(records, start=state.end_offset):
        state.replay(record, offset, epoch, 1_000 + offset)
    state.close_batch()


def _value(state: MetadataState, *, live: bool = False) -> str | None:
    view = state.live() if live else state.committed()
    return (view.configs.get((4, "")) or {}).get("k")


def test_what_is_not_committed_is_live_but_not_shown() -> None:
    state = MetadataState()
    _feed(state, _setting("a"))
    assert (_value(state, live=True), _value(state)) == ("a", None)
    assert state.has_uncommitted
    state.commit(1)
    assert _value(state) == "a"
    assert not state.has_uncommitted
    assert state.provenance == Provenance(1, 1, 1_000)


def test_a_watermark_in_the_middle_of_a_batch_commits_nothing_of_it() -> None:
    state = MetadataState()
    _feed(state, _setting("a"), _setting("b"))
    state.commit(1)
    assert _value(state) is None
    state.commit(2)
    assert _value(state) == "b"


def test_reverting_goes_back_to_the_last_committed_batch() -> None:
    state = MetadataState()
    _feed(state, _setting("a"))
    _feed(state, _setting("b"))
    _feed(state, _setting("c"))
    state.commit(2)
    state.revert_to_stable()
    assert (_value(state, live=True), state.end_offset) == ("b", 2)
    _feed(state, _setting("d"))
    state.commit(3)
    assert _value(state) == "d"


def test_nothing_inside_a_transaction_is_committed_before_its_end() -> None:
    state = MetadataState()
    _feed(state, _setting("a"), BEGIN, _setting("b"))
    _feed(state, _setting("c"))
    state.commit(4)
    assert (_value(state), state.stable_offset) == ("a", 1)
    _feed(state, END)
    assert _value(state) == "a"
    state.commit(5)
    assert (_value(state), state.stable_offset) == ("c", 5)


def test_an_aborted_transaction_keeps_the_state_and_moves_the_offset() -> None:
    state = MetadataState()
    _feed(state, _setting("a"))
    state.commit(1)
    _feed(state, BEGIN, _setting("b"))
    state.commit(3)
    _feed(state, ABORT, NO_OP)
    state.commit(5)
    assert (_value(state), _value(state, live=True), state.stable_offset) == ("a", "a", 5)


def test_lost_leadership_in_a_transaction_reverts_to_before_it() -> None:
    state = MetadataState()
    _feed(state, _setting("a"))
    _feed(state, BEGIN, _setting("b"))
    state.commit(3)
    state.revert_to_stable()
    assert (state.end_offset, _value(state, live=True), state.transaction) == (1, "a", None)
    _feed(state, BEGIN, _setting("b"), END)
    state.commit(4)
    assert _value(state) == "b"


@pytest.mark.parametrize(
    ("records", "message"),
    [
        ((BEGIN, BEGIN), "begins a transaction at offset 1, but the one from offset 0"),
        ((END,), "ends a transaction at offset 0, but none is open"),
        ((ABORT,), "aborts a transaction at offset 0, but none is open"),
    ],
)
def test_misplaced_transaction_records_are_refused_with_their_offset(
    records: Sequence[MetadataRecord], message: str
) -> None:
    with pytest.raises(InvariantViolated, match=message):
        _feed(MetadataState(), *records)


def test_the_features_epoch_is_the_offset_that_made_them_valid() -> None:
    state = MetadataState()
    assert state.committed().features.epoch == -1
    _feed(state, BEGIN, _level("metadata.version", 30), _level("group.version", 1), END)
    state.commit(4)
    features = state.committed().features
    assert features.epoch == 3
    assert list(features) == [("group.version", 1), ("metadata.version", 30)]
    _feed(state, NO_OP, _setting("a"))
    _feed(state, _level("group.version", 0))
    state.commit(7)
    features = state.committed().features
    assert (features.epoch, features.level("group.version"), features.metadata_version) == (
        6,
        0,
        30,
    )


def test_a_metadata_version_beyond_this_release_stops_the_node() -> None:
    with pytest.raises(
        InvariantViolated, match=r"FeatureLevelRecord at offset 0.*metadata\.version 99"
    ):
        _feed(MetadataState(), _level("metadata.version", 99))


def test_an_unknown_record_type_is_never_passed_over() -> None:
    with pytest.raises(InvariantViolated, match="offset 0 is of type 6"):
        _feed(MetadataState(), MetadataRecord(6, 0, NoOpRecord()))


def test_a_record_is_not_replayed_twice() -> None:
    state = MetadataState()
    _feed(state, NO_OP)
    with pytest.raises(InvariantViolated, match="offset 0 was replayed before"):
        state.replay(NO_OP, 0, 1, 0)


def test_an_aborted_bootstrap_leaves_an_empty_state() -> None:
    state = MetadataState()
    _feed(state, BEGIN, _level("metadata.version", 30))
    assert not state.live().is_empty
    assert state.before_transaction().is_empty
    _feed(state, ABORT)
    assert state.live().is_empty


def test_a_held_state_stays_readable_while_the_log_moves_on() -> None:
    state = MetadataState()
    _feed(state, _setting("a"))
    state.commit(1)
    held = state.hold()
    for number in range(5):
        _feed(state, _setting(str(number)))
        state.commit(state.end_offset)
    assert held.view.configs.get((4, "")) == {"k": "a"}
    assert held.provenance.end_offset == 1
    state.let_go(held)
    _feed(state, _setting("b"))
    state.commit(state.end_offset)
    assert state.statistics() == {"marks": 1, "old_values": 0, "uncommitted_batches": 0}


def test_what_a_held_state_kept_is_forgotten_with_later_commits() -> None:
    state, resources = MetadataState(), 4 * VALUES_FORGOTTEN_PER_COMMIT
    held = state.hold()
    for number in range(resources):
        _feed(state, _setting("a", str(number)))
        state.commit(state.end_offset)
    state.let_go(held)
    kept = []
    while not kept or kept[-1]:
        _feed(state, NO_OP)
        state.commit(state.end_offset)
        kept.append(state.statistics()["old_values"])
    steps = [before - after for before, after in pairwise([resources + 1, *kept])]
    assert all(0 < step <= VALUES_FORGOTTEN_PER_COMMIT + 1 for step in steps), steps


def test_a_snapshot_takes_the_place_of_the_log_before_it() -> None:
    place = Provenance(900, 7, 5_000)
    state = MetadataState.from_snapshot([_level("metadata.version", 30), _setting("a")], place)
    assert (state.stable_offset, state.end_offset, state.provenance) == (900, 900, place)
    assert _value(state) == "a"
    assert state.committed().features.epoch == 899
    _feed(state, _setting("b"))
    state.revert_to_stable()
    assert _value(state, live=True) == "a"


def test_a_snapshot_with_a_transaction_in_it_is_refused() -> None:
    with pytest.raises(InvariantViolated, match="ends at offset 4 holds a transaction record"):
        MetadataState.from_snapshot([BEGIN], Provenance(4, 1, 0))


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("batch"), st.lists(st.integers(0, 3), min_size=1, max_size=3)),
        st.tuples(st.just("begin"), st.just([0])),
        st.tuples(st.just("end"), st.just([0])),
        st.tuples(st.just("abort"), st.just([0])),
        st.tuples(st.just("commit"), st.lists(st.integers(0, 12), min_size=1, max_size=1)),
        st.tuples(st.just("revert"), st.just([0])),
    ),
    max_size=40,
)


def _replayed(log: Sequence[Sequence[MetadataRecord]], end: int) -> dict[str, str]:
    """What a plain dict holds after the whole batches below ``end``, open transaction left out."""
    now: dict[str, str] = {}
    before: dict[str, str] | None = None
    offset = 0
    for batch in log:
        if offset + len(batch) > end:
            break
        for record in batch:
            if record is BEGIN:
                before = dict(now)
            elif record is END:
                before = None
            elif record is ABORT:
                now, before = dict(before or {}), None
            else:
                now[record.message.name] = record.message.value
        offset += len(batch)
    return now if before is None else before


def _taken_back(state: MetadataState, log: list[list[MetadataRecord]], committed: int) -> None:
    """Lose the leadership: uncommitted batches go, committed ones beyond the state come again."""
    state.revert_to_stable()
    while sum(len(batch) for batch in log) > committed:
        log.pop()
    base = 0
    for batch in log:
        first = max(state.end_offset - base, 0)
        if first < len(batch):
            _feed(state, *batch[first:])
            state.commit(state.end_offset)
        base += len(batch)


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=200)
@given(STEPS)
def test_the_committed_state_equals_a_replay_of_the_committed_log(
    steps: list[tuple[str, list[int]]],
) -> None:
    state = MetadataState()
    log: list[list[MetadataRecord]] = []
    committed = 0
    for number, (name, arguments) in enumerate(steps):
        is_open = state.transaction is not None
        batch: list[MetadataRecord] = []
        if name == "batch":
            batch = [
                MetadataRecord(4, 0, ConfigRecord(4, "", f"k{key}", str(number)))
                for key in arguments
            ]
        elif name == "begin" and not is_open:
            batch = [BEGIN]
        elif name in ("end", "abort") and is_open:
            batch = [END if name == "end" else ABORT]
        elif name == "commit":
            committed = max(committed, sum(len(batch) for batch in log[: arguments[0]]))
            state.commit(committed)
        elif name == "revert":
            _taken_back(state, log, committed)
        if batch:
            log.append(batch)
            _feed(state, *batch)
        shown = dict(state.committed().configs.get((4, "")) or {})
        assert shown == _replayed(log, committed)
    if state.transaction is None:
        live = dict(state.live().configs.get((4, "")) or {})
        assert live == _replayed(log, state.end_offset)
