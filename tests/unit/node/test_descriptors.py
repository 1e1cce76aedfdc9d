"""The table of descriptors has its size before the first connection comes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from metaquorum.base.limits import DESCRIPTORS_AT_START

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="the size of the table is told by Linux"
)

TABLE = """
import resource, sys
from pathlib import Path
from metaquorum.node.descriptors import make_room_for_descriptors
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[1]), int(sys.argv[2])))
before = len(list(Path("/proc/self/fd").iterdir()))
make_room_for_descriptors()
assert len(list(Path("/proc/self/fd").iterdir())) == before
size = Path("/proc/self/status").read_text().split("FDSize:")[1].split()[0]
print(size, *resource.getrlimit(resource.RLIMIT_NOFILE))
"""


def table(soft: int, hard: int) -> list[int]:
    """The size of the table, and the limits, in a process that began with such limits."""
    command = [sys.executable, "-c", TABLE, str(soft), str(hard)]
    ended = subprocess.run(command, check=True, capture_output=True, text=True)
    return [int(word) for word in ended.stdout.split()]


@pytest.mark.parametrize(
    ("soft", "hard", "room", "raised"),
    [(256, 1024, 1024, 1024), (256, 20_000, DESCRIPTORS_AT_START, 20_000), (512, 512, 512, 512)],
)
def test_the_table_has_room_from_the_start(soft, hard, room, raised) -> None:
    size, *limits = table(soft, hard)
    assert size >= room
    assert limits == [raised, hard]


def test_a_process_whose_last_descriptor_is_taken_starts_all_the_same() -> None:
    taken = "import os; os.dup2(0, 63)\n" + TABLE
    command = [sys.executable, "-c", taken, "64", "64"]
    ended = subprocess.run(command, check=False, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
