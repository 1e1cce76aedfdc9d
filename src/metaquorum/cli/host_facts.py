"""What a machine says of itself, for ``metaquorum check host``: Linux's files and a few calls."""

from __future__ import annotations

import ctypes
import os
import re
import resource
import shutil
import tempfile
import time
from pathlib import Path
from typing import Final

from attrs import frozen

PROBE_BYTES: Final = 4_096  # a commit of a few records, and a page of the file system
PROBE_SYNCS: Final = 200
PROBE_S: Final = 2.0
_TIMEX_BYTES: Final = 512  # struct timex has 208 on 64 bits
_CLOCK_ERROR: Final = 5  # TIME_ERROR of adjtimex(2): not synchronised
_OCTAL: Final = re.compile(r"\\([0-7]{3})")


class HostFacts:
    """The machine that this process runs on. None stands for what it does not tell."""

    def kernel_text(self, path: str) -> str | None:
        """The text of a file below /proc."""
        try:
            return Path(path).read_text(encoding="utf-8", errors="replace").strip()
        except OSError:
            return None

    def open_files_limit(self) -> int | None:
        """The most that a process may raise its limit to, None without a limit."""
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        return None if hard == resource.RLIM_INFINITY else hard

    def clock_is_synchronised(self) -> bool | None:
        """Whether something steers the clock of the machine, as adjtimex(2) says."""
        try:
            state = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))
        except (OSError, AttributeError):
            return None
        return None if state < 0 else state != _CLOCK_ERROR

    def file_system(self, directory: str) -> str | None:
        """The kind of file system that a directory is on, such as ``ext4``."""
        mounts = self.kernel_text("/proc/self/mountinfo")
        return None if mounts is None else file_system_of(mounts, os.path.realpath(directory))

    def free_bytes(self, directory: str) -> int:
        """What a user may still write there; OSError says why that is not known."""
        return shutil.disk_usage(directory).free

    def used_bytes(self, directory: str) -> int:
        """What the files in a directory take, not those further below; 0 without it."""
        try:
            with os.scandir(directory) as entries:
                return sum(entry.stat().st_blocks * 512 for entry in entries if entry.is_file())
        except OSError:
            return 0

    def sync_times_ms(self, directory: str) -> list[float]:
        """How long each of some appends took to reach the disk, within ``PROBE_S`` in all.

        The file has no name; it is gone with its descriptor. OSError says why there is none.
        """
        took_ms: list[float] = []
        ends = time.monotonic() + PROBE_S
        with tempfile.TemporaryFile(dir=directory, buffering=0) as file:
            while len(took_ms) < PROBE_SYNCS and (began := time.monotonic()) < ends:
                file.write(b"\0" * PROBE_BYTES)
                os.fdatasync(file.fileno())
                took_ms.append((time.monotonic() - began) * 1_000)
        return took_ms


def file_system_of(mountinfo: str, path: str) -> str | None:
    """The kind of the mount that an absolute path is below; of several the last one counts."""
    best, kind = "", None
    for line in mountinfo.splitlines():
        left, _, right = line.partition(" - ")
        fields, kinds = left.split(), right.split()
        if len(fields) < 5 or not kinds:
            continue
        point = _OCTAL.sub(lambda found: chr(int(found[1], 8)), fields[4])
        is_above = point == "/" or path == point or path.startswith(f"{point}/")
        if is_above and len(point) >= len(best):
            best, kind = point, kinds[0]
    return kind


@frozen
class PortRange:
    """The ports that connections of this machine to others begin at, but for those kept free."""

    first: int
    last: int
    reserved: str = ""

    def may_take(self, port: int) -> bool:
        """Whether a connection that goes out may have that port."""
        return self.first <= port <= self.last and not any(
            int(low) <= port <= int(high or low)
            for low, _, high in (part.partition("-") for part in self.reserved.split(",") if part)
        )
