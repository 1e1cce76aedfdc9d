"""What a crash takes of a simulated disk: one drawn by chance, or every one there can be.

Of what is not synced a crash keeps any prefix, in the order of the calls, and may tear the first
write that it takes. Files and directories need not agree: names may last without the bytes, and
bytes without their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from attrs import frozen

from metaquorum.testing.sim.files import Op, SimFiles, Unsynced, Write


@frozen
class Loss:
    """What a crash takes back, first to last; ``kept_bytes`` of the first of it are there."""

    story: str
    lost: Sequence[Unsynced]
    kept_bytes: int = 0

    def happen(self, files: SimFiles) -> None:
        """Take it back; what is left lasts."""
        self._take(files)
        files.unsynced = []

    def files_left(self, files: SimFiles) -> dict[str, bytes]:
        """The files that a crash would leave; the disk stays as it is."""
        torn = self._take(files)
        left = files.files()
        if torn is not None:
            torn.take_back()
        for one in self.lost:
            one.op.apply(files)
        return left

    def _take(self, files: SimFiles) -> Unsynced | None:
        """Take it back, but for the bytes of its first write that were kept."""
        for one in reversed(self.lost):
            one.take_back()
        if not self.kept_bytes:
            return None
        torn = self.lost[0].op
        assert isinstance(torn, Write)
        kept = Write(torn.inode, torn.position, torn.data[: self.kept_bytes])
        return Unsynced(kept, kept.apply(files))


def drawn_loss(unsynced: Sequence[Unsynced], random: Random) -> Loss:
    """One of the losses."""
    draw = random.randrange(8)
    if draw < 2:
        return _loss_of_kind(unsynced, naming=draw == 1)
    kept = random.randrange(len(unsynced) + 1)
    torn = unsynced[kept].op if kept < len(unsynced) else None
    if draw < 4 or not isinstance(torn, Write) or len(torn.data) < 2:
        return _loss_after(unsynced, kept)
    return _loss_after(unsynced, kept, random.randrange(1, len(torn.data)))


def losses(unsynced: Sequence[Unsynced], most_cuts: int) -> Iterator[Loss]:
    """All losses. Of more than ``most_cuts`` prefixes the shortest and the longest are tried; of
    the write behind one, nothing survives, half, or all but a byte.
    """
    cuts = range(len(unsynced) + 1)
    half = most_cuts // 2
    for kept in cuts if len(cuts) <= most_cuts else [*cuts[:half], *cuts[-half:]]:
        yield _loss_after(unsynced, kept)
        if kept < len(unsynced) and isinstance(op := unsynced[kept].op, Write):
            for kept_bytes in sorted({len(op.data) // 2, len(op.data) - 1} - {0}):
                yield _loss_after(unsynced, kept, kept_bytes)
    yield _loss_of_kind(unsynced, naming=False)
    yield _loss_of_kind(unsynced, naming=True)


def _loss_of_kind(unsynced: Sequence[Unsynced], *, naming: bool) -> Loss:
    story = "bytes survived, names did not" if naming else "names survived, bytes did not"
    return Loss(story, [one for one in unsynced if one.op.is_naming == naming])


def _loss_after(unsynced: Sequence[Unsynced], kept: int, kept_bytes: int = 0) -> Loss:
    story = f"{kept} of {len(unsynced)} unsynced operations survived"
    if kept_bytes:
        story += f", and {kept_bytes} bytes of the next"
    return Loss(story, unsynced[kept:], kept_bytes)


@frozen
class Crash:
    """What a crash left: ``done`` operations had been called, ``story`` says what survived."""

    done: int
    story: str
    files: dict[str, bytes]


def crashes(
    start: dict[str, bytes], trace: Sequence[Op], *, first: int = 0, most_cuts: int = 8
) -> Iterator[Crash]:
    """Every kind of crash at every moment of a trace that began on a disk with ``start``.

    ``first`` skips the moments before that operation, ``most_cuts`` is that of ``losses``.
    """
    files = SimFiles(keeps_trace=False)
    files.restore(start)
    for done in range(len(trace) + 1):
        if done >= first:
            seen: list[dict[str, bytes]] = []
            for loss in losses(files.unsynced, most_cuts):
                left = loss.files_left(files)
                if left not in seen:
                    seen.append(left)
                    yield Crash(done, loss.story, left)
        if done < len(trace):
            files.do(trace[done])
