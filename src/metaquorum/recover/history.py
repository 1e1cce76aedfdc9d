"""Which history a recovery goes on with, out of which replicas it is put together, and its proofs.

Of a majority of voters the one whose log ends last, by epoch first and then by offset, has every
record that was ever committed (Raft, leader completeness). Of fewer it is the best guess, once
records are left out that contradict a proof of what was committed. What is broken in it is taken
from others, where log matching proves that they have the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import evolve, frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.quorum.types import ZERO_SNAPSHOT
from metaquorum.recover.survey import Committed, SnapshotSeen, Stretch, Survey


@frozen
class Piece:
    """Offsets ``start`` up to ``end``, to be read from the log of survey number ``survey``."""

    survey: int
    start: Offset
    end: Offset


@frozen
class Base:
    """A snapshot that the history begins with, and the survey whose directory has it."""

    survey: int
    seen: SnapshotSeen


@frozen
class History:
    """A history that can be written: a snapshot or nothing, then pieces without a gap.

    ``runs`` are the epochs of the pieces with their starts. ``kept_from_damage`` is None where
    nothing of the best log is unreadable; else the offset from which on something of it is missing,
    and the end may be that of a batch before ``end``. ``proven_below_damage`` is how far below the
    damage it was committed, by what stands behind the damage.
    """

    end: OffsetAndEpoch
    base: Base | None
    pieces: tuple[Piece, ...]
    runs: tuple[tuple[Epoch, Offset], ...]
    kept_from_damage: Offset | None = None
    proven_below_damage: Offset = 0

    @property
    def start(self) -> Offset:
        """The first offset that is written to the log."""
        if self.pieces:
            return self.pieces[0].start
        return self.end.offset

    def epoch_at(self, offset: Offset) -> Epoch | None:
        """The epoch of the record at ``offset``; None below the log, and beyond its end."""
        if offset >= self.end.offset:
            return None
        if self.base is not None and offset == self.base.seen.snapshot.offset - 1:
            return self.base.seen.snapshot.epoch
        found = [epoch for epoch, start in self.runs if start <= offset]
        return found[-1] if found else None

    def holds(self, end: Offset, epoch: Epoch) -> bool:
        """Whether a record of ``epoch`` at ``end`` - 1 is in this history."""
        known = self.epoch_at(end - 1)
        if known is not None:
            return known == epoch
        return end <= self.start and epoch <= self.end.epoch


def best_history(surveys: Sequence[Survey]) -> History:
    """The history that keeps all that can be kept; OperatorError where there is none at all."""
    if not any(one.end > ZERO_SNAPSHOT for one in surveys):
        raise OperatorError("none of the surveys has a single record of the metadata log")
    broken: Offset | None = None
    proven = 0
    left = _consistent(surveys)
    while True:
        found = _assembled(left)
        if isinstance(found, History):
            return evolve(found, kept_from_damage=broken, proven_below_damage=proven)
        # What lies above the gap cannot be reached: go on with what lies below it.
        broken = found.known_below if broken is None else min(broken, found.known_below)
        if broken == found.known_below:
            proven = found.proven_below
        left = [_below_gap(one, left[found.owner], found) for one in left]
        if not any(one.end > ZERO_SNAPSHOT for one in left):
            raise OperatorError(
                f"nothing below offset {found.at} can be read on any replica, and no snapshot "
                "reaches so far: survey more disks, those of brokers too"
            )


@frozen
class _Gap:
    """Nothing has what should be before ``at``; all below ``known_below`` is known to be right.

    What is below ``proven_below`` was committed too.
    """

    at: Offset
    owner: int
    known_below: Offset
    proven_below: Offset


def _consistent(surveys: Sequence[Survey]) -> list[Survey]:
    """The surveys without records that cannot be in the history of what was committed.

    OperatorError where two of them prove two such histories.
    """
    left = list(surveys)
    proofs = [(one, proof) for one in surveys for proof in one.committed]
    for teller, proof in proofs:
        for at, one in enumerate(left):
            end = _contradicted_from(one, proof)
            if end is None:
                continue
            for own in surveys[at].committed:
                if own.end > end:
                    raise OperatorError(
                        f"{one.name} has records from offset {end} on that were committed "
                        f"({own.why}), and they are not those that were committed by "
                        f"{teller.name} ({proof.why}): one of the two was forced to lead before, "
                        "or they are of two clusters. Leave one of them out"
                    )
            left[at] = cut_at(one, end)
    return left


def _contradicted_from(survey: Survey, proof: Committed) -> Offset | None:
    """The first offset of records that cannot stand below a proof: of a later epoch, or another
    last one. None if there are none.
    """
    for stretch in survey.stretches:
        for run in stretch.runs:
            if run.epoch > proof.epoch and run.start < proof.end:
                return run.start
    epoch = survey.epoch_at(proof.end - 1)
    return proof.end - 1 if epoch is not None and epoch != proof.epoch else None


def _below_gap(survey: Survey, owner: Survey, gap: _Gap) -> Survey:
    """What of a survey can follow what the owner has below the gap."""
    known = gap.known_below
    if known == 0 or survey.epoch_at(known - 1) == owner.epoch_at(known - 1):
        return cut_at(survey, gap.at)
    common = 0
    for stretch in survey.stretches:
        for run in stretch.runs:
            for end in _ends_within(run.start, min(run.end, known), owner):
                if owner.epoch_at(end - 1) == run.epoch:
                    common = max(common, end)
    return evolve(cut_at(survey, common), snapshots=cut_at(survey, gap.at).snapshots)


def _ends_within(start: Offset, end: Offset, owner: Survey) -> Iterable[Offset]:
    """Ends at which a run of one epoch may leave the owner's log: its own, and the owner's."""
    if end > start:
        yield end
    for stretch in owner.stretches:
        for run in stretch.runs:
            if start < run.end < end:
                yield run.end


def _assembled(surveys: Sequence[Survey]) -> History | _Gap:
    """The log with the latest end, read downwards until a snapshot or offset 0 carries it."""
    owner = max(range(len(surveys)), key=lambda at: (surveys[at].end, -len(surveys[at].damages)))
    end = surveys[owner].end
    bases = _bases(surveys, end)
    pieces: list[Piece] = []
    runs: list[tuple[Epoch, Offset]] = []
    need = end.offset
    last = surveys[owner].stretches[-1:]
    above: Stretch | None = None
    if last and last[0].last == end:
        above = last[0]
    elif not bases or bases[-1].seen.snapshot != end:  # pragma: no cover - the end is one of both
        raise OperatorError(f"no replica shows the end {end.offset} of its own log")
    while above is not None:
        pieces.append(Piece(owner, above.start, need))
        runs[:0] = _starts(above, need)
        need = above.start
        if need == 0 or _carrying(bases, need) is not None:
            break
        following = _below(surveys, above, need)
        if following is None:
            known = _known_below(surveys[owner], need)
            proven = max((one.end for one in surveys[owner].committed), default=0)
            return _Gap(need, owner, known, min(known, proven))
        owner, above = following
    base = _carrying(bases, need)
    merged = _merged_runs(runs)
    return History(end, base, tuple(reversed(pieces)), merged)


def _bases(surveys: Sequence[Survey], end: OffsetAndEpoch) -> list[Base]:
    """Snapshots that are whole and not beyond the end, oldest first."""
    found = [
        Base(at, seen)
        for at, one in enumerate(surveys)
        for seen in one.snapshots
        if seen.is_whole and ZERO_SNAPSHOT < seen.snapshot <= end and seen.snapshot.offset > 0
    ]
    return sorted(found, key=lambda one: (one.seen.snapshot, -one.survey))


def _carrying(bases: Sequence[Base], start: Offset) -> Base | None:
    """The newest snapshot, if the log from ``start`` on continues it."""
    if bases and bases[-1].seen.snapshot.offset >= start:
        return bases[-1]
    return None


def _below(surveys: Sequence[Survey], above: Stretch, need: Offset) -> tuple[int, Stretch] | None:
    """Who has, in the same history, what comes before ``need``: the one that reaches furthest.

    A record of one epoch at one offset in both proves it, or that ``need`` does not begin an epoch:
    then what comes before it is of the same epoch.
    """
    epoch = above.runs[0].epoch
    found: list[tuple[Offset, int, Stretch]] = []
    for at, one in enumerate(surveys):
        for stretch in one.stretches:
            if not stretch.start < need <= stretch.end:
                continue
            overlaps = stretch.epoch_at(need) == epoch
            adjoins = not above.runs[0].begins and stretch.epoch_at(need - 1) == epoch
            if overlaps or adjoins:
                found.append((stretch.start, at, stretch))
    if not found:
        return None
    _, at, stretch = min(found, key=lambda one: one[:2])
    return at, stretch


def _known_below(owner: Survey, at: Offset) -> Offset:
    """Up to where the owner's own log, below a gap at ``at``, can be read."""
    return max((one.end for one in owner.stretches if one.end <= at), default=0)


def _starts(stretch: Stretch, end: Offset) -> list[tuple[Epoch, Offset]]:
    return [(run.epoch, run.start) for run in stretch.runs if run.start < end]


def _merged_runs(runs: Sequence[tuple[Epoch, Offset]]) -> tuple[tuple[Epoch, Offset], ...]:
    merged: list[tuple[Epoch, Offset]] = []
    for epoch, start in runs:
        if not merged or merged[-1][0] != epoch:
            merged.append((epoch, start))
    return tuple(merged)


def cut_at(survey: Survey, end: Offset) -> Survey:
    """The survey as if its disk had nothing from ``end`` on."""
    stretches = [left for one in survey.stretches if (left := one.cut(end)) is not None]
    snapshots = tuple(one for one in survey.snapshots if one.snapshot.offset <= end)
    return evolve(survey, stretches=tuple(stretches), snapshots=snapshots)


def proven_committed(history: History, surveys: Iterable[Survey]) -> Committed:
    """The largest offset up to which the history is known to have been committed, and why."""
    best = Committed(0, 0, "nothing on the disks proves more")
    for survey in surveys:
        for one in survey.committed:
            is_within = best.end < one.end <= history.end.offset
            if is_within and history.holds(one.end, one.epoch):
                best = one
    if history.proven_below_damage > best.end:
        why = "later records of the same log, behind what is broken, prove it"
        best = Committed(history.proven_below_damage, best.epoch, why)
    return best


@frozen
class Parting:
    """Where a replica's log leaves the history: its records from ``at`` up to ``end`` differ.

    With ``at`` equal to ``end`` the replica is only behind.
    """

    at: Offset
    end: Offset


def parting(history: History, survey: Survey) -> Parting:
    """Where the two part, by the last record that they have in common."""
    end = survey.end.offset
    common = 0
    for stretch in survey.stretches:
        for run in stretch.runs:
            for offset in _places(history, run.start, run.end):
                if history.holds(offset, run.epoch):
                    common = max(common, offset)
    for one in survey.snapshots:
        if one.is_whole and history.holds(one.snapshot.offset, one.snapshot.epoch):
            common = max(common, one.snapshot.offset)
    return Parting(common, end)


def _places(history: History, start: Offset, end: Offset) -> Iterable[Offset]:
    """Ends that decide: the run's own, and where an epoch of the history ends inside of it."""
    yield min(end, history.end.offset)
    for _, begin in history.runs:
        if start < begin <= end:
            yield begin


def same_epoch_difference(surveys: Sequence[Survey]) -> tuple[int, int, Offset] | None:
    """Two surveys whose records of one epoch and the same offsets have other checksums, and where.

    Their disks are of two clusters, or somebody forced one of them to lead.
    """
    seen: dict[tuple[Epoch, Offset, Offset], tuple[int, int]] = {}
    for at, survey in enumerate(surveys):
        for stretch in survey.stretches:
            for run in stretch.runs:
                key = (run.epoch, run.start, run.end)
                other = seen.setdefault(key, (run.crc, at))
                if run.crc and other[0] and other[0] != run.crc:
                    return other[1], at, run.start
    return None
