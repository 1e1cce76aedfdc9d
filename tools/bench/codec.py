"""Our codec beside kio, kafka-python and aiokafka: seven messages by name and twenty drawn ones.

Every implementation's bytes are compared first: all must encode the same message to the same
bytes. kafka-python's engine is given our schemas for the two messages that it does not bring,
kio a class for the metadata record. aiokafka knows no flexible versions and is compared on the
older versions it has. kio decodes in Rust; its encoder is Python.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from attrs import define, field, frozen

from tools.bench.codec_drawn import drawn_cases
from tools.bench.codec_messages import Case, all_cases
from tools.bench.codec_peers import PEERS, Kio, Peer, PeerMissing

ROUNDS = 50
CELL_S = 0.005  # how long one implementation runs before it is the next one's turn
GOALS = {  # (operation, peer): (least geometric mean, least of each)
    ("encode", "kio"): (8.0, 6.0),
    ("encode", "kafka-python"): (5.0, 4.0),
    ("decode", "kafka-python"): (2.0, 1.0),
}

Job = Callable[[], Any]


@define
class Cell:
    """One implementation doing one operation on one message."""

    case: Case
    operation: str
    peer: str
    job: Job
    loops: int = 1
    seconds: list[float] = field(factory=list)

    @property
    def per_second(self) -> float:
        """Messages a second in the fastest round, the one that other work disturbed least."""
        return self.loops / min(self.seconds)


@frozen
class Ratio:
    """How many times faster than a peer."""

    group: str
    message: str
    operation: str
    peer: str
    ours_per_s: float
    peer_per_s: float

    @property
    def times(self) -> float:
        """Above one: we are faster."""
        return self.ours_per_s / self.peer_per_s


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n\n")[0],
        epilog="example: python tools/bench/codec.py --rounds 5 --only VoteRequest",
    )
    parser.add_argument("-o", "--output", choices=["table", "json"], default="table")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="turns each cell gets")
    parser.add_argument("--only", metavar="WORD", default="", help="messages with this word")
    chosen = parser.parse_args(arguments)
    peers, missing = _load_peers()
    cases = [case for case in _cases(peers) if chosen.only in case.name]
    for line in missing:
        print(line, file=sys.stderr)
    cells, checked = _prepare(cases, peers)
    _run(cells, chosen.rounds)
    ratios = _ratios(cells)
    if chosen.output == "json":
        print(json.dumps(_as_json(cells, ratios, checked), indent=2))
    else:
        _show(cells, ratios, checked)
    return 0


def _cases(peers: list[Peer]) -> list[Case]:
    """The seven, and the twenty in versions that kio knows too."""
    highest = {}
    for kio in peers:
        if isinstance(kio, Kio):
            names = [case.codec.NAME for case in drawn_cases({})]
            known = {name: kio.highest(name) for name in names}
            highest = {name: version for name, version in known.items() if version is not None}
    return [*all_cases(), *drawn_cases(highest)]


def _load_peers() -> tuple[list[Peer], list[str]]:
    found, missing = [], []
    for make in PEERS:
        try:
            found.append(make())
        except PeerMissing as why:
            missing.append(str(why))
    return found, missing


def _prepare(cases: list[Case], peers: list[Peer]) -> tuple[list[list[Cell]], int]:
    """Groups of cells that take turns, and how many byte comparisons held."""
    groups: list[list[Cell]] = []
    checked = 0
    for case in cases:
        encoded = case.codec.encode(case.message, case.version)
        if case.codec.decode(encoded, case.version) != case.message:
            raise SystemExit(f"{case.name}: our own decoder does not give back the message")
        theirs = []
        for peer in peers:
            if (jobs := peer.jobs(case, encoded)) is None:
                continue
            if (bytes_of := bytes(jobs.encode())) != encoded:
                raise SystemExit(
                    f"{case.name}: {peer.name} writes other bytes\n"
                    f"ours   {encoded.hex()}\ntheirs {bytes_of.hex()}"
                )
            checked += 1
            theirs.append((peer.name, jobs))
        for operation in ("encode", "decode"):
            ours = _ours(case, encoded, operation)
            group = [Cell(case, operation, "ours", ours)]
            group += [
                Cell(case, operation, name, getattr(jobs, operation)) for name, jobs in theirs
            ]
            groups.append(group)
    return groups, checked


def _ours(case: Case, encoded: bytes, operation: str) -> Job:
    codec, message, version = case.codec, case.message, case.version
    if operation == "encode":
        encode = codec.encode
        return lambda: encode(message, version)
    decode = codec.decode
    return lambda: decode(encoded, version)


def _run(groups: list[list[Cell]], rounds: int) -> None:
    for group in groups:
        for cell in group:
            cell.seconds = []
            cell.loops = _loops(cell.job)
    gc.collect()
    gc.freeze()  # what is loaded by now is nobody's garbage, and not looked at between turns
    for number in range(rounds):
        for group in groups:
            turn = number % len(group)
            for cell in group[turn:] + group[:turn]:
                cell.seconds.append(_time(cell.job, cell.loops))


def _loops(job: Job) -> int:
    loops = 1
    while (took := _time(job, loops)) < CELL_S / 4:
        loops *= 4
    return max(1, round(loops * CELL_S / took))


def _time(job: Job, loops: int) -> float:
    gc.collect()
    start = time.thread_time()  # ours alone: not what others took of the processor meanwhile
    for _ in range(loops):
        job()
    return time.thread_time() - start


def _ratios(groups: list[list[Cell]]) -> list[Ratio]:
    return [
        Ratio(
            cell.case.group,
            cell.case.name,
            cell.operation,
            cell.peer,
            group[0].per_second,
            cell.per_second,
        )
        for group in groups
        for cell in group[1:]
    ]


def _geometric_mean(values: list[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def _summary(ratios: list[Ratio]) -> list[dict[str, Any]]:
    """One row for each group of messages, operation and peer, with what is required of it."""
    rows = []
    for operation in ("encode", "decode"):
        for peer in dict.fromkeys(ratio.peer for ratio in ratios):
            for group in dict.fromkeys(ratio.group for ratio in ratios):
                key = (group, operation, peer)
                times = [r.times for r in ratios if (r.group, r.operation, r.peer) == key]
                if not times:
                    continue
                mean, least = _geometric_mean(times), min(times)
                mean_goal, least_goal = GOALS.get((operation, peer), (None, None))
                met = None
                if mean_goal is not None and least_goal is not None:
                    met = mean >= mean_goal and least >= least_goal
                rows.append(
                    {
                        "operation": operation,
                        "peer": peer,
                        "group": group,
                        "messages": len(times),
                        "geometric_mean": round(mean, 2),
                        "least": round(least, 2),
                        "required_geometric_mean": mean_goal,
                        "required_least": least_goal,
                        "met": met,
                    }
                )
    return rows


def _as_json(groups: list[list[Cell]], ratios: list[Ratio], checked: int) -> dict[str, Any]:
    return {
        "byte_comparisons": checked,
        "cells": [
            {
                "message": cell.case.name,
                "bytes": cell.case.size_bytes,
                "operation": cell.operation,
                "implementation": cell.peer,
                "per_second": round(cell.per_second),
            }
            for group in groups
            for cell in group
        ],
        "ratios": [
            {
                "group": ratio.group,
                "message": ratio.message,
                "operation": ratio.operation,
                "peer": ratio.peer,
                "times": round(ratio.times, 2),
            }
            for ratio in ratios
        ],
        "summary": _summary(ratios),
    }


def _show(groups: list[list[Cell]], ratios: list[Ratio], checked: int) -> None:
    print(f"{checked} encodings by others compared with ours: all equal, byte for byte\n")
    names = ["kio", "kafka-python", "aiokafka"]
    head = f"{'message':<34} {'bytes':>6}  {'ours/s':>10}" + "".join(f" {n:>16}" for n in names)
    for operation in ("encode", "decode"):
        print(f"{operation}: messages a second, and in brackets how many times faster we are")
        print(head)
        for group in groups:
            if group[0].operation != operation:
                continue
            ours = group[0]
            line = f"{ours.case.name:<34} {ours.case.size_bytes:>6}  {ours.per_second:>10,.0f}"
            for name in names:
                cell = next((cell for cell in group if cell.peer == name), None)
                shown = "-"
                if cell is not None:
                    shown = f"{cell.per_second:,.0f} ({ours.per_second / cell.per_second:.1f})"
                line += f" {shown:>16}"
            print(line)
        print()
    print(f"{'':<28} {'messages':>8} {'mean':>7} {'required':>9} {'least':>7} {'required':>9}")
    for row in _summary(ratios):
        name = f"{row['operation']}, {row['peer']}, {row['group']}"
        mean, least = row["required_geometric_mean"], row["required_least"]
        goals = ["-" if goal is None else f"{goal:g}" for goal in (mean, least)]
        word = {True: "met", False: "not met", None: ""}[row["met"]]
        print(
            f"{name:<28} {row['messages']:>8} {row['geometric_mean']:>7.2f} {goals[0]:>9} "
            f"{row['least']:>7.2f} {goals[1]:>9}  {word}".rstrip()
        )


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
