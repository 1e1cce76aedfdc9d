"""The versions that we test with, for each Python: written by uv, from what pyproject.toml allows.

    make locks                      write locks/ anew, with the newest versions that are allowed

``locks/python-3.N.txt`` pins everything that the package and its extras for users need, in the
form of pip's constraints; ``locks/oldest.txt`` pins the lowest version of each direct dependency,
on the lowest Python. ``make check`` holds them to pyproject.toml without asking anybody
(tests/conventions/test_locks.py).
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

from tools.pythons import SUPPORTED

ROOT = Path(__file__).resolve().parents[1]
LOCKS = ROOT / "locks"
OLDEST = LOCKS / "oldest.txt"
USERS_EXTRAS = ("capture", "compression", "patterns", "report", "spark", "tier", "tls", "top")
"""What users install; the others are for work on the tree and are not pinned."""
NOT_FOR_OLDEST = ("report", "spark")
"""Their lowest versions are what Spark's own releases asked for: they move with Spark."""
HEADER = "# Written by `make locks`; pip install --constraint takes it.\n"


def lock_of(version: str) -> Path:
    """The file with the tested versions for one Python, such as ``3.13``."""
    return LOCKS / f"python-{version}.txt"


def requirements(extras: Sequence[str]) -> list[str]:
    """What pyproject.toml asks for: the package itself, and these extras."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    return [*project["dependencies"], *(row for name in extras for row in optional[name])]


def compiled(version: str, *options: str, extras: Sequence[str] = USERS_EXTRAS) -> str:
    """What uv pins for that Python; SystemExit with its message when nothing fits."""
    command = [
        *(sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-header"),
        *("--no-emit-index-url", "--no-emit-find-links", "--no-annotate", "--upgrade"),
        *("--python-version", version, "--python-platform", "linux", *options, "-"),
    ]
    asked = "\n".join(requirements(extras))
    done = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"uv cannot pin for Python {version}: {done.stderr.strip()}")
    return HEADER + done.stdout


def main() -> None:
    """Write every lock."""
    LOCKS.mkdir(exist_ok=True)
    for version in SUPPORTED:
        lock_of(version).write_text(compiled(version), encoding="utf-8")
        print(lock_of(version).relative_to(ROOT))
    kept = [name for name in USERS_EXTRAS if name not in NOT_FOR_OLDEST]
    oldest = compiled(SUPPORTED[0], "--resolution", "lowest-direct", extras=kept)
    OLDEST.write_text(oldest, encoding="utf-8")
    print(OLDEST.relative_to(ROOT))


if __name__ == "__main__":
    main()
