"""Debian packages unpacked beside everything else: nothing is installed, no daemon starts.

``apt-get`` fetches by the machine's own sources, or from another suite of the same archive;
``dpkg -x`` unpacks into ``build/debian``. A set of packages appears under its name only when it is
complete.
"""

from __future__ import annotations

import contextlib
import fcntl
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

CACHE = Path(__file__).parents[1] / "build/debian"
KEYRINGS = Path("/usr/share/keyrings")
TIMEOUT_S = 600
PROGRAMS = ("apt-get", "dpkg")

LAUNCHER = """\
#!/bin/sh
exec '{loader}' --library-path '{libraries}' --argv0 "$0" '{program}' "$@"
"""


class PackagesMissing(Exception):
    """The packages cannot be had here; the message says why."""


def unpacked(name: str, packages: Sequence[str], suite: str | None = None) -> Path:
    """The directory that these packages are unpacked in, fetched the first time.

    Of the machine's own release they come alone; of another ``suite`` with all that they need, down
    to the C library, as nothing of this machine may be new enough.

    Raises PackagesMissing: no Debian, no package lists (``apt-get update``), no network.
    """
    missing = [program for program in PROGRAMS if shutil.which(program) is None]
    if missing:
        raise PackagesMissing(f"{', '.join(missing)} not found: this is no Debian")
    CACHE.mkdir(parents=True, exist_ok=True)
    target = CACHE / name
    with alone(CACHE / f"{name}.lock"):
        if not target.exists():
            with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
                _fetch(Path(scratch), packages, suite)
                (Path(scratch) / "root").rename(target)
    return target


def launched_by_its_loader(program: Path, root: Path) -> None:
    """Have a program of another suite run with the C library unpacked beside it.

    A script takes its place that begins it by the loader in ``root``, and gives it the name by
    which the script was called: links to it, as environments of Python's have, go on to work.
    Absolute paths stand in it. Done twice it is done once. Raises PackagesMissing.
    """
    loader = next(root.glob("usr/lib/*/ld-linux-*.so.*"), None)
    if loader is None:
        raise PackagesMissing(f"no loader among the packages in {root}")
    moved = root / "usr/libexec" / program.name
    if moved.exists():
        return
    moved.parent.mkdir(exist_ok=True)
    shutil.copy2(program, moved)
    beside = program.with_name(f"{program.name}.launcher")
    beside.write_text(LAUNCHER.format(loader=loader, libraries=loader.parent, program=moved))
    beside.chmod(0o755)
    beside.replace(program)


def archives(output: str) -> list[str]:
    """Which archives have other suites, of what ``apt-get indextargets`` tells: the machine's own
    ones of Debian, but for security updates.
    """
    rows = [line.split("\t") for line in output.splitlines()]
    addresses = (
        address
        for address, origin, component in (row for row in rows if len(row) == 3)
        if origin == "Debian" and component == "main" and "security" not in address
    )
    return list(dict.fromkeys(addresses))


def ran(words: Sequence[str | Path], directory: Path | None = None) -> str:
    """What a program printed; PackagesMissing when it failed, with the end of what it said."""
    command = [str(word) for word in words]
    try:
        done = subprocess.run(
            command, cwd=directory, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise PackagesMissing(f"{command[0]} took longer than {TIMEOUT_S} s") from error
    except OSError as error:
        raise PackagesMissing(f"{command[0]} cannot run: {error.strerror}") from error
    if done.returncode != 0:
        output = (done.stderr or done.stdout).strip()[-800:]
        raise PackagesMissing(f"{' '.join(command)} failed: {output}")
    return done.stdout


@contextlib.contextmanager
def alone(lock: Path) -> Iterator[None]:
    """One process at a time is inside."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _fetch(scratch: Path, packages: Sequence[str], suite: str | None) -> None:
    directory = scratch / "archives"
    directory.mkdir()
    if suite is None:
        ran(["apt-get", "download", "--quiet", *packages], directory)
    else:
        _download_of(suite, packages, scratch, directory)
    for archive in sorted(directory.glob("*.deb")):
        ran(["dpkg", "-x", archive, scratch / "root"], directory)


def _download_of(suite: str, packages: Sequence[str], scratch: Path, directory: Path) -> None:
    wanted = "$(REPO_URI)\t$(ORIGIN)\t$(COMPONENT)"
    addresses = archives(
        ran(["apt-get", "indextargets", "--format", wanted, "Created-By: Packages"])
    )
    if not addresses:
        raise PackagesMissing("apt has no lists of Debian's packages: apt-get update")
    for place in ("state/lists/partial", "archives/partial", "none"):
        (scratch / place).mkdir(parents=True)
    (scratch / "status").touch()  # as if nothing were installed: so all that it needs comes
    keyring = next(KEYRINGS.glob("debian-archive-keyring.*"), None)
    signed = f"[signed-by={keyring}] " if keyring is not None else ""
    (scratch / "sources.list").write_text(f"deb {signed}{addresses[0]} {suite} main\n")
    options: dict[str, str | Path] = {
        "Dir::State": scratch / "state",
        "Dir::State::status": scratch / "status",
        "Dir::Cache": scratch,
        "Dir::Cache::archives": directory,
        "Dir::Etc::sourcelist": scratch / "sources.list",
        "Dir::Etc::sourceparts": scratch / "none",
        "Dir::Etc::preferencesparts": scratch / "none",
        "APT::Sandbox::User": "",  # another user could not write here
        "Acquire::Languages": "none",
        "Acquire::Retries": "3",
        "Debug::NoLocking": "1",
    }
    apt = ["apt-get", "-qq", *(f"-o{name}={value}" for name, value in options.items())]
    ran([*apt, "update"])
    ran([*apt, "install", "--download-only", "-y", "--no-install-recommends", *packages])
