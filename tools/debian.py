"""Debian packages unpacked beside everything else: nothing is installed, no daemon starts.

``apt-get download`` fetches by the machine's own sources, ``dpkg -x`` unpacks into
``build/debian``. A set of packages appears under its name only when it is complete.
"""

from __future__ import annotations

import contextlib
import fcntl
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

CACHE = Path(__file__).parents[1] / "build/debian"
TIMEOUT_S = 300
PROGRAMS = ("apt-get", "dpkg")


class PackagesMissing(Exception):
    """The packages cannot be had here; the message says why."""


def unpacked(name: str, packages: tuple[str, ...]) -> Path:
    """The directory that these packages are unpacked in, fetched the first time.

    Raises PackagesMissing: no Debian, no package lists (``apt-get update``), no network.
    """
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        raise PackagesMissing(f"{', '.join(missing)} not found: this is no Debian")
    CACHE.mkdir(parents=True, exist_ok=True)
    target = CACHE / name
    with _alone(CACHE / f"{name}.lock"):
        if not target.exists():
            with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
                _fetch(Path(scratch), packages)
                (Path(scratch) / "root").rename(target)
    return target


def _fetch(scratch: Path, packages: tuple[str, ...]) -> None:
    archives = scratch / "archives"
    archives.mkdir()
    _run(["apt-get", "download", "--quiet", *packages], archives)
    for archive in sorted(archives.glob("*.deb")):
        _run(["dpkg", "-x", str(archive), str(scratch / "root")], archives)


def _run(command: list[str], directory: Path) -> None:
    try:
        done = subprocess.run(
            command, cwd=directory, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise PackagesMissing(f"{command[0]} took longer than {TIMEOUT_S} s") from error
    if done.returncode != 0:
        raise PackagesMissing(f"{' '.join(command)} failed: {done.stderr.strip()[-500:]}")


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
