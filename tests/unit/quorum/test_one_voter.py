"""The only voter: elects itself, appends, commits when its disk has it, survives crashes."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import InvariantViolated, OperatorError
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.quorum.effects import (
    AppendBatches,
    AppendDropped,
    Appended,
    Committed,
    Halt,
    LeaderChanged,
    SaveElection,
    Send,
    ShutdownDone,
)
from metaquorum.quorum.events import (
    AppendAsked,
    DiskFailed,
    Durable,
    ResignAsked,
    ShutdownAsked,
    Started,
    TimePassed,
)
from metaquorum.quorum.messages import (
    BROKER_NOT_AVAILABLE,
    NOT_LEADER_OR_FOLLOWER,
    THROTTLING_QUOTA_EXCEEDED,
    UNKNOWN_LEADER_EPOCH,
)
from metaquorum.quorum.start import check_election_file
from metaquorum.quorum.types import (
    Control,
    ElectionState,
    Endpoint,
    KRaftVersionControl,
    LeaderChangeControl,
    VotersControl,
)
from metaquorum.testing.fakes import (
    FakeHost,
    data_batch,
    fake_control_batch,
    replica_config,
    voter,
    voters,
)

KEY = voter(1).key


def leader() -> FakeHost:
    return FakeHost.of(1, voters(1)).started()


def test_it_saves_its_vote_then_its_leadership_then_opens_the_epoch() -> None:
    host = FakeHost.of(1, voters(1))
    host.tell(Started())
    assert host.unsynced == [SaveElection(1, ElectionState(1, None, KEY))]
    assert host.replica.role.name == "Candidate", "its own vote is not on the disk yet"
    host.sync()
    assert host.replica.role.name == "Leader"
    save, append = host.unsynced
    assert save == SaveElection(2, ElectionState(1, 1))
    assert isinstance(append, AppendBatches)
    assert append.ticket == 3
    opening = append.batches[0].controls
    assert opening == (Control(0, LeaderChangeControl(1, (KEY,), (KEY,))),)


def test_nobody_hears_of_the_epoch_before_it_is_saved() -> None:
    host = FakeHost.of(1, voters(1))
    host.tell(Started())
    assert host.words == []
    host.sync()
    assert host.words == [LeaderChanged(1, LeaderAndEpoch(None, 1))]
    host.sync(1)
    assert host.words[1:] == [LeaderChanged(2, LeaderAndEpoch(1, 1), active_from=1)]
    host.sync(1)
    assert host.words[2:] == [Committed(2, 1)]


def test_an_append_gets_offsets_at_once_and_commits_when_durable() -> None:
    host = leader()
    released = host.tell(AppendAsked(7, (data_batch("a"), data_batch("b", records=3)), 1))
    assert released == [Appended(7, 1, 5, 1)]
    assert [one.base_offset for one in host.unsynced[0].batches] == [1, 2]  # type: ignore[union-attr]
    assert host.replica.summary().high_watermark == 1
    assert host.sync() == [Committed(2, 5)]


def test_appends_of_one_sync_are_committed_together() -> None:
    host = leader()
    for at in range(3):
        host.tell(AppendAsked(at, (data_batch(),), 1))
    assert host.sync() == [Committed(2, 4)]


@pytest.mark.parametrize(
    ("epoch", "error"), [(0, NOT_LEADER_OR_FOLLOWER), (2, UNKNOWN_LEADER_EPOCH)]
)
def test_an_append_for_another_epoch_is_dropped(epoch: int, error: int) -> None:
    assert leader().tell(AppendAsked(7, (data_batch(),), epoch)) == [AppendDropped(7, error)]


def test_uncommitted_bytes_have_a_limit_that_commits_give_back() -> None:
    host = FakeHost.of(1, voters(1), uncommitted_max_bytes=200).started()
    host.tell(AppendAsked(1, (data_batch(records=2),), 1))
    refused = AppendDropped(2, THROTTLING_QUOTA_EXCEEDED)
    assert host.tell(AppendAsked(2, (data_batch(),), 1)) == [refused]
    host.sync()
    assert host.tell(AppendAsked(3, (data_batch(),), 1)) == [Appended(3, 3, 4, 1)]


def test_a_batch_above_the_limit_passes_alone() -> None:
    host = FakeHost.of(1, voters(1), uncommitted_max_bytes=10).started()
    assert host.tell(AppendAsked(1, (data_batch(),), 1)) == [Appended(1, 1, 2, 1)]


def test_a_restarted_leader_writes_in_a_new_epoch_only() -> None:
    host = leader()
    host.tell(AppendAsked(1, (data_batch("kept"),), 1))
    host.sync()
    host.tell(AppendAsked(2, (data_batch("lost"),), 1))
    again = host.restarted()
    again.tell(Started())
    assert again.unsynced == [SaveElection(1, ElectionState(2, None, KEY))]
    again.settle()
    assert again.replica.summary().line() == (
        "Leader epoch=2 leader=1 high-watermark=3 log-end=3 durable=3: a majority voted for it: "
        "granted by [1], refused by [] of 1 voters"
    )
    assert [batch.payload for batch in again.disk_log if not batch.controls] == ["kept"]


def test_a_restarted_candidate_keeps_its_epoch_by_its_saved_vote() -> None:
    host = FakeHost.of(1, voters(1), election=ElectionState(4, None, KEY)).started()
    assert host.disk_election == ElectionState(4, 1)


def test_a_watermark_of_an_earlier_epoch_needs_a_record_of_this_one() -> None:
    host = leader()
    host.tell(AppendAsked(1, (data_batch(),), 1))
    again = host.settle().restarted()
    again.tell(Started())
    again.sync()
    again.sync(1)
    assert again.replica.summary().high_watermark is None
    assert again.replica.shown_high_watermark == -1
    again.sync()
    assert again.replica.shown_high_watermark == 3


def test_dynamic_voters_of_the_zero_checkpoint_go_into_the_log_once() -> None:
    bare = FakeHost.of(1, voters(1))
    history = bare.replica.voters
    for value in (KRaftVersionControl(1), VotersControl(voters(1).voters)):
        history = history.with_control(Control(-1, value))
    bare.replica.voters = history
    host = bare.started()
    values = [control.value for control in host.disk_log[0].controls]
    assert values[1:] == [KRaftVersionControl(1), VotersControl(voters(1).voters)]
    assert host.replica.summary().high_watermark == 3
    again = host.restarted().started()
    assert [len(batch.controls) for batch in again.disk_log] == [3, 1]


def test_a_voter_that_listens_elsewhere_writes_the_voters_anew() -> None:
    opening = fake_control_batch((KRaftVersionControl(1), VotersControl(voters(1).voters)), 0, 1)
    elsewhere = (Endpoint("CONTROLLER", "host1", 9999),)
    host = FakeHost.of(
        1, voters(1), election=ElectionState(1, 1), log=(opening,), endpoints=elsewhere
    ).started()
    written = host.disk_log[-1].controls[-1].value
    assert isinstance(written, VotersControl)
    assert written.voters[0].endpoints == elsewhere


def test_a_resigned_leader_notifies_its_controller_and_is_reelected() -> None:
    host = leader()
    host.tell(ResignAsked(1, "the controller failed"))
    assert host.words[-1] == LeaderChanged(2, LeaderAndEpoch(None, 1))
    summary = host.replica.summary()
    assert (summary.role, summary.leader_id, summary.why) == (
        "Resigned",
        None,
        "the controller failed",
    )
    host.now = host.replica.deadline
    while not host.replica.summary().is_leader:
        host.tell(TimePassed())
        host.settle()
    assert host.replica.epoch > 1


def test_the_only_voter_asks_nobody_for_a_leader() -> None:
    elsewhere = (Endpoint("", "bootstrap", 9093),)
    host = FakeHost.of(1, voters(1), bootstrap=elsewhere).started()
    host.tell(ResignAsked(1))
    host.now = host.replica.deadline
    host.tell(TimePassed())
    assert host.replica.role.name == "Unattached"
    host.settle()
    assert not any(isinstance(word, Send) for word in host.words)


def test_an_older_resignation_is_ignored_and_a_future_one_is_an_error() -> None:
    host = leader()
    assert host.tell(ResignAsked(0)) == []
    with pytest.raises(InvariantViolated):
        host.replica.step(ResignAsked(2), 0)


def test_shutdown_of_the_only_voter_waits_for_nothing_but_the_disk() -> None:
    host = leader()
    host.tell(AppendAsked(1, (data_batch(),), 1))
    host.tell(ShutdownAsked(2_000))
    assert not any(isinstance(word, ShutdownDone) for word in host.words)
    host.sync()
    assert isinstance(host.words[-1], ShutdownDone)
    assert host.tell(AppendAsked(2, (data_batch(),), 1)) == [
        AppendDropped(2, NOT_LEADER_OR_FOLLOWER)
    ]
    assert BROKER_NOT_AVAILABLE != NOT_LEADER_OR_FOLLOWER


def test_a_failed_disk_is_the_cause_that_every_later_event_meets() -> None:
    host = leader()
    host.tell(AppendAsked(1, (data_batch(),), 1))
    assert host.replica.step(DiskFailed(4, "EIO"), 0) == [Halt("disk effect 4 failed: EIO")]
    for event in (Durable(4), AppendAsked(2, (data_batch(),), 1), DiskFailed(5, "EBADF")):
        with pytest.raises(InvariantViolated, match=r"^disk effect 4 failed: EIO$"):
            host.replica.step(event, 0)


def test_a_ticket_that_was_never_given_cannot_be_durable() -> None:
    with pytest.raises(InvariantViolated):
        leader().replica.step(Durable(99), 0)


def test_it_starts_once() -> None:
    with pytest.raises(InvariantViolated):
        leader().replica.step(Started(), 0)


def test_a_leader_alone_has_no_deadline() -> None:
    assert leader().replica.deadline > 1 << 60


def test_a_fork_goes_its_own_way() -> None:
    host = leader()
    twin = host.replica.fork()
    assert twin.value() == host.replica.value()
    twin.step(AppendAsked(1, (data_batch(),), 1), 0)
    assert (twin.log.end, host.replica.log.end) == (2, 1)
    assert twin.value() != host.replica.value()


def test_the_configuration_says_who_it_is() -> None:
    config = replica_config(1)
    assert (config.node_id, config.as_voter) == (1, voter(1))


def test_quorum_state_may_be_absent_beside_an_empty_log_only() -> None:
    assert check_election_file(None, 0, 0, "dir") == ElectionState()
    with pytest.raises(OperatorError, match=r"dir holds a log up to offset 5 .* new directory id"):
        check_election_file(None, 5, 2, "dir")


def test_quorum_state_older_than_the_log_has_forgotten_votes() -> None:
    assert check_election_file(ElectionState(3), 5, 3, "dir") == ElectionState(3)
    with pytest.raises(OperatorError, match="epoch 2"):
        check_election_file(ElectionState(2), 5, 3, "dir")
