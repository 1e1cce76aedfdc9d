"""Topics at the controller and through a real broker: ours beside Kafka's, in turns.

One controller of each system at a time, with Kafka's default linger of 25 ms and with 0. At the
controller three fake brokers hold the replicas; through a broker one real broker of Kafka hands the
requests on. One and the same client asks all of them. Figures are medians of the rounds; ratios are
medians of each round's ratio, so that a machine that is slow for a while is slow for all.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tools.bench.rounds import Goal, Round, show, verdicts
from tools.bench.topics_at_controller import at_the_controller
from tools.bench.topics_systems import (
    KAFKA,
    KAFKA_AT_ONCE,
    OURS,
    SYSTEMS,
    System,
    through_a_broker,
)
from tools.kafka import java_available

ROUNDS = 5
TOPICS_AT_THE_CONTROLLER = 10_000
TOPICS_THROUGH_A_BROKER = 1_000
WAIT_MS, DONE_S = 50.0, 2.0

GOALS = (
    Goal("create one through", 0.35, KAFKA.name),
    Goal("change a setting through", 0.35, KAFKA.name),
    Goal("create 1000 x 10 through", 0.9, KAFKA.name),
    Goal("broker's start", 1.0, KAFKA.name),
    Goal("create one at", 0.5, KAFKA_AT_ONCE.name),
    Goal("create 10000 x 10 at", 1.0, KAFKA_AT_ONCE.name),
    Goal("memory", 0.5, KAFKA.name),
    *(Goal(f"longest wait at {what}", WAIT_MS) for what in ("fence", "unfence", "shut down")),
    *(Goal(f"{what}, s", DONE_S) for what in ("fence", "unfence", "shut down")),
)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("-o", "--output", choices=["table", "json"], default="table")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--topics", type=int, default=TOPICS_AT_THE_CONTROLLER)
    parser.add_argument("--systems", default=",".join(one.name for one in SYSTEMS))
    parser.add_argument("--only", choices=["controller", "broker"])
    chosen = parser.parse_args(arguments)
    systems = [one for one in SYSTEMS if one.name in chosen.systems.split(",")]
    why_no_java = java_available()
    if why_no_java is not None:
        print(f"{why_no_java}: our controller alone, with fake brokers", file=sys.stderr)
        systems, chosen.only = [OURS], "controller"
    rounds: list[Round] = []
    for number in range(chosen.rounds):
        rounds.append(one_round(systems, chosen.topics, chosen.only))
        print(f"round {number + 1} of {chosen.rounds} done", file=sys.stderr)
    if chosen.output == "json":
        found = verdicts(rounds, OURS.name, GOALS)
        print(json.dumps({"rounds": rounds, "goals": found}, indent=2))
    else:
        show(rounds, [one.name for one in systems], OURS.name, GOALS)
    return 0


def one_round(systems: list[System], topics: int, only: str | None) -> Round:
    """Everything once, system by system."""
    found: Round = {}
    for system in systems:
        figures: dict[str, float] = {}
        with tempfile.TemporaryDirectory(prefix="metaquorum-topics-") as scratch:
            if only != "broker":
                figures |= at_the_controller(system, Path(scratch) / "alone", topics)
            if only != "controller":
                figures |= through_a_broker(
                    system, Path(scratch) / "served", TOPICS_THROUGH_A_BROKER
                )
        found[system.name] = figures
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
