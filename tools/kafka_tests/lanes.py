"""Several lanes side by side, each with classes of its own; the longest classes first.

Each class has a JVM of its own, when it is recorded on Kafka and when it runs on ours: behind
thirty others in one JVM some hang, or come late. Each has a log of its own, too, which stays where
something failed, until that class fails again.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tools.kafka_tests.launcher import Outcome, run_classes
from tools.kafka_tests.lists import Recorded, class_of
from tools.kafka_tests.selections import START_S, seconds_of


def run_in_lanes(
    classes: Sequence[str],
    record: Mapping[str, Recorded],
    *,
    on: str,
    skipped: Iterable[str],
    logs: Path,
    jobs: int,
    told: Callable[[Outcome], None],
    ended: Callable[[str], None],
) -> dict[str, Outcome]:
    """The outcomes of all tests of these classes, by name; ``ended`` hears of each class.

    A class in which something failed leaves ``logs``/ON-CLASS.failed.log.
    """
    outcomes: dict[str, Outcome] = {}
    lock = threading.Lock()
    left_out = tuple(skipped)

    def heard(outcome: Outcome) -> None:
        with lock:
            outcomes[outcome.test] = outcome
            told(outcome)

    def run_lane(words: list[str]) -> None:
        for word in words:
            log = logs / f"{on}-{word}.log"
            log.unlink(missing_ok=True)
            run_classes([word], on=on, skipped=left_out, log=log, told=heard)
            with lock:
                failed = any(is_bad(one) for one in outcomes.values() if class_of(one.test) == word)
            keep_or_remove(log, failed)
            with lock:
                ended(word)

    lanes = lanes_of(classes, record, jobs)
    with ThreadPoolExecutor(max(len(lanes), 1)) as threads:
        list(threads.map(run_lane, lanes))
    return outcomes


def is_bad(outcome: Outcome) -> bool:
    """Whether someone will want to know what happened in this test."""
    return outcome.status in ("failed", "hung") or bool(outcome.faults)


def keep_or_remove(log: Path, failed: bool) -> None:
    """Name the log of a class in which something failed so; the others are not needed."""
    if not log.exists():
        return
    if failed:
        log.replace(log.with_suffix(".failed.log"))
    else:
        log.unlink()


def lanes_of(classes: Sequence[str], record: Mapping[str, Recorded], jobs: int) -> list[list[str]]:
    """The classes shared out so that the lanes take about the same time."""
    lanes: list[list[str]] = [[] for _ in range(max(jobs, 1))]
    spent = [0.0] * len(lanes)
    for name in sorted(classes, key=lambda one: (-seconds_of(one, record), one)):
        shortest = spent.index(min(spent))
        lanes[shortest].append(name)
        spent[shortest] += seconds_of(name, record) + START_S
    return [lane for lane in lanes if lane]
