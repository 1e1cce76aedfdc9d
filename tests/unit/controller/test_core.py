"""The controller as its host sees it: replies, leadership, deadlines, NoOps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from metaquorum.base.clock import NEVER
from metaquorum.base.errors import InvariantViolated, RequestError, UnexpectedError
from metaquorum.controller.commands import AlterClientQuotas
from metaquorum.controller.config import ControllerConfig
from metaquorum.controller.core import ControllerCore
from metaquorum.controller.events import (
    BatchCommitted,
    BatchEnded,
    BecameActive,
    BecameInactive,
    CommandArrived,
    HighWatermark,
    SnapshotLoaded,
    TimePassed,
)
from metaquorum.controller.log import Placed
from metaquorum.controller.plans import PLANS
from metaquorum.metadata.state import MetadataState, Provenance
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.testing.memory_log import MemoryLog
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.alter_client_quotas_request import (
    AlterClientQuotasRequest,
    EntityData,
    EntryData,
    OpData,
)
from metaquorum.wire.generated.records.begin_transaction_record import BeginTransactionRecord
from metaquorum.wire.generated.records.client_quota_record import ClientQuotaRecord
from metaquorum.wire.generated.records.client_quota_record import EntityData as RecordEntity
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord
from metaquorum.wire.generated.records.no_op_record import NoOpRecord

BOOTSTRAP = [MetadataRecord(12, 0, FeatureLevelRecord("metadata.version", 30))]


def _alter(user: str, rate: float | None, *, validate_only: bool = False) -> AlterClientQuotas:
    op = OpData("producer_byte_rate", rate or 0.0, rate is None)
    entry = EntryData([EntityData("user", user)], [op])
    return AlterClientQuotas(AlterClientQuotasRequest([entry], validate_only))


def _rate(core: ControllerCore, user: str) -> float | None:
    quotas = core.committed().quotas.get((("user", user),))
    return None if quotas is None else quotas["producer_byte_rate"]


def _code(reply: object) -> int:
    assert isinstance(reply, RequestError)
    return reply.code


@pytest.fixture
def host(make_host: Callable[..., Any]) -> Any:
    host = make_host(BOOTSTRAP, max_idle_interval_ms=0)
    host.lead()
    host.commit()
    return host


def test_a_change_is_answered_and_visible_only_once_committed(host: Any) -> None:
    asked = host.ask(_alter("anna", 5.0))
    assert asked not in host.replies
    assert _rate(host.core, "anna") is None
    host.commit(host.end - 1)
    assert asked not in host.replies
    host.commit()
    assert host.replies[asked].entries[0].error_code == error_codes.NONE
    assert _rate(host.core, "anna") == 5.0


def test_the_next_plan_builds_on_what_is_not_committed_yet(host: Any) -> None:
    host.ask(_alter("anna", 5.0))
    before = len(host.log)
    again = host.ask(_alter("anna", 5.0))
    assert len(host.log) == before, "the value is set already"
    assert again not in host.replies, "but that is not committed, so the answer waits"
    host.commit()
    assert again in host.replies


def test_a_change_without_records_is_answered_at_once_if_none_pend(host: Any) -> None:
    asked = host.ask(_alter("anna", None))
    assert host.replies[asked].entries[0].error_code == error_codes.NONE


def test_validate_only_writes_nothing(host: Any) -> None:
    before = list(host.log)
    asked = host.ask(_alter("anna", 5.0, validate_only=True))
    assert host.log == before
    assert host.replies[asked].entries[0].error_code == error_codes.NONE


def test_lost_leadership_times_out_pending_changes_and_reverts_them(host: Any) -> None:
    first = host.ask(_alter("anna", 5.0))
    second = host.ask(_alter("anna", 5.0))
    host.follow(keep=0)
    assert _code(host.replies[first]) == error_codes.REQUEST_TIMED_OUT
    assert _code(host.replies[second]) == error_codes.REQUEST_TIMED_OUT
    assert _rate(host.core, "anna") is None
    assert host.core.state.live().quotas.get((("user", "anna"),)) is None


def test_what_survives_the_lost_leadership_comes_back_as_committed(host: Any) -> None:
    asked = host.ask(_alter("anna", 5.0))
    host.follow(keep=1)
    assert _code(host.replies[asked]) == error_codes.REQUEST_TIMED_OUT
    assert _rate(host.core, "anna") == 5.0


def test_a_standby_refuses_commands_with_not_controller(make_host: Callable[..., Any]) -> None:
    host = make_host(BOOTSTRAP)
    asked = host.ask(_alter("anna", 5.0))
    assert _code(host.replies[asked]) == error_codes.NOT_CONTROLLER


def test_an_append_that_the_quorum_refuses_fails_its_command_alone(host: Any) -> None:
    host.refuse_with = error_codes.NOT_LEADER_OR_FOLLOWER
    first = host.ask(_alter("anna", 5.0))
    assert _code(host.replies[first]) == error_codes.NOT_CONTROLLER
    host.refuse_with = error_codes.THROTTLING_QUOTA_EXCEEDED
    second = host.ask(_alter("anna", 5.0))
    assert _code(host.replies[second]) == error_codes.THROTTLING_QUOTA_EXCEEDED
    host.refuse_with = error_codes.RECORD_LIST_TOO_LARGE
    third = host.ask(_alter("anna", 5.0))
    assert _code(host.replies[third]) == error_codes.RECORD_LIST_TOO_LARGE
    assert host.core.state.live().quotas.get((("user", "anna"),)) is None


def test_a_response_times_out_while_its_change_may_still_commit(host: Any) -> None:
    asked = host.ask(_alter("anna", 5.0), deadline_ms=host.now + 100)
    later = host.ask(_alter("berta", 5.0))
    assert host.core.deadline == host.now + 100
    host.wait(99)
    assert asked not in host.replies
    host.wait(1)
    assert _code(host.replies[asked]) == error_codes.REQUEST_TIMED_OUT
    host.commit()
    assert _rate(host.core, "anna") == 5.0
    assert later in host.replies
    assert host.core.deadline == NEVER


def test_a_command_that_arrives_too_late_changes_nothing(host: Any) -> None:
    host.now = 50
    before = list(host.log)
    asked = host.ask(_alter("anna", 5.0), deadline_ms=50)
    assert _code(host.replies[asked]) == error_codes.REQUEST_TIMED_OUT
    assert host.log == before


def test_commands_are_counted_and_those_that_came_too_late(host: Any) -> None:
    before = host.core.operations.started
    host.now = 50
    host.ask(_alter("anna", 5.0))
    assert (host.core.operations.started - before, host.core.operations.timed_out) == (1, 0)
    host.ask(_alter("anna", 5.0), deadline_ms=50)
    assert (host.core.operations.started - before, host.core.operations.timed_out) == (2, 1)
    assert host.core.operations.heartbeats_timed_out == 0


def test_no_more_replies_wait_than_the_limit(make_host: Callable[..., Any]) -> None:
    host = make_host(BOOTSTRAP, max_idle_interval_ms=0, pending_replies_max=2)
    host.lead()
    asked = [host.ask(_alter(user, 5.0)) for user in ("anna", "berta", "clara")]
    assert asked[0] not in host.replies
    assert _code(host.replies[asked[2]]) == error_codes.THROTTLING_QUOTA_EXCEEDED
    assert host.core.statistics()["pending_waiting"] == 2
    host.commit()
    assert host.ask(_alter("clara", 5.0)) not in host.replies


def test_more_records_than_one_batch_holds_are_a_policy_violation(host: Any) -> None:
    ops = [OpData("producer_byte_rate", 5.0, False), OpData("consumer_byte_rate", 5.0, False)]
    entries = [EntryData([EntityData("user", f"u{n}")], ops) for n in range(5_001)]
    asked = host.ask(AlterClientQuotas(AlterClientQuotasRequest(entries, False)))
    assert _code(host.replies[asked]) == error_codes.POLICY_VIOLATION
    fits = host.ask(AlterClientQuotas(AlterClientQuotasRequest(entries[1:], False)))
    host.commit()
    assert len(host.replies[fits].entries) == 5_000


def test_a_no_op_is_written_every_interval(make_host: Callable[..., Any]) -> None:
    host = make_host(BOOTSTRAP, max_idle_interval_ms=500)
    host.lead()
    host.wait(499)
    assert "NoOpRecord" not in host.written()
    host.wait(1)
    assert host.written().count("NoOpRecord") == 1
    host.wait(5_000)
    assert host.written().count("NoOpRecord") == 11
    host.follow(keep=0)
    assert host.core.deadline == NEVER


def test_an_interval_of_zero_writes_no_no_op(make_host: Callable[..., Any]) -> None:
    host = make_host(BOOTSTRAP, max_idle_interval_ms=0)
    host.lead()
    assert host.core.deadline == NEVER


def test_no_ops_begin_with_the_metadata_version_that_knows_them(
    make_host: Callable[..., Any],
) -> None:
    host = make_host(BOOTSTRAP)
    level = [MetadataRecord(12, 0, FeatureLevelRecord("metadata.version", n)) for n in (4, 5)]
    host.log.append((1, 1, (level[0],)))
    host.epoch, host.end, host.high_watermark = 1, 2, 2
    host.lead()
    host.wait(2_000)
    assert "NoOpRecord" not in host.written()
    host.follow()
    host.log.append((host.end, 3, (level[1],)))
    host.end += 1
    host.high_watermark = host.end
    host.lead()
    host.wait(500)
    assert host.written()[-1] == "NoOpRecord"


def test_a_refused_no_op_is_tried_again_an_interval_later(make_host: Callable[..., Any]) -> None:
    host = make_host(BOOTSTRAP)
    host.lead()
    host.refuse_with = error_codes.THROTTLING_QUOTA_EXCEEDED
    host.wait(500)
    host.refuse_with = None
    host.wait(500)
    assert host.written().count("NoOpRecord") == 1


def test_a_standby_replays_what_others_wrote(host: Any, make_host: Callable[..., Any]) -> None:
    host.ask(_alter("anna", 5.0))
    host.commit()
    standby = make_host(BOOTSTRAP)
    standby.log, standby.high_watermark = list(host.log), host.high_watermark
    standby.feed()
    assert _rate(standby.core, "anna") == 5.0
    assert standby.core.next_offset == host.end


def test_a_batch_that_is_known_in_part_is_taken_from_where_it_is_new(
    make_host: Callable[..., Any],
) -> None:
    host = make_host()
    transaction = MetadataRecord(23, 0, BeginTransactionRecord())
    batch = (BOOTSTRAP[0], transaction, MetadataRecord(12, 0, FeatureLevelRecord("f", 1)))
    host.step(BatchCommitted(0, 1, 0, batch))
    host.epoch, host.end = 1, 3
    host.lead()
    host.step(BecameInactive(2, None))
    assert host.core.next_offset == 1
    host.step(BatchCommitted(0, 1, 0, batch))
    assert host.core.next_offset == 3
    host.step(BatchCommitted(0, 1, 0, batch))
    assert host.core.next_offset == 3
    assert list(host.core.committed().features) == [("metadata.version", 30)]


def test_a_snapshot_replaces_the_state_of_a_standby(make_host: Callable[..., Any]) -> None:
    host = make_host()
    host.step(SnapshotLoaded(MetadataState.from_snapshot(BOOTSTRAP, Provenance(700, 4, 1_000))))
    assert host.core.next_offset == 700
    assert host.core.committed().features.metadata_version == 30
    host.epoch, host.end = 4, 700
    host.lead()
    assert host.core.is_active
    assert host.log == []


def test_a_host_that_breaks_the_rules_is_told(host: Any) -> None:
    no_op = (MetadataRecord(20, 0, NoOpRecord()),)
    with pytest.raises(
        InvariantViolated, match="BatchCommitted came while this node leads epoch 1"
    ):
        host.step(BatchCommitted(host.end, 1, 0, no_op))
    with pytest.raises(
        InvariantViolated, match="went to offset 0 of epoch 1, but epoch 1 goes on from"
    ):
        host.core.step(CommandArrived("x", _alter("anna", 5.0)), 0, 0, MemoryLog(0))


def test_no_event_may_come_before_an_append_has_returned(host: Any) -> None:
    class Impatient:
        next_offset = host.end

        def append(self, *records: Any, **how: Any) -> Placed:
            host.step(HighWatermark(5))
            return Placed(host.end, 1)

    with pytest.raises(InvariantViolated, match="HighWatermark came before an append had returned"):
        host.core.step(CommandArrived("x", _alter("anna", 5.0)), 0, 0, Impatient())


def test_a_shared_batch_ends_by_an_event_or_before_the_next_append(host: Any) -> None:
    host.commit()
    answers = [Placed(host.end, 1, False), Placed(host.end + 1, 1, False, True)]

    class Sharing:
        next_offset = host.end

        def append(self, *records: Any, **how: Any) -> Placed:
            return answers.pop(0)

    def quotas() -> int:
        return len(host.core.committed().quotas)

    for name in ("anna", "berta"):
        host.core.step(CommandArrived(name, _alter(name, 5.0)), 0, 0, Sharing())
    host.commit(host.end + 2)
    assert quotas() == 1
    host.step(BatchEnded())
    host.commit(host.end + 2)
    assert quotas() == 2


def test_a_log_that_ends_before_the_state_cannot_be_led(make_host: Callable[..., Any]) -> None:
    host = make_host(BOOTSTRAP)
    host.step(BatchCommitted(5, 1, 0, (BOOTSTRAP[0],)))
    with pytest.raises(InvariantViolated, match="the state reaches offset 6, but the log"):
        host.step(BecameActive(2, 3))


def test_the_appended_batch_carries_the_wall_clock_of_its_step(host: Any) -> None:
    log = MemoryLog(host.end)
    host.core.step(CommandArrived("x", _alter("anna", 5.0)), 7, 123_456, log)
    assert [one.timestamp_ms for one in log.batches] == [123_456]
    host.core.step(HighWatermark(host.end + 1), 8, 123_457, log)
    assert host.core.state.provenance.timestamp_ms == 123_456


def test_an_event_of_another_kind_is_a_house_error(host: Any) -> None:
    with pytest.raises(InvariantViolated, match="knows no event str"):
        host.core.step("hello", 0, 0, MemoryLog())


def test_time_passing_without_anything_due_does_nothing() -> None:
    core = ControllerCore(ControllerConfig(node_id=1), BOOTSTRAP)
    assert core.step(TimePassed(), 10_000, 0, MemoryLog()) == []


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("set"), st.integers(0, 2), st.integers(1, 4)),
        st.tuples(st.just("remove"), st.integers(0, 2), st.just(0)),
        st.tuples(st.just("commit"), st.just(0), st.just(0)),
        st.tuples(st.just("fail over"), st.integers(0, 3), st.just(0)),
        st.tuples(st.just("wait"), st.integers(1, 900), st.just(0)),
    ),
    max_size=40,
)


@pytest.mark.slow
@settings(
    derandomize=True,
    deadline=None,
    max_examples=150,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # it only makes fresh hosts
)
@given(STEPS)
def test_what_was_acknowledged_is_shown_whatever_leaders_come_and_go(
    make_host: Callable[..., Any], steps: list[tuple[str, int, int]]
) -> None:
    host = make_host(BOOTSTRAP)
    host.lead()
    changes: list[tuple[int, str, float | None]] = []
    for name, which, rate in steps:
        if name in ("set", "remove"):
            value = float(rate) if name == "set" else None
            changes.append((host.ask(_alter(f"u{which}", value)), f"u{which}", value))
        elif name == "commit":
            host.commit()
        elif name == "wait":
            host.wait(which)
        else:
            host.follow(keep=which)
            host.lead()
        live = host.core.state.live()
        for user in ("u0", "u1", "u2"):
            mine = [(asked, value) for asked, whose, value in changes if whose == user]
            good = [n for n, (a, _) in enumerate(mine) if not _failed(host.replies.get(a, 0))]
            if good and good[-1] == len(mine) - 1:
                quotas = live.quotas.get((("user", user),)) or {}
                assert quotas.get("producer_byte_rate") == mine[-1][1]
    host.commit()
    fresh = make_host(BOOTSTRAP)
    fresh.log, fresh.high_watermark = list(host.log), host.high_watermark
    fresh.feed()
    assert dict(fresh.core.committed().quotas.items()) == dict(host.core.committed().quotas.items())


def _failed(reply: object) -> bool:
    return isinstance(reply, RequestError)


def test_a_plan_that_raises_is_refused_and_the_next_one_is_planned(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(view: Any, command: Any) -> Any:
        raise LookupError("ours")

    before = host.written()
    with monkeypatch.context() as patch:
        patch.setitem(PLANS, AlterClientQuotas, fail)
        reply = host.replies[host.ask(_alter("anna", 5.0))]
    assert isinstance(reply, UnexpectedError) and isinstance(reply.cause, LookupError)
    assert _code(reply) == error_codes.UNKNOWN_SERVER_ERROR
    assert host.written() == before
    host.ask(_alter("anna", 5.0))
    host.commit()
    assert _rate(host.core, "anna") == 5.0


def test_a_plan_that_finds_the_state_broken_still_stops_the_process(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(view: Any, command: Any) -> Any:
        raise InvariantViolated("the mark is gone")

    monkeypatch.setitem(PLANS, AlterClientQuotas, fail)
    with pytest.raises(InvariantViolated):
        host.ask(_alter("anna", 5.0))


def test_a_batch_that_comes_in_slices_is_shown_when_it_is_whole() -> None:
    follower = ControllerCore(ControllerConfig(1), BOOTSTRAP)
    changes = tuple(
        MetadataRecord(14, 0, ClientQuotaRecord([RecordEntity("user", user)], "k", 1.0, False))
        for user in ("anna", "bert", "carl")
    )
    for base, some, is_end in ((0, changes[:2], False), (2, changes[2:], True)):
        assert len(follower.committed().quotas) == 0
        assert not follower.step(BatchCommitted(base, 1, 1, some, is_end), 0, 0, MemoryLog())
    assert len(follower.committed().quotas) == 3
    assert follower.state.provenance.end_offset == 3
    assert not follower.state.has_uncommitted
