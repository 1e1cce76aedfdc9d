"""What a recovery of a large directory takes: survey, plan and apply, each as the command.

    python tools/bench/recovery.py                    # a million partitions
    python tools/bench/recovery.py --topics 10000

The directory is that of the one voter of a cluster, once with all of its state in the log and once
in a snapshot, and it gets another address. Time is by the clock, memory the most that the process
had.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from attrs import frozen

from tools.bench.rounds import Goal, show
from tools.bench.scale_systems import FORMS, WRITERS
from tools.kafka.ports import LOOPBACK
from tools.large_state import arguments, chosen_state
from tools.own_node import METAQUORUM

SYSTEM = "metaquorum"
OLD_PORT, NEW_PORT = 9093, 9094  # written down and not listened on
GOAL_SURVEY_S, GOAL_APPLY_S, GOAL_MB = 20.0, 60.0, 500.0
GOALS = (
    Goal("survey, s", GOAL_SURVEY_S),
    Goal("apply, s", GOAL_APPLY_S),
    *(Goal(f"{command}, MB", GOAL_MB) for command in ("survey", "plan", "apply")),
)


@frozen
class Taken:
    """What a process took: seconds by the clock, and the most memory in megabytes."""

    seconds: float
    most_mb: float


def run(*words: str | Path) -> Taken:
    """Run ``metaquorum recover``; SystemExit with what it said if it fails."""
    command = [METAQUORUM, "recover", *words]
    began = time.perf_counter()
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(command, stdout=said, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        took_s = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            said.seek(0)
            raise SystemExit(said.read().decode(errors="replace"))
    return Taken(took_s, usage.ru_maxrss * 1024 / 1e6)


def one_directory(form: str, scratch: Path, chosen: argparse.Namespace) -> dict[str, float]:
    """Recover a directory whose state is in this form."""
    directory = scratch / "data"
    # In a process of its own: the memory of one that starts a command counts as the command's.
    writer = multiprocessing.Process(
        target=WRITERS[form],
        args=(directory, chosen_state(chosen)),
        kwargs={"host": LOOPBACK, "port": OLD_PORT},
    )
    writer.start()
    writer.join()
    survey, plan = scratch / "survey.json", scratch / "plan.json"
    voters = f"1@{LOOPBACK}:{NEW_PORT}"
    steps = (
        ("survey", ("survey", directory, "-o", survey)),
        ("plan", ("endpoints", survey, "--voters", voters, "-o", plan)),
        ("apply", ("apply", plan, "--dir", directory)),
    )
    found: dict[str, float] = {}
    for name, words in steps:
        taken = run(*words)
        found[f"{name}, s, {form}"] = taken.seconds
        found[f"{name}, MB, {form}"] = taken.most_mb
    found[f"survey's file, MB, {form}"] = survey.stat().st_size / 1e6
    return found


def main() -> None:
    """Both forms, one after the other."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=1)
    arguments(parser)
    chosen = parser.parse_args()
    rounds = []
    for number in range(chosen.rounds):
        found: dict[str, float] = {}
        for form in FORMS:
            with tempfile.TemporaryDirectory(prefix="recovery-") as scratch:
                found |= one_directory(form, Path(scratch), chosen)
        rounds.append({SYSTEM: found})
        print(f"round {number + 1} of {chosen.rounds} done", file=sys.stderr)
    show(rounds, [SYSTEM], SYSTEM, GOALS)


if __name__ == "__main__":
    main()
