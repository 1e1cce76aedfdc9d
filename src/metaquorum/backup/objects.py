"""Objects of a store as files of a disk, their checksums compared."""

from __future__ import annotations

from attrs import define

from metaquorum.backup.manifest import Object, key_of
from metaquorum.base.errors import OperatorError
from metaquorum.storage.disk import Disk, File
from metaquorum.storage.tier_store import TierStore


class BadObject(OperatorError):
    """An object that is not what was backed up; the message names it and says why."""


@define
class _Appending:
    """A file as something that takes bytes, no more of them than there are to be."""

    file: File
    left_bytes: int
    place: str

    def write(self, data: bytes, /) -> object:
        """Append all of ``data``; BadObject beyond the size that the manifest tells."""
        self.left_bytes -= len(data)
        if self.left_bytes < 0:
            raise BadObject(f"{self.place} is longer than what was backed up")
        self.file.append([data])
        return None


def fetch(store: TierStore, step: str, wanted: Object, disk: Disk, path: str) -> None:
    """Write an object to ``path``, which is not there yet.

    Raises BadObject, StoreFailed and DiskFailed, and leaves no file then.
    """
    key = key_of(step, wanted.name)
    place = f"{store.uri}: {key}"
    file = disk.open(path, create=True)
    try:
        sink = _Appending(file, wanted.size_bytes, place)
        digest = store.copy_to(key, sink)
        if sink.left_bytes:
            raise BadObject(
                f"{place} has {wanted.size_bytes - sink.left_bytes} bytes, {wanted.size_bytes} "
                "were backed up"
            )
        if digest != wanted.sha256:
            raise BadObject(f"{place} has another checksum than what was backed up")
    except BaseException:
        file.close()
        disk.unlink(path)
        raise
    file.close()
