"""PyPy for servers: found, or fetched, and made into the environment ``.venv-pypy``.

    python -m tools.pypy        prints the command that runs our servers on PyPy

A PyPy of Python 3.11 or newer that is on the path is taken; ``PYPY=...`` names another one. Where
there is none and the machine is a Debian, the packages of the release to come are fetched from the
archive that the machine's own sources name, by apt, which checks their signatures. They are
unpacked beside everything else, nothing is installed. Their C library is newer than the machine's,
so it comes with them, and the interpreter finds it by a setting. docs/decisions/187 says why PyPy.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.debian import PackagesMissing, alone, ran, unpacked

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv-pypy"
SUITE = "testing"
PACKAGES = ("pypy3", "pypy3-dev", "patchelf")  # headers: crc32c is compiled
NAMES = ("pypy3.11", "pypy3", "pypy")
# What a server needs of it: PyPy 7.3.19 has no pwritev.
PROBE = (
    "import os, sys; os.pwritev; sys.exit(sys.version_info < (3, 11) or 'PyPy' not in sys.version)"
)
# What PyPy reads from its environment before any of our code could say it.
LAUNCHER = """\
#!/bin/sh
# Objects are made in 128 MiB, of which what is still needed is then moved out; with little room
# that is often, and much is needed still. Below 256 MiB nothing that was moved is looked at again,
# and then 8 MiB at a time: by itself it would be four times what objects are made in, in one pause.
export PYPY_GC_NURSERY="${{PYPY_GC_NURSERY:-128M}}" PYPY_GC_MIN="${{PYPY_GC_MIN:-256M}}"
export PYPY_GC_INCREMENT_STEP="${{PYPY_GC_INCREMENT_STEP:-8M}}"
# Who makes objects walks through all of that room again and again, and has to look up where each
# page of 4 KiB is: pages of 2 MiB, where the system gives them to who asks.
export GLIBC_TUNABLES="${{GLIBC_TUNABLES:-glibc.malloc.hugetlb=1}}"
exec '{python}' '{script}' "$@"
"""


def command() -> Path:
    """The ``metaquorum`` that runs on PyPy, made the first time; one process at a time makes it.

    Raises PackagesMissing.
    """
    made = ENVIRONMENT / "bin/metaquorum"
    mark = ENVIRONMENT / ".installed"
    (ROOT / "build").mkdir(exist_ok=True)
    with alone(ROOT / "build/pypy.lock"):
        if not is_newer(mark, ROOT / "pyproject.toml", Path(__file__)):
            _make_environment(found() or fetched())
            mark.touch()
    return made


def is_newer(mark: Path, *sources: Path) -> bool:
    """Whether the mark is there, and none of these files was written after it."""
    return mark.exists() and all(
        mark.stat().st_mtime >= source.stat().st_mtime for source in sources
    )


def found() -> Path | None:
    """The PyPy that is named, or on the path; None without one that is new enough."""
    named = os.environ.get("PYPY")
    if named:
        if not _is_new_enough(named):
            raise PackagesMissing(
                f"PYPY={named} is no PyPy of Python 3.11 or newer with os.pwritev"
            )
        return Path(named)
    for name in NAMES:
        path = shutil.which(name)
        if path is not None and _is_new_enough(path):
            return Path(path)
    return None


def fetched() -> Path:
    """Debian's, unpacked in ``build/debian``."""
    root = unpacked("pypy", PACKAGES, SUITE)
    executable = (root / "usr/bin/pypy3").resolve()
    _point_at_its_libraries(executable, root)
    if not _is_new_enough(str(executable)):
        raise PackagesMissing(f"PyPy of Debian's {SUITE} does not run here, or is too old")
    return executable


def _point_at_its_libraries(executable: Path, root: Path) -> None:
    """By absolute path, as an environment of Python's has it: who moves the tree does it again."""
    loader = next(root.glob("usr/lib/*/ld-linux-*.so.*"), None)
    if loader is None:
        raise PackagesMissing(f"no loader among the packages in {root}")
    beside = str(loader.parent)
    patchelf: list[str | Path] = [loader, "--library-path", beside, root / "usr/bin/patchelf"]
    ran(
        [*patchelf, "--set-interpreter", loader, "--force-rpath", "--set-rpath", beside, executable]
    )


def _make_environment(python: Path) -> None:
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    own = ENVIRONMENT / "bin/python"
    ran([python, "-m", "venv", "--without-pip", ENVIRONMENT])
    pip = [sys.executable, "-m", "pip", "--python", str(own), "--disable-pip-version-check"]
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


if __name__ == "__main__":
    try:
        print(command())
    except PackagesMissing as error:
        sys.exit(str(error))
