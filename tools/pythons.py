"""The Pythons that we support, as far as this machine can have them.

    python -m tools.pythons     a line for each version: where it is, or why it cannot be had

One on the path or of pyenv is taken; else Debian's next release is asked, whose packages are
unpacked beside everything else (tools/debian.py).
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tools.debian import PackagesMissing, launched_by_its_loader, unpacked

SUPPORTED = ("3.11", "3.12", "3.13", "3.14")
SUITE = "testing"
PROBE = (
    "import platform, ssl, sys, venv; assert platform.python_implementation() == 'CPython'; "
    "print(*sys.version_info[:2], sep='.'); print(sys.executable)"
)
PROBE_TIMEOUT_S = 60


def python(version: str) -> Path:
    """An interpreter of that version, such as ``3.13``; PackagesMissing says why there is none."""
    for path in _candidates(version):
        if (found := _probed(path, version)) is not None:
            return found
    name = f"python{version}"
    root = unpacked(name, (name,), SUITE)
    program = (root / "usr/bin" / name).resolve()
    launched_by_its_loader(program, root)
    found = _probed(program, version)
    if found is None:
        raise PackagesMissing(f"{name} of Debian's {SUITE} does not run here")
    return found


def _candidates(version: str) -> Iterator[Path]:
    on_path = shutil.which(f"python{version}")
    if on_path is not None:
        yield Path(on_path)
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    yield from sorted(versions.glob(f"{version}.*/bin/python{version}"))


def _probed(path: Path, version: str) -> Path | None:
    """The interpreter itself, behind what a version manager puts on the path; None for another
    version, or one that cannot make environments.
    """
    try:
        done = subprocess.run(
            [path, "-I", "-c", PROBE],
            capture_output=True,
            text=True,
            timeout=PROBE_TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    output_lines = done.stdout.splitlines()
    return Path(output_lines[1]) if done.returncode == 0 and output_lines[:1] == [version] else None


def main() -> None:
    """Print where each is."""
    for version in SUPPORTED:
        try:
            print(f"{version}  {python(version)}")
        except PackagesMissing as error:
            print(f"{version}  cannot be had: {error}")


if __name__ == "__main__":
    main()
