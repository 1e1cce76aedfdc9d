"""Opening a log whose segments hold arbitrary bytes: a log of whole batches, or a refusal."""

from __future__ import annotations

from metaquorum.base.errors import OperatorError
from metaquorum.storage import names
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.recovery import Recovered, recover
from metaquorum.testing.fuzz.checksums import batch_bounds, with_right_checksums
from metaquorum.testing.fuzz.promise import promise, refused_file
from metaquorum.testing.sim.disk import SimDisk

WHERE = "/log"
CONFIG = LogConfig(index_interval_bytes=64, preallocate_bytes=0)
REPAIRED = 0x80
_LARGEST_OFFSET = (1 << 63) - 1


def one_input(data: bytes) -> bool:
    """A mode, then the log: its batches' checksums put right or not (128), and how many of them
    stand in the first segment before a second begins (0 for all); whether the log could be read.
    """
    if not data:
        return False
    log = with_right_checksums(data[1:]) if data[0] & REPAIRED else data[1:]
    files = _segments(log, data[0] & ~REPAIRED)
    disk = SimDisk.holding(files)
    try:
        found = recover(disk, WHERE, CONFIG)
    except OperatorError as why:
        logs = {path: content for path, content in disk.files().items() if path.endswith(".log")}
        promise(logs == files, "a log that is refused is not touched")
        return refused_file(why, WHERE)
    _check_recovered(disk, found, log)
    return found.scan.batches > 0


def _segments(log: bytes, first_batches: int) -> dict[str, bytes]:
    """The log in one segment, or in two that are named by the batches they begin with."""
    bounds = batch_bounds(log)
    first = f"{WHERE}/{names.segment_file(0, names.LOG)}"
    if not 0 < first_batches < len(bounds):
        return {first: log}
    cut = bounds[first_batches][0]
    base_offset = int.from_bytes(log[cut : cut + 8], "big") & _LARGEST_OFFSET
    second = f"{WHERE}/{names.segment_file(base_offset, names.LOG)}"
    return {first: log[:cut], second: log[cut:]} if second != first else {first: log}


def _check_recovered(disk: SimDisk, found: Recovered, log: bytes) -> None:
    kept = b"".join(segment.log.read(0, segment.log.size()) for segment in found.segments)
    promise(log.startswith(kept), "what is left of a log is its beginning")
    promise((found.report.torn is None) == (kept == log), "what is cut is told")
    offsets = [each for segment in found.segments for each in segment.headers(0, len(kept))]
    promise(len(offsets) == found.scan.batches, "every batch that was counted can be read")
    again = recover(SimDisk.holding(disk.files()), WHERE, CONFIG)
    promise(again.report.torn is None, "a second opening finds nothing torn")
    promise(not again.report.rewritten, "a second opening finds nothing to rewrite")
    promise(
        (again.scan.batches, again.scan.next_offset, again.scan.epochs)
        == (found.scan.batches, found.scan.next_offset, found.scan.epochs),
        "a second opening reads the same log",
    )
