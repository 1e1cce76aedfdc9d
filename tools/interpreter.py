"""Which Python is to be in ``.venv``: the one at hand, or a faster build of the same version.

How CPython was compiled decides how fast it runs, and nothing says so: an interpreter without
profile-guided optimisation, which is what version managers build by default,
takes up to twice as long for the same work as a distribution's. Build flags are not kept by all
of them, so those that are there do a little work, and the clock decides.

Prints the path of the chosen one; if it is not the one that runs this, says why on standard
error. Whatever may go wrong, the one that runs this is good enough.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

WORTH_IT = 0.8
"""Another is chosen that takes less than this part of the time."""
PATIENCE_S = 10
MORE_ROUNDS = 5
"""In turns, so that one bad moment of the machine does not decide."""

PROBE = """
import ensurepip, platform, sys, time, venv
class Pair:
    __slots__ = ("left", "right")
    def __init__(self, left, right):
        self.left, self.right = left, right
    def moved(self, by):
        return self.left + by
def work():
    seen, began = {}, time.process_time()
    for number in range(20000):
        pair = Pair(number, 2)
        seen[number & 1023] = pair.moved(3)
        taken = [pair, b"ab" + b"cd"]
        taken.append(int.from_bytes(taken[1][:2], "big"))
    return time.process_time() - began
told = sys.implementation.name, platform.python_version(), sys.base_prefix
print(*told, min(work() for _ in range(9)), sep="\\t")
"""


class Interpreter(NamedTuple):
    """A Python that can make environments, and the seconds that it takes for the little work."""

    path: str
    version: str
    prefix: str
    seconds: float


def candidates(own: str, path: str) -> Iterator[str]:
    """``own`` first, then whatever has the name of a Python of its version on the path."""
    yield own
    names = ("python3", f"python3.{sys.version_info.minor}")
    seen = {os.path.realpath(own)}
    for directory in (*path.split(os.pathsep), *os.defpath.split(os.pathsep)):
        for name in names:
            real = os.path.realpath(os.path.join(directory, name))
            if real not in seen and os.access(real, os.X_OK) and Path(real).is_file():
                seen.add(real)
                yield real


def probed(path: str) -> Interpreter | None:
    """How fast it is; None of what cannot make environments, or is no CPython."""
    try:
        output = subprocess.run(
            [path, "-I", "-c", PROBE],
            check=True,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        name, version, prefix, seconds = output.stdout.strip().split("\t")
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return Interpreter(path, version, prefix, float(seconds)) if name == "cpython" else None


def choose(found: Sequence[Interpreter]) -> Interpreter:
    """The first, which is the one at hand, unless another build of its version is far faster."""
    own = found[0]
    release = own.version.split(".")[:2]
    others = [
        one
        for one in found[1:]
        if one.version.split(".")[:2] == release and one.prefix != own.prefix
    ]
    fastest = min(others, key=lambda one: one.seconds, default=own)
    return fastest if fastest.seconds < WORTH_IT * own.seconds else own


def main() -> int:
    """Print the path of the one to take."""
    found = [
        one for one in map(probed, candidates(sys.executable, os.environ.get("PATH", ""))) if one
    ]
    for _ in range(MORE_ROUNDS if len(found) > 1 else 0):
        found = [min(one, probed(one.path) or one, key=lambda it: it.seconds) for one in found]
    if not found or found[0].path != sys.executable:
        print(sys.executable)
        return 0
    own, chosen = found[0], choose(found)
    if chosen is not own:
        print(
            f"taking {chosen.path} ({chosen.version}): it does the same work in "
            f"{chosen.seconds / own.seconds:.0%} of the time of {own.path} ({own.version}); "
            "PYTHON=... takes another",
            file=sys.stderr,
        )
    print(chosen.path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
