"""``python -m tools.chaos``: run one schedule of faults against real processes and judge it."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tools.chaos.run import run


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=3, help="how many, 3 or 5 as a rule")
    parser.add_argument("--network", choices=("proxy", "namespaces"), default="proxy")
    parser.add_argument("--seed", type=int, default=None, help="drawn and printed if not given")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long faults begin")
    parser.add_argument("--directory", type=Path, default=None, help="kept; must not exist")
    given = parser.parse_args()
    seed = given.seed if given.seed is not None else random.SystemRandom().randrange(1 << 32)
    with tempfile.TemporaryDirectory() as scratch:
        outcome = run(
            given.directory or Path(scratch),
            count=given.nodes,
            kind=given.network,
            seed=seed,
            seconds=given.seconds,
        )
    for fault in outcome.faults:
        print(f"FAULT {fault}")
    print("no fault" if not outcome.faults else f"{len(outcome.faults)} faults, seed {seed}")
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    sys.exit(main())
