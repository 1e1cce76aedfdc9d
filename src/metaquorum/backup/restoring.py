"""A backup as the directory of a first voter: the log of the backup, then new voters.

It is written by the same code that applies a recovery, into a log directory that is empty: beside
its place, renamed when it is whole, with the identity last. Interrupted anywhere, the same command
begins anew. Records are not changed: registrations of brokers are kept, and the first leader fences
those that do not come back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from attrs import frozen

from metaquorum.backup.chain import Link, links_for, listed, read_chain
from metaquorum.backup.objects import fetch
from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import ClusterId, NodeId
from metaquorum.base.limits import LAST_EPOCH
from metaquorum.base.offsets import Offset
from metaquorum.quorum.types import Voter
from metaquorum.quorum.voters import VoterSet
from metaquorum.recover.applying import apply_plan, forget, remove, undo
from metaquorum.recover.history import best_history
from metaquorum.recover.journal import JOURNAL, Phase, read_journal
from metaquorum.recover.plan import Loss, NodePlan, Plan
from metaquorum.recover.plan import Source as LogSource
from metaquorum.recover.planning import EPOCH_STEP
from metaquorum.recover.reading import survey_directory
from metaquorum.recover.survey import Committed, DamageKind, Survey
from metaquorum.recover.voter_plan import election_on_paper, last_voters, voter_steps
from metaquorum.storage.disk import LocalDisk, beside_of
from metaquorum.storage.names import LOCK, METADATA_DIRECTORY
from metaquorum.storage.snapshot_check import checked_batches
from metaquorum.storage.tier_store import TierStore

_SPOOL: Final = re.compile(re.escape(METADATA_DIRECTORY) + r"\.[0-9a-f]{12}backup-stray")
_RESTORE: Final = "restore"
"""How the names of plans begin that restore a backup: their journal is of use to nobody else."""
_ALWAYS_THERE: Final = (LOCK, "lost+found")


@frozen(kw_only=True)
class Order:
    """What the operator wants. ``at`` is the offset of the state, None for the latest.

    ``cluster_id`` is None for that of the backup.
    """

    node_id: NodeId
    voters: tuple[Voter, ...]
    cluster_id: ClusterId | None
    at: Offset | None = None


@frozen
class Restored:
    """What was made: the state is that at ``at``, and the log ends at ``end`` with the records of
    the fresh ``epoch``. ``kraft_version`` is 0 where the voters are static.
    """

    directory: str
    cluster_id: ClusterId
    voter: Voter
    at: Offset
    end: Offset
    epoch: int
    kraft_version: int


def restore(
    disk: LocalDisk,
    store: TierStore,
    order: Order,
    log_dir: str,
    token: str,
    now_ms: Millis,
) -> Restored:
    """Make ``log_dir``, which is there and empty, that of the voter.

    The caller holds its lock. ``token`` is 12 hexadecimal digits that no run before had.
    OperatorError says why not, and leaves the directory empty; DiskFailed leaves what the same
    command clears away.
    """
    voter = next((one for one in order.voters if one.id == order.node_id), None)
    if voter is None:
        raise OperatorError(f"node {order.node_id} is none of the new voters")
    _make_empty(disk, log_dir)
    chain = read_chain(store, listed(store))
    links = links_for(chain, order.at)
    name = f"{METADATA_DIRECTORY}.{token}backup-stray"
    spool = f"{log_dir}/{name}"
    try:
        disk.make_directory(spool)
        at = _fetch(store, links, order.at, disk, spool)
        survey = survey_directory(disk, spool, now_ms)
        plan, kraft_version = _plan(survey, links, at, order, voter, token, now_ms)
        done = apply_plan(disk, plan, plan.nodes[0], log_dir, {order.node_id: spool})
    except (OperatorError, OSError):
        with suppress(OperatorError, OSError):  # the first failure is the one to tell
            _make_empty(disk, log_dir)
        raise
    remove(disk, log_dir, name)
    forget(disk, log_dir)
    assert done.end is not None
    return Restored(done.directory, plan.cluster_id, voter, at, done.end, plan.epoch, kraft_version)


def _make_empty(disk: LocalDisk, log_dir: str) -> None:
    """Clear away what an interrupted restore left; OperatorError if there is anything else."""
    entry = read_journal(disk, log_dir)
    if entry is not None and entry.plan_id.startswith(_RESTORE):
        if entry.phase is Phase.DONE:  # it was interrupted when it cleared away
            _clear(disk, log_dir)
            forget(disk, log_dir)
        else:
            undo(disk, log_dir)
    _clear(disk, log_dir)
    for name in disk.names(log_dir):
        if name not in _ALWAYS_THERE:
            raise OperatorError(
                f"{log_dir} is not empty: there is {name} in it. A backup is restored into an "
                "empty directory, and nothing was changed"
            )


def _clear(disk: LocalDisk, log_dir: str) -> None:
    """Remove what was fetched, and a journal that was never there."""
    for name in disk.names(log_dir):
        if _SPOOL.fullmatch(name):
            remove(disk, log_dir, name)
        elif f"{log_dir}/{name}" == beside_of(log_dir, JOURNAL):
            disk.unlink(f"{log_dir}/{name}")
            disk.sync_directory(log_dir)


def _fetch(
    store: TierStore, links: Sequence[Link], at: Offset | None, disk: LocalDisk, spool: str
) -> Offset:
    """The files of the state as a partition's directory; where it ends, at a batch's end."""
    base = links[0].step
    if base.snapshot_file is not None:
        path = f"{spool}/{base.snapshot_file.name}"
        fetch(store, links[0].name, base.snapshot_file, disk, path)
    end = base.start
    for link in links:
        for one in link.step.segments:
            if at is not None and one.base >= at:
                break
            path = f"{spool}/{one.file.name}"
            fetch(store, link.name, one.file, disk, path)
            end = one.end if at is None or one.end <= at else _cut(disk, path, one.base, at)
    return end


def _cut(disk: LocalDisk, path: str, base: Offset, at: Offset) -> Offset:
    """Cut a segment behind its last batch that ends at ``at`` or before; where that is."""
    end, size_bytes = base, 0
    file = disk.open(path)
    try:
        for header, _ in checked_batches(file):
            if header.next_offset > at:
                break
            end, size_bytes = header.next_offset, size_bytes + header.size_bytes
        file.truncate(size_bytes)
    finally:
        file.close()
    return end


def _plan(
    survey: Survey,
    links: Sequence[Link],
    at: Offset,
    order: Order,
    voter: Voter,
    token: str,
    now_ms: Millis,
) -> tuple[Plan, int]:
    """The plan that makes the directory; the same batches for each voter of one order."""
    for damage in survey.damages:
        if damage.kind is not DamageKind.FILE:
            raise OperatorError(f"the backup is damaged: {damage.file}: {damage.why}")
    if at == 0:
        raise OperatorError("there is not a single record before offset 0: say a later --at")
    history = best_history([survey])
    if history.end.offset != at:
        raise OperatorError(f"the backup ends at offset {history.end.offset}, and not at {at}")
    last: tuple[Voter, ...] = ()
    kraft_version = 1 if survey.voters else 0
    if kraft_version:
        last, kraft_version = last_voters([survey], history)
    epoch = survey.highest_epoch + EPOCH_STEP
    if epoch > LAST_EPOCH:
        raise OperatorError(f"epoch {epoch - EPOCH_STEP} was seen: no higher one can follow")
    voters = VoterSet(order.voters).voters
    leader_id = voters[0].id
    assert voter.key.directory_id is not None
    why = f"a backup has committed records alone, up to offset {at}"
    node = NodePlan(
        voter.id,
        voter.key.directory_id,
        None,
        history,
        True,
        election_on_paper(voter, leader_id, epoch, kraft_version, voters),
    )
    plan = Plan(
        plan_id=f"{_RESTORE}{token}",
        created_ms=max(links[-1].step.last_record_ms, 0),  # the same on each voter
        cluster_id=order.cluster_id or links[-1].step.cluster_id,
        kraft_version=kraft_version,
        epoch=epoch,
        leader_id=leader_id,
        last_voters=last,
        voters=voters,
        steps=voter_steps(last, voters) if kraft_version else (),
        sources=(LogSource("the backup", survey.directory, voter.id, survey.fingerprint, now_ms),),
        history=history,
        loss=Loss(None, why, Committed(at, history.end.epoch, why)),
        counted=(),
        others=(),
        nodes=(node,),
    )
    return plan, kraft_version
