"""``python -m metaquorum.testing.nodes --seed 7``: one run of whole nodes, and its trace."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from metaquorum.testing.nodes.run import simulate


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--runs", type=int, default=1, help="how many seeds from there on")
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=10.0, help="bad weather, virtual time")
    parser.add_argument("--snapshots", type=int, default=0, help="bytes of log between two")
    parser.add_argument("--trace", action="store_true", help="print every line, faults or not")
    given = parser.parse_args()
    bad = 0
    for seed in range(given.seed, given.seed + given.runs):
        with tempfile.TemporaryDirectory() as scratch:
            outcome = simulate(
                seed,
                Path(scratch),
                count=given.nodes,
                seconds=given.seconds,
                snapshot_bytes=given.snapshots,
            )
        if given.trace or outcome.faults:
            print(outcome.trace, end="")
        for fault in outcome.faults:
            print(f"FAULT {fault}")
        fired = ", ".join(f"{name} {count}" for name, count in sorted(outcome.fired.items()))
        print(f"seed {seed}: {outcome.acknowledged} writes acknowledged; {fired}")
        bad += bool(outcome.faults)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
