"""Whether a backup is whole: every manifest, every object, every batch, and the chain of them."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, frozen

from metaquorum.backup.chain import Chain, Link, Listing, listed, missing_files, read_chain
from metaquorum.backup.manifest import SegmentObject, key_of, manifest_key
from metaquorum.backup.objects import fetch
from metaquorum.backup.taking import last_batch_of
from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.storage.disk import Disk
from metaquorum.storage.names import snapshot_file
from metaquorum.storage.snapshot_check import BadSnapshot, checked_batches, verify_file
from metaquorum.storage.tier_store import StoreFailed, TierStore


@frozen
class LinkFound:
    """A step of the chain, and what is wrong with it."""

    link: Link
    problems: tuple[str, ...]


@define
class Verification:
    """``spool`` is an empty directory of this machine on ``disk``, for an object at a time.

    ``quick`` looks at manifests, names and sizes alone.
    """

    store: TierStore
    disk: Disk
    spool: str
    quick: bool = False

    def chain(self) -> tuple[Listing, Chain]:
        """The chain that the latest step ends; OperatorError where there is none."""
        listing = listed(self.store)
        return listing, read_chain(self.store, listing)

    def run(self, listing: Listing, chain: Chain) -> Iterator[LinkFound]:
        """Each step in order. Raises StoreFailed."""
        before: Link | None = None
        for link in chain.links:
            problems = list(missing_files(listing, link))
            if before is None and not link.step.is_full:
                why = chain.broken or "no step is before it"
                problems.append(f"{manifest_key(link.name)}: it cannot be restored: {why}")
            elif before is None and chain.broken:
                problems.append(chain.broken)
            if not problems and not self.quick:
                problems += self._content(link)
            before = link
            yield LinkFound(link, tuple(problems))

    def _content(self, link: Link) -> Iterator[str]:
        step = link.step
        path = f"{self.spool}/object"
        epochs: list[tuple[Epoch, Offset]] = []
        last = None
        for wanted in step.files:
            try:
                fetch(self.store, link.name, wanted, self.disk, path)
            except StoreFailed:
                raise
            except OperatorError as error:
                yield str(error)
                continue
            place = f"{self.store.uri}: {key_of(link.name, wanted.name)}"
            file = self.disk.open(path, writable=False)
            try:
                if step.snapshot is not None and wanted.name == snapshot_file(step.snapshot):
                    verify_file(file, step.snapshot)
                    continue
                (segment,) = (one for one in step.segments if one.file == wanted)
                due = segment.base
                for header, _ in checked_batches(file):
                    if header.base_offset != due:
                        yield f"{place}: a batch at offset {header.base_offset}, due is {due}"
                        break
                    if not epochs or epochs[-1][0] != header.leader_epoch:
                        epochs.append((header.leader_epoch, header.base_offset))
                    due, last = header.next_offset, last_batch_of(header)
                yield from _ends_where(place, segment, due)
            except BadSnapshot as error:
                yield f"{place}: byte {error.position}: {error.why}"
            finally:
                file.close()
                self.disk.unlink(path)
        if tuple(epochs) != step.epochs or (step.segments and last != step.last_batch):
            yield f"{manifest_key(link.name)}: its batches are of other epochs than it says"


def _ends_where(place: str, segment: SegmentObject, due: Offset) -> Iterator[str]:
    if due != segment.end:
        yield f"{place}: it ends at offset {due}, {segment.end} was backed up"
