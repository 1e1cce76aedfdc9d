"""What our server serves, beside peers in the same run: small requests, a cold consumer, observers.

- Small requests at 10, 100 and 1,000 connections, as a share of what a bare uvloop echo does on the
  same core (0.7 at least).
- A consumer that reads a whole log from the start: processor time for a GiB as a share of the same
  server's without ``sendfile`` (0.8 at most), and MiB a second beside a Kafka broker with the same
  batches (once at least).
- Observers that tail a leader which commits: milliseconds from the commit to the receipt, the
  slowest hundredth (50 at most); more on them by ``observers.py``.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from attrs import asdict, frozen

from tools.bench import observers
from tools.bench.serve_fetch import Fetched, cold_fetch, ratio
from tools.bench.serve_small import Small, small_requests
from tools.kafka import java_available

LEAST_RATIO, MOST_CPU_RATIO, LEAST_SPEED_RATIO, MOST_LAG_MS = 0.7, 0.8, 1.0, 50.0


@frozen
class Row:
    """One figure, what it is compared with, and what is asked of it."""

    what: str
    ours: float
    peer: float | None
    ratio: float | None
    asked: str
    holds: bool


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--part", choices=["small", "fetch", "observers"], action="append")
    parser.add_argument("--connections", type=int, nargs="+", default=[10, 100, 1_000])
    parser.add_argument("--mib", type=int, default=128, help="size of the log that is read")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--observers", type=int, default=500)
    parser.add_argument("--writes", type=int, default=200, help="a second")
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--strict", action="store_true", help="fail if a figure misses")
    parser.add_argument("-o", "--output", choices=["table", "json"], default="table")
    chosen = parser.parse_args(arguments)
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    parts = chosen.part or ["small", "fetch", "observers"]
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="metaquorum-serve-") as scratch:
        if "small" in parts:
            rows += small_rows(small_requests(Path(scratch), chosen.connections, chosen.rounds))
        if "fetch" in parts:
            rows += fetch_rows(Path(scratch), chosen.mib, 2 * chosen.rounds)
        if "observers" in parts:
            os.sync()  # a commit of theirs must not wait for the logs that were read and removed
            rows += [
                observer_row(Path(scratch) / kind, kind, chosen) for kind in ("replica", "consumer")
            ]
    if chosen.output == "json":
        print(json.dumps([asdict(row) for row in rows], indent=2))
    else:
        show(rows)
    return int(chosen.strict and not all(row.holds for row in rows))


def small_rows(measured: list[Small]) -> list[Row]:
    """Requests a second beside the echo's."""
    return [
        Row(
            f"small requests a second, {one.connections} connections",
            one.ours_a_second,
            one.echo_a_second,
            one.ratio,
            f"at least {LEAST_RATIO} of a uvloop echo",
            one.ratio >= LEAST_RATIO,
        )
        for one in measured
    ]


def fetch_rows(scratch: Path, mib: int, rounds: int) -> list[Row]:
    """Processor time beside reading and sending, speed beside Kafka."""
    why_no_java = java_available()
    if why_no_java is not None:
        print(f"{why_no_java}: no Kafka to compare with", file=sys.stderr)
    beside_reading, beside_kafka = cold_fetch(scratch, mib, rounds, with_kafka=why_no_java is None)
    ours, reading = beside_reading
    cpu = ratio(ours.cpu_s, reading.cpu_s)
    asked = f"at most {MOST_CPU_RATIO} of reading and sending"
    rows = [
        Row(
            "fetch, server's CPU seconds a GiB",
            *(ours.cpu_s_a_gib, reading.cpu_s_a_gib, cpu),
            *(asked, cpu <= MOST_CPU_RATIO),
        )
    ]
    if beside_kafka:
        rows.append(speed_row(*beside_kafka))
    return rows


def speed_row(ours: Fetched, kafka: Fetched) -> Row:
    """MiB a second beside a broker's."""
    speed = ratio(ours.speeds, kafka.speeds)
    asked = f"at least {LEAST_SPEED_RATIO} of {kafka.server}'s"
    return Row(
        "fetch, MiB a second",
        *(ours.mib_a_second, kafka.mib_a_second, speed),
        *(asked, speed >= LEAST_SPEED_RATIO),
    )


def observer_row(scratch: Path, kind: str, chosen: argparse.Namespace) -> Row:
    """How long the slowest hundredth took."""
    scratch.mkdir()
    figures = observers.measured(
        scratch,
        argparse.Namespace(
            observers=chosen.observers,
            writes=chosen.writes,
            seconds=chosen.seconds,
            voters=1,
            kind=kind,
        ),
    )
    lag_ms = float(figures["lag_p99_ms"] or 0.0)
    holds = 0.0 < lag_ms <= MOST_LAG_MS and observers.kept_up(figures, chosen.writes)
    return Row(
        f"{chosen.observers} observers as {kind}s, {figures['writes_a_second']} writes a second, "
        "99 % of receipts within ms",
        *(lag_ms, None, None),
        *(f"at most {MOST_LAG_MS:.0f}, and all writes", holds),
    )


def show(rows: list[Row]) -> None:
    """The rows as a table."""
    lines = [("figure", "ours", "peer", "ratio", "asked", "")]
    for row in rows:
        numbers = ("" if one is None else f"{one:,.6g}" for one in (row.ours, row.peer, row.ratio))
        lines.append((row.what, *numbers, row.asked, "holds" if row.holds else "MISSED"))  # type: ignore[arg-type]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
