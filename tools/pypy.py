"""PyPy for servers: found, or fetched, and made into the environment ``.venv-pypy``.

    python -m tools.pypy        prints the command that runs our servers on PyPy

A PyPy of Python 3.11 or newer that is on the path is taken; ``PYPY=...`` names another one. Where
there is none and the machine is a Debian, the packages of the release to come are fetched from the
archive that the machine's own sources name, by apt, which checks their signatures. They are
unpacked beside everything else, nothing is installed. Their C library is newer than the machine's,
so it comes with them, and the interpreter is told where it is. docs/decisions/187 says why PyPy.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv-pypy"
CACHE = ROOT / "build/pypy"
SUITE = "testing"
PACKAGES = ("pypy3", "pypy3-dev", "patchelf")  # headers: crc32c is compiled
KEYRINGS = Path("/usr/share/keyrings")
TIMEOUT_S = 600
NAMES = ("pypy3.11", "pypy3", "pypy")
# What a server needs of it: PyPy 7.3.19 has no pwritev.
PROBE = (
    "import os, sys; os.pwritev; sys.exit(sys.version_info < (3, 11) or 'PyPy' not in sys.version)"
)
# What PyPy reads from its environment before any of our code could say it.
LAUNCHER = """\
#!/bin/sh
# Objects are made in 64 MiB, of which what is still needed is then moved out; with little room that
# is often, and much is needed still. Below 256 MiB nothing that was moved is looked at again.
export PYPY_GC_NURSERY="${{PYPY_GC_NURSERY:-64M}}" PYPY_GC_MIN="${{PYPY_GC_MIN:-256M}}"
exec '{python}' '{script}' "$@"
"""


class PyPyMissing(Exception):
    """PyPy cannot be had here; the message says why."""


def command() -> Path:
    """The ``metaquorum`` that runs on PyPy, made the first time; one process at a time makes it.

    Raises PyPyMissing.
    """
    made = ENVIRONMENT / "bin/metaquorum"
    is_ready = ENVIRONMENT / ".installed"
    CACHE.mkdir(parents=True, exist_ok=True)
    with _alone(CACHE / "lock"):
        project = ROOT / "pyproject.toml"
        if not is_ready.exists() or is_ready.stat().st_mtime < project.stat().st_mtime:
            _make_environment(found() or fetched())
            is_ready.touch()
    return made


def found() -> Path | None:
    """The PyPy that is named, or on the path; None without one that is new enough."""
    named = os.environ.get("PYPY")
    if named:
        if not _is_new_enough(named):
            raise PyPyMissing(f"PYPY={named} is no PyPy of Python 3.11 or newer with os.pwritev")
        return Path(named)
    for name in NAMES:
        path = shutil.which(name)
        if path is not None and _is_new_enough(path):
            return Path(path)
    return None


def fetched() -> Path:
    """Debian's, unpacked in ``build/pypy``."""
    target = CACHE / "root"
    if not target.exists():
        if missing := [name for name in ("apt-get", "dpkg") if shutil.which(name) is None]:
            raise PyPyMissing(f"no PyPy on the path, and no Debian: {', '.join(missing)} not found")
        with tempfile.TemporaryDirectory(dir=CACHE) as scratch:
            root = Path(scratch) / "root"
            for package in _downloaded(Path(scratch)):
                ran(["dpkg", "-x", package, root])
            root.rename(target)
    executable = (target / "usr/bin/pypy3").resolve()
    _point_at_its_libraries(executable, target)
    if not _is_new_enough(str(executable)):
        raise PyPyMissing(f"{SUITE}'s PyPy does not run here, or is too old")
    return executable


def archives(told: str) -> list[str]:
    """Which archives to ask, of what ``apt-get indextargets`` tells: the machine's own ones of
    Debian, but for security updates, which the next release has not got.
    """
    rows = (line.split("\t") for line in told.splitlines())
    return list(
        dict.fromkeys(
            address
            for address, origin, component in (row for row in rows if len(row) == 3)
            if origin == "Debian" and component == "main" and "security" not in address
        )
    )


def _downloaded(scratch: Path) -> list[Path]:
    wanted = "$(REPO_URI)\t$(ORIGIN)\t$(COMPONENT)"
    told = ran(["apt-get", "indextargets", "--format", wanted, "Created-By: Packages"])
    addresses = archives(told)
    if not addresses:
        raise PyPyMissing("apt has no lists of Debian's packages: apt-get update")
    for directory in ("state/lists/partial", "cache/archives/partial", "none"):
        (scratch / directory).mkdir(parents=True)
    (scratch / "status").touch()  # as if nothing were installed: so all that it needs comes
    keyring = next(KEYRINGS.glob("debian-archive-keyring.*"), None)
    signed = f"[signed-by={keyring}] " if keyring is not None else ""
    (scratch / "sources.list").write_text(f"deb {signed}{addresses[0]} {SUITE} main\n")
    options: dict[str, str | Path] = {
        "Dir::State": scratch / "state",
        "Dir::State::status": scratch / "status",
        "Dir::Cache": scratch / "cache",
        "Dir::Etc::sourcelist": scratch / "sources.list",
        "Dir::Etc::sourceparts": scratch / "none",
        "Dir::Etc::preferencesparts": scratch / "none",
        "APT::Sandbox::User": "",  # another user could not write here
        "Acquire::Languages": "none",
        "Debug::NoLocking": "1",
    }
    apt = ["apt-get", "-qq", *(f"-o{name}={value}" for name, value in options.items())]
    ran([*apt, "update"])
    ran([*apt, "install", "--download-only", "-y", "--no-install-recommends", *PACKAGES])
    return sorted((scratch / "cache/archives").glob("*.deb"))


def _point_at_its_libraries(executable: Path, root: Path) -> None:
    """By absolute path, as an environment of Python's has it: who moves the tree does it again."""
    loader = next(root.glob("usr/lib/*/ld-linux-*.so.*"), None)
    if loader is None:
        raise PyPyMissing(f"no loader among the packages in {root}")
    beside = str(loader.parent)
    patchelf = [loader, "--library-path", beside, root / "usr/bin/patchelf"]
    ran(
        [*patchelf, "--set-interpreter", loader, "--force-rpath", "--set-rpath", beside, executable]
    )


def _make_environment(python: Path) -> None:
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    own = ENVIRONMENT / "bin/python"
    ran([python, "-m", "venv", "--without-pip", ENVIRONMENT])
    pip = [sys.executable, "-m", "pip", "--python", own, "--disable-pip-version-check"]
    ran([*pip, "install", "--quiet", "--editable", ROOT])
    launcher, script = ENVIRONMENT / "bin/metaquorum", ENVIRONMENT / "libexec/metaquorum"
    script.parent.mkdir()
    launcher.rename(script)
    launcher.write_text(LAUNCHER.format(python=own, script=script))
    launcher.chmod(0o755)
    ran([own, "-m", "compileall", "-q", ROOT / "src/metaquorum"])


def _is_new_enough(path: str) -> bool:
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run([path, "-c", PROBE], capture_output=True, timeout=60, check=False)
        return done.returncode == 0
    return False


def ran(words: Sequence[str | Path]) -> str:
    """What a program printed; PyPyMissing when it failed, with the end of what it said."""
    command = [str(word) for word in words]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise PyPyMissing(f"{command[0]} took longer than {TIMEOUT_S} s") from error
    except OSError as error:
        raise PyPyMissing(f"{command[0]} cannot run: {error.strerror}") from error
    if done.returncode != 0:
        told = (done.stderr or done.stdout).strip()[-800:]
        raise PyPyMissing(f"{' '.join(command)} failed: {told}")
    return done.stdout


@contextlib.contextmanager
def _alone(lock: Path) -> Iterator[None]:
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    try:
        print(command())
    except PyPyMissing as error:
        sys.exit(str(error))
