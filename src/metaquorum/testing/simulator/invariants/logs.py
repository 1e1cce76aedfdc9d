"""Rules of the log: what is appended, cut, synced, found again."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from metaquorum.base.offsets import Epoch, Offset
from metaquorum.testing.simulator.invariants.rule import broken, rule
from metaquorum.testing.simulator.log_mirror import Entry, LogMirror

Place = tuple[Offset, Epoch]


@rule(
    "Raft 5.3, taken over by KIP-595",
    "Two logs with a batch of one epoch at one offset are equal up to and including it.",
)
def logs_match(
    known: dict[Place, tuple[Entry, Entry | None]], entry: Entry, before: Entry | None, node: int
) -> None:
    other = known.setdefault((entry.base, entry.epoch), (entry, before))
    if other[0] != entry or (other[1] != before and None not in (other[1], before)):
        broken(logs_match, f"node {node} has {entry} after {before}; another had {other}")
    if other[1] is None and before is not None:
        known[(entry.base, entry.epoch)] = (entry, before)


@rule("KIP-595, Fetch", "A leader only ever appends to its log.")
def a_leader_never_truncates(node: int, role: str, to: Offset) -> None:
    if role == "Leader":
        broken(a_leader_never_truncates, f"node {node} leads and cuts its log at {to}")


@rule("KIP-595, Fetch; KAFKA-12460", "A follower never cuts below its high watermark.")
def nothing_below_the_watermark_is_cut(node: int, to: Offset, watermark: Offset | None) -> None:
    if watermark is not None and to < watermark:
        broken(nothing_below_the_watermark_is_cut, f"node {node}: {to} below {watermark}")


@rule("Raft 5.4", "What was committed is cut on no node that has it.")
def nothing_committed_is_cut(node: int, log: LogMirror, to: Offset, committed: LogMirror) -> None:
    for entry in log.entries[log.from_offset(to) :]:
        if committed.at(entry.base) == entry:
            broken(nothing_committed_is_cut, f"node {node} cuts {entry}, which is committed")


@rule("KIP-595, Fetch", "What is durable was accepted before.")
def durable_is_not_beyond_accepted(node: int, durable: Offset, accepted: Offset) -> None:
    if durable > accepted:
        broken(durable_is_not_beyond_accepted, f"node {node}: {durable} beyond {accepted}")


@rule(
    "KIP-595, Fetch; KAFKA-10533", "A voter fetches at an offset when its disk has what is below."
)
def a_fetch_promises_what_is_below_it(node: int, offset: Offset, durable: Offset) -> None:
    if offset > durable:
        broken(
            a_fetch_promises_what_is_below_it,
            f"node {node} fetches at {offset}, its disk ends at {durable}",
        )


@rule("KIP-595, Log", "A crash loses nothing that was synced.")
def recovery_keeps_what_was_synced(node: int, synced: LogMirror, found: LogMirror) -> None:
    for entry in synced.entries:
        if not found.holds(entry):
            broken(
                recovery_keeps_what_was_synced,
                f"node {node} had synced {entry}; after the restart its log ends at {found.end}",
            )


@rule("KIP-595, Log", "Recovery brings back only what was once written, whole and in its place.")
def recovery_invents_nothing(node: int, written: Collection[int], found: Sequence[Entry]) -> None:
    for entry in found:
        if entry.print not in written:
            broken(recovery_invents_nothing, f"node {node} found {entry}, which nobody wrote")


@rule("KIP-101, KIP-595", "The epoch file says of every epoch where the log has it begin.")
def the_epoch_file_equals_the_log(
    node: int, file: Sequence[tuple[Epoch, Offset]], log: Sequence[tuple[Epoch, Offset]]
) -> None:
    if list(file) != list(log):
        broken(the_epoch_file_equals_the_log, f"node {node}: file {file}, log {log}")


@rule("KIP-595, Leader Change", "The first batch of an epoch holds its LeaderChange record.")
def an_epoch_opens_with_a_leader_change(node: int, entry: Entry, opens: bool) -> None:
    if not opens:
        broken(an_epoch_opens_with_a_leader_change, f"node {node} begins its epoch with {entry}")


@rule("KIP-595, Fetch", "A leader appends records of its own epoch and of no other.")
def a_leader_writes_its_own_epoch(node: int, epoch: Epoch, entry: Entry) -> None:
    if entry.epoch != epoch:
        broken(a_leader_writes_its_own_epoch, f"node {node} leads {epoch} and appends {entry}")
