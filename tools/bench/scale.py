"""A million partitions on a hundred brokers: our controller beside Kafka's, in turns.

Both load the same state, written by tools/large_state.py: once as a log and once as a snapshot.
Brokers are faked, and one and the same client plays them for both systems. One round is

  ready       process start to the first topic created, from the log and from the snapshot; memory
  serve       a broker is fenced, unfenced and let into its ISRs; topics come and go; all brokers
              but two are rolled one after the other; what others wait meanwhile
  heartbeat   what a heartbeat costs where a thousand brokers beat
  fail-over   three controllers: kill -9 of the active one to the first topic created

Who waits meanwhile is one process that beats, fetches and validates a topic in turn, with a control
beside it: what the machine takes from everybody shows there ("the machine's own").

Kafka's controller has the flags of its own start script, and the heap of --kafka-heap-mib.

examples:
  python tools/bench/scale.py                                 all of it; an hour and more
  python tools/bench/scale.py --only ready --rounds 5
  python tools/bench/scale.py --only serve --roll 10 -o json
  python tools/bench/scale.py --topics 1000 --brokers 10 --many-brokers 50 --ours-only
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from attrs import evolve, frozen

from tools.bench.rounds import Goal, Round, show, verdicts
from tools.bench.scale_failover import fail_overs
from tools.bench.scale_fleet import Fleet, Partitions
from tools.bench.scale_measures import heartbeats, serving
from tools.bench.scale_systems import FORMS, LOG, SNAPSHOT, kafka_flags, prepared
from tools.bench.topics_systems import KAFKA, OURS, System
from tools.bench.watched import Figures
from tools.kafka import java_available
from tools.large_state import LargeState, arguments, chosen_state

ROUNDS = 3
PARTS = ("ready", "serve", "heartbeat", "fail-over")
HEAP_MIB = 3_072
MANY_BROKERS = 1_000
TOPICS_OF_MANY_BROKERS = 100
WIDE = 5_000
FAILOVER_PARTITIONS, FAILOVERS = 100_000, 5
WAIT_MS, FAILOVER_MS = 50.0, 300.0
NOT_ROLLED = 2  # the one that was fenced, and the one that beats meanwhile

GOALS = (
    Goal("ready from", 0.8, KAFKA.name),
    Goal("memory", 0.5, KAFKA.name),
    Goal("fence, s", 1.0, KAFKA.name),
    Goal("roll, s", 1.0, KAFKA.name),
    Goal("longest wait at fence", WAIT_MS),
    Goal("longest wait at roll", WAIT_MS),
    Goal("fail-over", FAILOVER_MS),
)


@frozen
class Chosen:
    """What is measured, and how large."""

    state: LargeState
    parts: tuple[str, ...]
    rolled: int
    many_brokers: int
    wide: int
    failover_partitions: int
    failovers: int
    heap_mib: int
    scratch: Path


def main(words: list[str]) -> int:
    about = (__doc__ or "").split("\n\n")
    parser = argparse.ArgumentParser(
        description=about[0],
        epilog="\n\n".join(about[1:]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-o", "--output", choices=["table", "json"], default="table")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--only", choices=PARTS, action="append", help="this part of a round")
    parser.add_argument("--ours-only", action="store_true", help="leave Kafka out")
    parser.add_argument("--roll", type=int, help="so many brokers; all but two by default")
    parser.add_argument("--many-brokers", type=int, default=MANY_BROKERS, help="that beat")
    parser.add_argument("--wide", type=int, default=WIDE, help="partitions of one large topic")
    parser.add_argument("--failover-partitions", type=int, default=FAILOVER_PARTITIONS)
    parser.add_argument("--failovers", type=int, default=FAILOVERS, help="in each round")
    parser.add_argument("--kafka-heap-mib", type=int, default=HEAP_MIB)
    parser.add_argument("--scratch", type=Path, help="where the directories are made")
    arguments(parser)
    asked = parser.parse_args(words)
    state = chosen_state(asked)
    systems = [OURS, KAFKA]
    why_no_kafka = "it was left out" if asked.ours_only else java_available()
    if why_no_kafka is not None:
        tell(f"Kafka is not measured: {why_no_kafka}")
        systems = [OURS]
    most = state.brokers - NOT_ROLLED
    rolled = most if asked.roll is None else asked.roll
    if state.replication < 2 or not 0 <= rolled <= most or asked.rounds < 1:
        parser.error(f"two replicas at least, at most {most} brokers to roll, and a round at least")
    with tempfile.TemporaryDirectory(prefix="metaquorum-scale-", dir=asked.scratch) as scratch:
        chosen = Chosen(
            *(state, tuple(asked.only or PARTS), rolled, asked.many_brokers, asked.wide),
            *(asked.failover_partitions, asked.failovers, asked.kafka_heap_mib, Path(scratch)),
        )
        rounds = in_turns(systems, chosen, asked.rounds)
    if asked.output == "json":
        found = verdicts(rounds, OURS.name, GOALS)
        print(json.dumps({"rounds": rounds, "goals": found}, indent=2))
    else:
        show(rounds, [one.name for one in systems], OURS.name, GOALS)
    return 0


def in_turns(systems: list[System], chosen: Chosen, rounds: int) -> list[Round]:
    """So many rounds of each system, the systems by turns."""
    found: list[Round] = []
    for number in range(1, rounds + 1):
        this: Round = {}
        for system in systems:
            this[system.name] = one_round(system, chosen)
            tell(f"round {number} of {rounds}, {system.name}: {json.dumps(this[system.name])}")
        found.append(this)
    return found


def one_round(system: System, chosen: Chosen) -> Figures:
    """All parts that were chosen, once."""
    found: Figures = {"load of the machine": os.getloadavg()[0]}
    place = chosen.scratch / system.name
    for form in FORMS:
        if form == LOG and "ready" not in chosen.parts:
            continue
        if "ready" in chosen.parts or "serve" in chosen.parts:
            found |= _loaded(system, form, place, chosen)
    if "heartbeat" in chosen.parts:
        state = evolve(chosen.state, topics=TOPICS_OF_MANY_BROKERS, brokers=chosen.many_brokers)
        with prepared(system, SNAPSHOT, place, state, chosen.heap_mib).started() as (one, _):
            tell(f"{system.name}: {state.brokers} brokers beat")
            found |= heartbeats(one, state)
        shutil.rmtree(place)
    if "fail-over" in chosen.parts:
        tell(f"{system.name}: fail-over")
        flags = kafka_flags(chosen.heap_mib)
        found |= fail_overs(system, place, chosen.failover_partitions, flags, chosen.failovers)
        shutil.rmtree(place)
    return found


def _loaded(system: System, form: str, place: Path, chosen: Chosen) -> Figures:
    """Loaded from that form: how long it took, and what is measured on it then."""
    tell(f"{system.name}: writing {form}")
    node = prepared(system, form, place, chosen.state, chosen.heap_mib)
    serves = form == SNAPSHOT and "serve" in chosen.parts
    partitions = Partitions(chosen.state) if serves else None
    tell(f"{system.name}: loading {form}")
    with node.started() as (controller, start):
        tell(f"{system.name}: {start}")
        found = {
            f"ready from {form}, s": start.ready_s,
            f"first heartbeat from {form}, s": start.heartbeat_s,
            f"processor time until ready from {form}, s": start.processor_s,
            f"memory after {form}, MiB": start.resident_mib,
        }
        if partitions is not None:
            with closing(Fleet(controller, chosen.state, partitions)) as fleet:
                found |= serving(
                    *(node, fleet, chosen.scratch, chosen.rolled, chosen.wide),
                    lambda what: tell(f"{system.name}: {what}"),
                )
    shutil.rmtree(place)
    return found


def tell(what: str) -> None:
    """Progress, with the time, beside the output."""
    print(f"{time.strftime('%H:%M:%S')} {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
