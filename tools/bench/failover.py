"""Fail-over: from the leader's end to the first acknowledged write elsewhere, ours beside Kafka's.

Three voters each, Kafka's default time-outs, a write of client quotas straight to the controller
listeners by one and the same raw client. While the leader lives, it is written to. From the
moment of the fault on, the two others are asked in turn, every two milliseconds, and the time
until the first of them says that a write is committed is what counts: no client can see less. The
two quorums take turns, fault by fault, so that a noisy machine is noisy for both.

  killed    SIGKILL: the process dies, its connections with it
  frozen    SIGSTOP: the process stands still, its connections stay open
  cut off   nothing reaches the leader and nothing leaves it, its connections stay open
  stopped   SIGTERM: it hands over in order
"""

from __future__ import annotations

import argparse
import contextlib
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from attrs import asdict, define, field, frozen

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import ConnectionFailed
from tools.bench.failover_quorums import OURS, Quorum, kafkas_quorum, our_quorum
from tools.kafka import java_available
from tools.quota_writer import QuotaRefused, QuotaWriter

ROUNDS = 5
PAUSE_S = 0.002
ASK_TIMEOUT_MS = 5_000
GIVE_UP_S = 30.0
SETTLE_S = 1.5
WRITES_BEFORE = 20
CUT_OFF = "cut off"
FAULTS = ("killed", "frozen", CUT_OFF, "stopped")
GOALS_MS = {"killed": 300.0, "stopped": 50.0}


@frozen
class FailOver:
    """One fault and how long it took."""

    quorum: str
    fault: str
    took_ms: float
    old_leader: int
    new_leader: int


@define
class Writer:
    """Writes to whichever controller takes it; one open connection to each."""

    ports: dict[int, int]
    _open: dict[int, QuotaWriter] = field(factory=dict)
    _value: int = 0

    def write(self, node_id: int) -> bool:
        """One write to this node; whether it is committed."""
        self._value += 1
        try:
            if node_id not in self._open:
                self._open[node_id] = QuotaWriter.open(
                    self.ports[node_id], timeout_ms=ASK_TIMEOUT_MS
                )
            self._open[node_id].set("bench", "producer_byte_rate", float(self._value))
        except QuotaRefused:
            return False
        except (ConnectionFailed, PeerError):
            self.forget(node_id)
            return False
        return True

    def find(self, among: tuple[int, ...]) -> int:
        """The first of these that commits a write, asked in turn; SystemExit when none does."""
        ends = time.monotonic() + GIVE_UP_S
        while time.monotonic() < ends:
            for node_id in among:
                if self.write(node_id):
                    return node_id
            time.sleep(PAUSE_S)
        raise SystemExit(f"none of the controllers {among} took a write for {GIVE_UP_S:.0f} s")

    def forget(self, node_id: int) -> None:
        """Close the connection to this node, if there is one."""
        writer = self._open.pop(node_id, None)
        if writer is not None:
            writer.connection.close()

    def close(self) -> None:
        for node_id in tuple(self._open):
            self.forget(node_id)


def fail_over(quorum: Quorum, fault: str) -> FailOver:
    """Find the leader, write, hurt it, time the first write elsewhere, mend it."""
    writer = Writer(quorum.ports)
    with contextlib.closing(writer):
        everybody = tuple(quorum.ports)
        leader = writer.find(everybody)
        others = tuple(one for one in everybody if one != leader)
        for _ in range(WRITES_BEFORE):
            writer.write(leader)
        for other in others:
            writer.write(other)  # refused, but it opens the connection
        began = time.monotonic()
        quorum.hurt(leader, fault)
        successor = writer.find(others)
        took_ms = (time.monotonic() - began) * 1_000
        writer.forget(leader)
        quorum.mend(leader, fault)
    time.sleep(SETTLE_S)
    return FailOver(quorum.name, fault, round(took_ms, 1), leader, successor)


def main(arguments: list[str]) -> int:
    about = (__doc__ or "").split("\n\n")
    parser = argparse.ArgumentParser(
        description=about[0],
        epilog="\n\n".join(about[1:]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("-o", "--output", choices=["table", "json"], default="table")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each fault")
    parser.add_argument("--fault", choices=FAULTS, action="append", help="only this one")
    parser.add_argument("--ours-only", action="store_true", help="leave Kafka out")
    parser.add_argument("--keep", metavar="DIR", help="work in this directory and keep the logs")
    chosen = parser.parse_args(arguments)
    why_no_java = "it was left out" if chosen.ours_only else java_available()
    if why_no_java is not None:
        print(f"Kafka is not measured: {why_no_java}", file=sys.stderr)
    faults = tuple(chosen.fault or FAULTS)
    measured: list[FailOver] = []
    with scratch(chosen.keep) as directory:
        for to_cut in (False, True):
            mine = tuple(one for one in faults if (one == CUT_OFF) is to_cut)
            if mine:
                place = directory / ("proxied" if to_cut else "direct")
                measured += rounds_of(mine, chosen.rounds, place, to_cut, why_no_java is None)
    rows = summary(measured)
    if chosen.output == "json":
        print(json.dumps({"runs": [asdict(one) for one in measured], "summary": rows}, indent=2))
    else:
        show(rows)
    return 0


def rounds_of(
    faults: tuple[str, ...], rounds: int, directory: Path, to_cut: bool, with_kafka: bool
) -> list[FailOver]:
    """Each fault so many times, the quorums by turns."""
    with contextlib.ExitStack() as stack:
        quorums = [stack.enter_context(our_quorum(directory / "ours", to_cut=to_cut))]
        if with_kafka:
            quorums.append(stack.enter_context(kafkas_quorum(directory / "kafka", to_cut=to_cut)))
        measured = []
        for fault in faults:
            for _ in range(rounds):
                for quorum in quorums:
                    measured.append(fail_over(quorum, fault))
                    print(f"{measured[-1]}", file=sys.stderr, flush=True)
        return measured


@contextlib.contextmanager
def scratch(keep: str | None) -> Iterator[Path]:
    """A directory for logs and data: the one that was named, or one that goes afterwards."""
    if keep is not None:
        yield Path(keep).resolve()
        return
    with tempfile.TemporaryDirectory(prefix="metaquorum-failover-") as made:
        yield Path(made)


def summary(measured: list[FailOver]) -> list[dict[str, object]]:
    """Least, median and most of each fault and quorum, in milliseconds."""
    rows: list[dict[str, object]] = []
    for key in dict.fromkeys((one.fault, one.quorum) for one in measured):
        times = [one.took_ms for one in measured if (one.fault, one.quorum) == key]
        rows.append(
            {
                "fault": key[0],
                "quorum": key[1],
                "runs": len(times),
                "least_ms": min(times),
                "median_ms": round(statistics.median(times), 1),
                "most_ms": max(times),
                "goal_ms": GOALS_MS.get(key[0]) if key[1] == OURS else None,
            }
        )
    return rows


def show(rows: list[dict[str, object]]) -> None:
    """The summary as a table."""
    titles = ("leader is", "quorum", "runs", "least ms", "median ms", "most ms", "goal ms")
    lines: list[tuple[str, ...]] = [titles]
    for row in rows:
        goal = "" if row["goal_ms"] is None else f"{row['goal_ms']:.0f}"
        numbers = (f"{row[name]:.1f}" for name in ("least_ms", "median_ms", "most_ms"))
        lines.append((str(row["fault"]), str(row["quorum"]), str(row["runs"]), *numbers, goal))
    widths = [max(len(line[column]) for line in lines) for column in range(len(titles))]
    for line in lines:
        words = [cell.ljust(width) for cell, width in zip(line[:2], widths[:2], strict=True)]
        figures = [cell.rjust(width) for cell, width in zip(line[2:], widths[2:], strict=True)]
        print("  ".join(words + figures).rstrip())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
