"""Record batches: building and parsing 1,000 records of 100 bytes, beside the clients' codecs.

Each implementation reads the bytes of our builder, and ours reads aiokafka's, before anything is
timed. Rounds are interleaved and the best one counts, as noise only ever adds.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from attrs import define, field

from metaquorum.records.batch import check
from metaquorum.records.builder import build_batch
from metaquorum.records.reader import walk_records

RECORDS = 1000
VALUE_BYTES = 100
ROUNDS = 40
BATCH_MS = 1_700_000_000_000
SEED = 4
GOALS = {("build", "aiokafka"): 0.9, ("parse", "kafka-python"): 3.5}

Job = Callable[[], Any]


@define
class Cell:
    """One implementation doing one thing; ``best_us`` over all rounds."""

    operation: str
    name: str
    job: Job
    best_us: float = field(default=float("inf"))

    def run(self) -> None:
        """Time one round."""
        begun = time.thread_time()  # ours alone: not what others took of the processor
        self.job()
        self.best_us = min(self.best_us, (time.thread_time() - begun) * 1e6)


def values() -> list[bytes]:
    """The records: random, and the same on every run."""
    random = Random(SEED)
    return [random.randbytes(VALUE_BYTES) for _ in range(RECORDS)]


def our_cells(payloads: list[bytes], batch: bytes) -> list[Cell]:
    """Ours: building, parsing with the checksum verified."""
    pairs: list[tuple[bytes | None, bytes | None]] = [(None, value) for value in payloads]

    def parse() -> list[Any]:
        return list(walk_records(batch, check(batch)))

    return [
        Cell("build", "ours", lambda: build_batch(pairs, timestamp_ms=BATCH_MS)),
        Cell("parse", "ours", parse),
    ]


def aiokafka_cells(payloads: list[bytes], batch: bytes) -> list[Cell]:
    """aiokafka's, compiled if its wheel is."""
    from aiokafka.record.default_records import DefaultRecordBatch, DefaultRecordBatchBuilder

    def build() -> bytes:
        builder = DefaultRecordBatchBuilder(2, 0, 0, -1, -1, -1, 1 << 24)
        for offset, value in enumerate(payloads):
            builder.append(offset, BATCH_MS, None, value, [])
        return bytes(builder.build())

    def parse() -> list[Any]:
        reader = DefaultRecordBatch(batch)
        if not reader.validate_crc():
            raise ValueError("aiokafka refuses our checksum")
        return list(reader)

    if [record.value for record in parse()] != payloads:
        raise ValueError("aiokafka reads other records than we wrote")
    if [record.value for record in walk_records(build())] != payloads:
        raise ValueError("we read other records than aiokafka wrote")
    return [Cell("build", "aiokafka", build), Cell("parse", "aiokafka", parse)]


def kafka_python_cells(payloads: list[bytes], batch: bytes) -> list[Cell]:
    """kafka-python's, pure Python."""
    from kafka.record.default_records import DefaultRecordBatch

    def parse() -> list[Any]:
        reader = DefaultRecordBatch(batch)
        if not reader.validate_crc():
            raise ValueError("kafka-python refuses our checksum")
        return list(reader)

    if [record.value for record in parse()] != payloads:
        raise ValueError("kafka-python reads other records than we wrote")
    return [Cell("parse", "kafka-python", parse)]


def measured(rounds: int) -> list[Cell]:
    """All cells after their rounds; peers that are not installed are left out with a word."""
    payloads = values()
    batch = build_batch([(None, value) for value in payloads], timestamp_ms=BATCH_MS)
    cells = our_cells(payloads, batch)
    for peer in (aiokafka_cells, kafka_python_cells):
        try:
            cells += peer(payloads, batch)
        except ImportError as error:
            print(f"left out: {error}", file=sys.stderr)
    for _ in range(rounds):
        for cell in cells:
            cell.run()
    return cells


def _row(cell: Cell, ours: dict[str, float]) -> dict[str, Any]:
    return {
        "operation": cell.operation,
        "implementation": cell.name,
        "best_us": round(cell.best_us, 1),
        "ours_is_times_faster": round(cell.best_us / ours[cell.operation], 2),
        "required_times": GOALS.get((cell.operation, cell.name)),
    }


def main() -> None:
    """Print the table, or its numbers as JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("-o", "--output", choices=["table", "json"], default="table")
    options = parser.parse_args()
    cells = measured(options.rounds)
    ours = {cell.operation: cell.best_us for cell in cells if cell.name == "ours"}
    if options.output == "json":
        print(json.dumps([_row(cell, ours) for cell in cells], indent=2))
        return
    print(f"{RECORDS} records of {VALUE_BYTES} bytes, best of {options.rounds} rounds")
    print(f"{'':8}{'':14}{'us':>8}{'M rec/s':>9}{'ours is':>10}{'required':>10}")
    for cell in sorted(cells, key=lambda cell: (cell.operation, cell.best_us)):
        ratio = cell.best_us / ours[cell.operation]
        goal = GOALS.get((cell.operation, cell.name))
        print(
            f"{cell.operation:8}{cell.name:14}{cell.best_us:8.0f}{RECORDS / cell.best_us:9.2f}"
            f"{ratio:9.2f}x{'' if goal is None else f'{goal:9.1f}x'}"
        )


if __name__ == "__main__":
    main()
