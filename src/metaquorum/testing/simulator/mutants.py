"""Known bugs that the simulator must catch, each with the first seed that did.

Those that the explorer finds too stand in ``testing/mutants.py``; the others need storage, the
controller, clocks or many elections to show. A mutant is a context manager that breaks one rule for
as long as it is entered.
"""

from __future__ import annotations

from typing import Any
from unittest import mock

from attrs import evolve, frozen

from metaquorum.base.clock import NEVER, Millis
from metaquorum.controller import core
from metaquorum.controller.pending import PendingReply
from metaquorum.metadata.state import Filling, MetadataState
from metaquorum.node import partition_files
from metaquorum.quorum import prompt, role_changes
from metaquorum.quorum.effects import Effect, TruncateLog
from metaquorum.quorum.handlers import commit, time
from metaquorum.quorum.handlers.election import leader_lost, vote
from metaquorum.quorum.handlers.replication import append, replicate
from metaquorum.quorum.log_view import LogView
from metaquorum.quorum.progress import Progress, majority_offset
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.state import ReplicaState
from metaquorum.quorum.types import ElectionState
from metaquorum.quorum.voters import VoterHistory
from metaquorum.records import batch
from metaquorum.records.reader import walk_batches
from metaquorum.runtime.driver import applier
from metaquorum.runtime.loop.chance import SeededChance
from metaquorum.storage import quorum_state
from metaquorum.storage.journal import Journal, QuorumStateStore
from metaquorum.testing import mutants as shared
from metaquorum.testing.mutants import Mutant, Patched, all_of, replaced, replaced_in
from metaquorum.testing.simulator.broker_mutants import BROKER_MUTANTS
from metaquorum.testing.simulator.snapshot_mutants import (
    SNAPSHOT_MUTANTS,
    snapshot_of_what_is_not_committed,
)


def vote_file_is_stale() -> Patched:
    """Every election state is taken for saved; only the first ever is."""
    honest = QuorumStateStore.save

    def save(store: QuorumStateStore, state: Any) -> None:
        if not store.disk.exists(f"{store.directory}/quorum-state"):
            honest(store, state)

    return replaced(QuorumStateStore, "save", save)


def vote_file_is_not_synced() -> Patched:
    """quorum-state is written in place, and nobody waits for the disk (KAFKA-15312)."""

    def write(disk: Any, directory: str, state: Any) -> None:
        file = disk.open(f"{directory}/quorum-state", create=True)
        file.truncate(0)
        file.append([quorum_state.encode(state)])

    return replaced(quorum_state, "write", write)


def quorum_state_is_not_read() -> Patched:
    """A node that starts believes its log alone."""
    honest = partition_files._election

    def guessed(disk: Any, path: str, end: int, last_epoch: int, snapshots: Any) -> ElectionState:
        honest(disk, path, end, last_epoch, snapshots)
        return ElectionState(last_epoch)

    return replaced(partition_files, "_election", guessed)


def cut_below_the_watermark() -> Patched:
    """A follower cuts more than it must, what is committed too (KAFKA-12460)."""

    def cut(replica: Any, diverging: Any, out: list[Any]) -> bool:
        to = max(replica.log.start, replica.log.truncation_point(diverging) - 4)
        mark = replica.log.high_watermark
        replica.log = evolve(replica.log, high_watermark=None)
        ticket = replica.log_ticket = replica.next_ticket()
        replica.log = evolve(replica.log.truncated(ticket, to), high_watermark=mark)
        replica.voters = replica.voters.truncated(to)
        out.append(TruncateLog(ticket, to))
        return True

    return replaced(replicate, "_cut", cut)


def voters_are_read_from_committed_records() -> Patched:
    """A Voters record counts when it is committed, not when it is appended."""
    honest = VoterHistory.latest.fget  # type: ignore[attr-defined]

    def latest(history: VoterHistory) -> Any:
        return history.sets[-2][1] if len(history.sets) > 2 else honest(history)

    return replaced(VoterHistory, "latest", property(latest))


def vote_is_forgotten() -> Patched:
    """Who loses a pre-vote forgets whom it voted for and who leads (KAFKA-17642)."""

    def give_up(replica: Any, now: int, why: str, out: list[Any]) -> None:
        election = ElectionState(replica.election.epoch)
        role_changes.become_unattached(replica, election, now, why, out, new_deadline=True)

    return replaced_in((time, vote), "give_up_campaign", give_up)


def no_jitter() -> Patched:
    """Everybody waits equally long: the same nodes stand against each other for ever."""
    return replaced(SeededChance, "jitter", lambda chance, low, high: low)


def haste_without_end() -> Patched:
    """Split votes for ever: followers of a lost leader all campaign at once, again and again."""

    def at_once(replica: Any) -> int | None:
        return None if replica.lost is None else 0

    return all_of(
        replaced_in((prompt, leader_lost), "prompt_delay_ms", at_once),
        replaced(time, "end_haste", lambda replica: None),
    )


def observers_are_counted() -> Patched:
    """Any replica that fetches is counted, voter or not (KAFKA-13986)."""

    def high_watermark(progress: Progress, voters: Any, leader: Any, own_end: int) -> int:
        ends = [own_end, *(one.end for one in progress.replicas.values())]
        return majority_offset(ends, voters.majority) if len(ends) >= voters.majority else -1

    return replaced(Progress, "high_watermark", high_watermark)


def leader_never_gives_up() -> Patched:
    """No check of the quorum: a leader that is cut off leads on (KAFKA-15489)."""

    def shrug(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
        assert isinstance(replica.role, Leader)
        replica.role = evolve(replica.role, check_quorum_deadline=NEVER)

    return mock.patch.dict(time._FIRED, {time.CHECK_QUORUM: shrug})


def applied_without_a_checksum() -> Patched:
    """What is read back is applied unchecked (KAFKA-14104)."""

    def unchecked(data: bytes, first: int) -> Any:
        return ((head, view) for head, view in walk_batches(data) if head.next_offset > first)

    return replaced(applier, "_sound_batches", unchecked)


def fetched_without_a_checksum() -> Patched:
    """What a leader sends is appended unchecked (KAFKA-18723)."""
    return replaced(batch, "check", batch.read_header)


def log_is_not_synced() -> Patched:
    """Records are called durable when they are written."""
    return replaced(Journal, "_sync_log", lambda journal: None)


def votes_compare_lengths() -> Patched:
    """The longer log wins, whatever the epoch of its end."""

    def longer(theirs: Any, ours: Any) -> bool:
        return bool(theirs.offset >= ours.offset)

    return replaced(vote, "is_up_to_date", longer)


def cut_where_the_leader_says() -> Patched:
    """A follower that parts cuts at the leader's end of an epoch that it may not have itself."""

    def point(log: LogView, diverging: Any) -> int:
        return int(min(diverging.offset, log.end))

    return replaced(LogView, "truncation_point", point)


def snapshot_loses_a_record() -> Patched:
    """The last record of a snapshot is not loaded."""
    honest = Filling.filled

    def lossy(filling: Filling, records: int) -> MetadataState:
        quotas = filling.tables.quotas
        for entity in quotas.keys()[-1:]:
            quotas.remove(entity)
        return honest(filling, records)

    return replaced(Filling, "filled", lossy)


def uncommitted_state_stays() -> Patched:
    """Who loses the leadership keeps what was never committed (KAFKA-13104)."""

    def keep(state: MetadataState) -> None:
        state._candidates.clear()

    return replaced(MetadataState, "revert_to_stable", keep)


def replies_before_the_commit() -> Patched:
    """A client is answered at the next move of the watermark, whose ever it is."""

    def waiting(offset: int, asker: Any, reply: object) -> PendingReply:
        return PendingReply(0, asker, reply)

    return replaced(core, "PendingReply", waiting)


def active_before_the_log_is_read() -> Patched:
    """The controller takes over before it has applied what earlier leaders committed."""

    def activate(one: Any) -> bool:
        if one.driver.active_from is not None:
            one.driver.activate(one.log.end_offset)
        return False

    return replaced(applier.Applier, "_activate", activate)


def parked_fetches_are_not_woken() -> Patched:
    """A write waits for the next fetch, and one that is parked is not answered any more."""

    def asleep(replica: Any, now: int, out: list[Any], **_: bool) -> None:
        return None

    def parked(replica: Any, now: int, out: list[Any]) -> None:
        replica.parked.take_all()

    return all_of(
        replaced_in((append, commit), "wake_parked", asleep),
        mock.patch.dict(time._FIRED, {time.PARKED: parked}),
    )


@frozen
class Planted:
    """A mutant, the first seed of ``SECONDS`` that broke with it, and the rule that it broke.

    ``storm`` names where the scenarios come from (``storms.STORMS``).
    """

    name: str
    mutant: Mutant
    seed: int
    rule: str
    storm: str = "swarm"


SECONDS = 10
"""How long the runs are in which mutants are hunted."""

NODE = "a node stops only for its disk"
READ = "reads show what is committed"
ON_DISKS = "what is committed is on a majority of disks"
SAVED = "quorum state is not behind what was said"
NAMED = "no epoch is named before it is saved"
FETCH = "a fetch promises what is below it"
EQUAL = "states are equal at equal offsets"
COMMITTED = "snapshots cover only what is committed"
MAJORITY = "a majority elects a leader"

MUTANTS: tuple[Planted, ...] = (
    Planted("answer before sync", shared.answer_before_sync, 0, NAMED),
    Planted("unsynced leader", shared.leader_counts_accepted_end, 10, ON_DISKS),
    Planted("restarted leader", shared.restarted_leader_resumes, 0, NODE),
    Planted("early fetch", shared.follower_fetches_before_sync, 0, FETCH),
    Planted("log ignored", shared.vote_ignores_the_log, 0, "votes go to good logs"),
    Planted("vote not saved", shared.vote_is_not_saved, 4, "one vote in an epoch"),
    Planted("older epochs", shared.older_epochs_are_counted, 0, NODE),
    Planted("stale vote file", vote_file_is_stale, 0, SAVED),
    Planted("vote file not synced", vote_file_is_not_synced, 0, SAVED),
    Planted("quorum-state not read", quorum_state_is_not_read, 0, SAVED),
    Planted("cut below the watermark", cut_below_the_watermark, 1, NODE),
    Planted("committed voters", voters_are_read_from_committed_records, 0, NODE, "reshuffles"),
    Planted("vote forgotten", vote_is_forgotten, 15, "one vote in an epoch", "duels"),
    Planted("no jitter", no_jitter, 6, MAJORITY),
    Planted("haste", haste_without_end, 157, MAJORITY),
    Planted("observers counted", observers_are_counted, 2, ON_DISKS),
    Planted("no check quorum", leader_never_gives_up, 1, "a leader without a majority resigns"),
    Planted("applied unchecked", applied_without_a_checksum, 9, NODE),
    Planted("fetched unchecked", fetched_without_a_checksum, 4, "logs match"),
    Planted("log not synced", log_is_not_synced, 0, "recovery keeps what was synced"),
    Planted("length of logs", votes_compare_lengths, 0, "votes go to good logs"),
    Planted("divergence not seen", shared.follower_trusts_any_place, 1, "logs match"),
    Planted("wrong cut", cut_where_the_leader_says, 425, MAJORITY),
    Planted("snapshot short", snapshot_loses_a_record, 2, "a snapshot equals the replay"),
    Planted("uncommitted state", uncommitted_state_stays, 1, READ),
    Planted("early reply", replies_before_the_commit, 3, "acknowledged writes are kept"),
    Planted("early controller", active_before_the_log_is_read, 0, EQUAL),
    Planted("nobody woken", parked_fetches_are_not_woken, 8, "a fresh write commits"),
    Planted(
        "two voter changes at once",
        shared.two_changes_at_once,
        0,
        "one voter change at a time",
        "reshuffles",
    ),
    Planted(
        "voters not rewound",
        shared.voters_are_not_taken_back,
        11,
        "everybody catches up",
        "reshuffles",
    ),
    *(Planted(*one, "laggards") for one in SNAPSHOT_MUTANTS),
    *(Planted(*one, "fleets") for one in BROKER_MUTANTS),
    # Where nodes lag, a commit hardly ever leaves anything uncommitted behind.
    Planted("snapshot of the uncommitted", snapshot_of_what_is_not_committed, 9, COMMITTED),
)
