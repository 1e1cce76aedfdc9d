"""What is asked together is appended together: one batch, one ticket, and answers of their own."""

from __future__ import annotations

from functools import partial
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from attrs import define, field

from metaquorum.base.clock import NEVER
from metaquorum.base.errors import RequestError, UnexpectedError
from metaquorum.controller.commands import AlterClientQuotas
from metaquorum.controller.config import ControllerConfig
from metaquorum.controller.core import ControllerCore
from metaquorum.metadata.reading import read_metadata_records
from metaquorum.quorum import effects, events
from metaquorum.quorum.adapt import make_control_batch, stamp
from metaquorum.quorum.log_view import LogView
from metaquorum.quorum.messages import FetchRequest
from metaquorum.quorum.replica import Replica
from metaquorum.quorum.types import Batch, ElectionState, ReplicaKey
from metaquorum.quorum.voters import VoterHistory
from metaquorum.records.builder import BatchBuilder
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.runtime.disk.tail import Tail
from metaquorum.runtime.driver import appends
from metaquorum.runtime.driver.batches import OpenBatch, metadata_entry
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.loop.promise import Promise
from metaquorum.testing.fake_ports import ports_over
from metaquorum.testing.fakes import LeastChance, replica_config, voters
from metaquorum.wire.generated import alter_client_quotas_request as asked
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord

QUOTA = 14


@define(eq=False)
class Host:
    """A driver that leads alone, over a disk that is synced when the test says so."""

    driver: Driver
    now: int
    queued: list[effects.AppendBatches] = field(factory=list)
    written: list[Batch] = field(factory=list)
    submitted: int = 0

    def submit(self, effect: Any) -> None:
        self.submitted += 1
        self.queued.append(effect)

    def begin(self) -> None:
        """It begins when it is told to ``sync``."""

    def sync(self) -> None:
        """Everything that was submitted is durable."""
        while self.queued:
            queued, self.queued = self.queued, []
            self.written += [
                batch
                for effect in queued
                if isinstance(effect, effects.AppendBatches)
                for batch in effect.batches
            ]
            self.driver.became_durable(queued[-1].ticket)

    def ask(self, user: str, value: float) -> Promise[Any]:
        entry = asked.EntryData(
            [asked.EntityData("user", user)], [asked.OpData("producer_byte_rate", value)]
        )
        command = AlterClientQuotas(asked.AlterClientQuotasRequest([entry]))
        return self.driver.ask_controller(command, NEVER)

    def quotas(self) -> dict[object, float]:
        view = self.driver.controller.committed()
        return {entity: values["producer_byte_rate"] for entity, values in view.quotas.items()}

    def data(self) -> list[Batch]:
        """The batches of quotas."""
        return [batch for batch in self.written if quotas_of(batch)]


def quotas_of(batch: Batch) -> list[MetadataRecord]:
    assert isinstance(batch.payload, bytes)
    return [one for one in read_metadata_records(batch.payload) if one.type == QUOTA]


def host_of(**changes: object) -> Host:
    config = replica_config(
        1,
        stamp=stamp,
        make_control_batch=partial(make_control_batch, timestamp_ms=0),
        **changes,
    )
    replica = Replica(config, ElectionState(), LogView(), VoterHistory(voters(1)), LeastChance(), 0)
    controller = ControllerCore(
        ControllerConfig(1), [MetadataRecord(12, 0, FeatureLevelRecord("metadata.version", 20))]
    )
    host = Host(None, 0)  # type: ignore[arg-type]
    clock = SimpleNamespace(now_ms=lambda: host.now, wall_ms=lambda: 5_000 + host.now)
    driver = Driver(replica, controller, clock, Tail(), metadata_entry, ports_over(host))
    host.driver = driver
    driver.post(events.Started())
    host.sync()
    assert driver.active_from is not None  # the only voter elects itself
    driver.activate(replica.log.end)
    host.sync()
    assert controller.is_active
    return host


def code_of(promise: Promise[Any]) -> int:
    """The error of an answer; NONE of one that is good."""
    try:
        (entry,) = promise.result().entries
    except RequestError as error:
        return error.code
    code: int = entry.error_code
    return code


@pytest.fixture
def host() -> Host:
    return host_of()


def test_commands_form_one_batch_and_one_ticket_answered_once_durable(
    host: Host,
) -> None:
    before, end = host.submitted, host.driver.replica.log.end
    host.driver.begin_batch()
    answers = [host.ask(f"u{number}", number + 1) for number in range(3)]
    assert (host.submitted, host.driver.replica.log.end) == (before, end)
    assert host.driver.flush_batch()
    assert (host.submitted, host.driver.replica.log.end) == (before + 1, end + 3)
    assert not any(one.done for one in answers)
    assert host.quotas() == {}
    host.sync()
    assert [code_of(one) for one in answers] == [error_codes.NONE] * 3
    (batch,) = host.data()
    assert (batch.base_offset, batch.record_count) == (end, 3)
    assert host.driver.controller.state.stable_offset == end + 3
    assert len(host.quotas()) == 3


def test_a_command_builds_on_those_that_were_batched_before_it(host: Host) -> None:
    host.driver.begin_batch()
    first, again, other = host.ask("anna", 1), host.ask("anna", 1), host.ask("anna", 2)
    host.driver.flush_batch()
    assert not again.done  # it changes nothing, but rests on what is not committed
    host.sync()
    assert [code_of(one) for one in (first, again, other)] == [error_codes.NONE] * 3
    assert [len(quotas_of(one)) for one in host.data()] == [2]
    assert list(host.quotas().values()) == [2]


def test_one_that_is_refused_costs_the_others_nothing(host: Host) -> None:
    host.driver.begin_batch()
    answers = [host.ask("anna", 1), host.ask("berta", -1), host.ask("carla", 3)]
    host.driver.flush_batch()
    host.sync()
    codes = [code_of(one) for one in answers]
    assert codes == [error_codes.NONE, error_codes.INVALID_REQUEST, error_codes.NONE]
    assert [batch.record_count for batch in host.data()] == [2]


def test_nothing_is_appended_where_nothing_is_written(host: Host) -> None:
    before = host.submitted
    host.driver.begin_batch()
    refused = host.ask("berta", -1)
    assert not host.driver.flush_batch()
    assert (host.submitted, code_of(refused)) == (before, error_codes.INVALID_REQUEST)


def test_records_of_one_pass_are_of_one_time(host: Host) -> None:
    host.driver.begin_batch()
    host.ask("anna", 1)
    host.now += 7
    host.ask("berta", 2)
    host.driver.flush_batch()
    host.sync()
    (batch,) = host.data()
    quotas = host.driver.controller.committed().quotas
    origins = [values.origin("producer_byte_rate") for _, values in quotas.items()]
    assert {one.timestamp_ms for one in origins} == {batch.append_time_ms}
    assert [one.offset for one in origins] == [batch.base_offset, batch.base_offset + 1]


def test_any_other_replica_event_first_appends_the_open_batch(host: Host) -> None:
    end = host.driver.replica.log.end
    host.driver.begin_batch()
    first = host.ask("anna", 1)
    host.driver.post(events.TimePassed())
    assert host.driver.replica.log.end == end + 1
    second = host.ask("berta", 2)
    (written,) = host.queued
    host.driver.became_durable(written.ticket)
    assert code_of(first) == error_codes.NONE and not second.done
    assert host.driver.replica.log.end == end + 2  # what is durable concerns the replica too
    assert host.driver.flush_batch()
    host.driver.became_durable(host.queued[-1].ticket)
    assert code_of(second) == error_codes.NONE
    assert [one.record_count for effect in host.queued for one in effect.batches] == [1, 1]


def test_a_waiting_reader_gets_the_batch_once_it_is_committed(host: Host) -> None:
    log = host.driver.replica.log
    reader = FetchRequest(ReplicaKey(-1, None), 1, log.end, 1, 500, 1_000, log.high_watermark)
    waiting = host.driver.ask_quorum(reader)
    assert not waiting.done
    host.driver.begin_batch()
    host.ask("anna", 1)
    assert not waiting.done
    host.driver.flush_batch()
    host.sync()
    assert waiting.done and waiting.result().records is not None


def test_batched_commands_count_as_appended_when_leadership_ends(host: Host) -> None:
    host.driver.begin_batch()
    answer = host.ask("anna", 1)
    host.driver.post(events.ResignAsked(host.driver.leader.epoch, "a test"))
    late = host.ask("berta", 2)
    assert not host.driver.controller.is_active
    assert (code_of(answer), code_of(late)) == (
        error_codes.REQUEST_TIMED_OUT,
        error_codes.NOT_CONTROLLER,
    )
    host.driver.flush_batch()
    host.sync()
    assert [one.record_count for one in host.data()] == [1]


def test_a_full_batch_is_closed_and_the_next_one_begun(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    def small(*place: Any) -> OpenBatch:
        return OpenBatch(*place, builder=BatchBuilder(limit_records=2))

    monkeypatch.setattr(appends, "OpenBatch", small)
    host.driver.begin_batch()
    answers = [host.ask(f"u{number}", 1) for number in range(5)]
    host.driver.flush_batch()
    host.sync()
    assert [code_of(one) for one in answers] == [error_codes.NONE] * 5
    assert [one.record_count for one in host.data()] == [2, 2, 1]


def test_a_change_beyond_any_batch_is_refused_and_the_others_go_on(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    def small(*place: Any) -> OpenBatch:
        return OpenBatch(*place, builder=BatchBuilder(limit_bytes=180))

    monkeypatch.setattr(appends, "OpenBatch", small)
    host.driver.begin_batch()
    answers = [host.ask(name, 1) for name in ("anna", "b" * 200, "carla")]
    host.driver.flush_batch()
    host.sync()
    codes = [code_of(one) for one in answers]
    assert codes == [error_codes.NONE, error_codes.RECORD_LIST_TOO_LARGE, error_codes.NONE]


def test_commands_beyond_uncommitted_max_bytes_are_refused_one_by_one() -> None:
    host = host_of(uncommitted_max_bytes=400)
    host.driver.begin_batch()
    answers = [host.ask(f"u{number}", 1) for number in range(8)]
    host.driver.flush_batch()
    host.sync()
    codes = [code_of(one) for one in answers]
    taken = codes.count(error_codes.NONE)
    assert 1 <= taken < 8
    assert codes == [error_codes.NONE] * taken + [error_codes.THROTTLING_QUOTA_EXCEEDED] * (
        8 - taken
    )
    (batch,) = host.data()
    assert batch.record_count == taken and batch.size_bytes <= 400


def test_answered_clients_are_awaited_once_the_batch_has_a_command(
    host: Host,
) -> None:
    driver = host.driver
    driver.begin_batch()
    for name in ("anna", "berta", "carla"):
        host.ask(name, 1)
    assert not driver.expects_more  # nobody was answered before
    driver.flush_batch()
    host.sync()
    driver.begin_batch()
    assert not driver.expects_more  # there is nothing yet that waits
    host.ask("anna", 2)
    assert driver.expects_more
    host.ask("berta", 2)
    assert driver.expects_more
    host.ask("carla", 2)
    assert not driver.expects_more  # all have come
    driver.flush_batch()


def test_who_does_not_return_is_not_waited_for_again(host: Host) -> None:
    driver = host.driver
    driver.begin_batch()
    host.ask("anna", 1)
    host.ask("berta", 1)
    driver.flush_batch()
    host.sync()
    driver.begin_batch()
    host.ask("anna", 2)
    assert driver.expects_more
    assert driver.flush_batch()
    driver.begin_batch()
    host.ask("anna", 3)
    assert not driver.expects_more


@pytest.mark.parametrize("limit_records", [1, 2, 1_000])
def test_an_accepted_record_fits_the_budget_with_its_batch_overhead(
    limit_records: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is left of the budget: a place is refused, or kept."""

    def small(*place: Any) -> OpenBatch:
        return OpenBatch(*place, builder=BatchBuilder(limit_records=limit_records))

    monkeypatch.setattr(appends, "OpenBatch", small)
    refused = set()
    for budget_bytes in range(100, 600, 3):
        host = host_of(uncommitted_max_bytes=budget_bytes)
        answers = []
        for names in (("anna",), ("berta", "carla", "dora")):  # the first waits for its commit
            host.driver.begin_batch()
            answers += [host.ask(name, 1) for name in names]
            host.driver.flush_batch()
        host.sync()
        refused.add(sum(code_of(one) == error_codes.THROTTLING_QUOTA_EXCEEDED for one in answers))
    assert refused == {0, 1, 2, 3}


@pytest.mark.parametrize("seed", range(10))
def test_batched_or_not_the_same_commands_come_to_the_same(seed: int) -> None:
    """Loop passes of any length, cut by whatever else happens, change places of batches alone."""
    chance = Random(seed)
    together, apart = host_of(), host_of()
    for _ in range(40):
        commands = [
            (f"u{chance.randrange(6)}", chance.choice((-1.0, 1.0, 2.0, 3.0)))
            for _ in range(chance.randrange(1, 12))
        ]
        interrupted = chance.randrange(16)
        together.driver.begin_batch()
        answers = []
        for number, command in enumerate(commands):
            if number == interrupted:
                chance.choice((together.sync, lambda: together.driver.post(events.TimePassed())))()
            answers.append((together.ask(*command), apart.ask(*command)))
        together.driver.flush_batch()
        if chance.randrange(2):
            together.sync()
            apart.sync()
            assert all(code_of(one) == code_of(other) for one, other in answers)
    together.sync()
    apart.sync()
    assert together.quotas() == apart.quotas()
    logs = [
        [one for batch in host.data() for one in quotas_of(batch)] for host in (together, apart)
    ]
    assert logs[0] == logs[1]
    assert len(together.data()) < len(apart.data())
    state, log = together.driver.controller.state, together.driver.replica.log
    assert state.stable_offset == state.end_offset == log.end == log.high_watermark


@pytest.mark.parametrize("batches", [False, True])
def test_a_change_that_cannot_be_encoded_is_refused_alone(host: Host, batches: bool) -> None:
    appends_of, unfit = host.driver._appends, ValueError("ours")
    encode = appends_of.entry_of

    def encode_all_but_bob(record: MetadataRecord) -> Any:
        if record.message.entity[0].entity_name == "bob":
            raise unfit
        return encode(record)

    appends_of.entry_of = encode_all_but_bob
    if batches:
        host.driver.begin_batch()
    before, refused, after = (host.ask(name, 1.0) for name in ("anna", "bob", "carl"))
    if batches:
        host.driver.flush_batch()
    host.sync()
    assert code_of(refused) == error_codes.UNKNOWN_SERVER_ERROR
    with pytest.raises(UnexpectedError) as told:
        refused.result()
    assert told.value.cause is unfit
    assert [code_of(before), code_of(after)] == [error_codes.NONE] * 2
    assert len(host.quotas()) == 2
    assert host.driver.statistics()["open_replies"] == 0


def test_next_offset_is_where_the_next_record_of_an_open_batch_goes(host: Host) -> None:
    log = host.driver._appends
    end = host.driver.replica.log.end
    assert log.next_offset == end
    host.driver.begin_batch()
    for number in range(3):
        assert log.next_offset == end + number
        host.ask(f"u{number}", 1.0)
    host.driver.flush_batch()
    assert log.next_offset == host.driver.replica.log.end == end + 3
    host.sync()
    (batch,) = host.data()
    assert batch.next_offset == log.next_offset


def test_next_offset_counts_control_records_too(host: Host) -> None:
    log = host.driver._appends
    before = log.next_offset
    assert before == host.driver.controller.state.end_offset
    host.driver.post(events.ResignAsked(host.driver.leader.epoch, "test"))
    host.sync()
    for _ in range(10):
        if log.next_offset > before:
            break
        host.now = max(host.now, host.driver.replica.deadline)
        host.driver.post(events.TimePassed())
        host.sync()
    assert log.next_offset == host.driver.replica.log.end > before, "a LeaderChange was written"
