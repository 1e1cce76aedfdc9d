"""Topics at a controller of each system with fake brokers, and what others wait when one leaves."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from tools.bench.topics_systems import (
    SINGLES,
    SINGLES_BEFORE,
    Controller,
    System,
    controller_of,
    create,
    create_many,
    median,
    times_ms,
)
from tools.bench.watched import Figures, Watched, timed
from tools.fake_broker import FakeBroker

FAKE_BROKERS = (101, 102, 103)


def at_the_controller(system: System, directory: Path, topics: int) -> Figures:
    """Single creates, many creates, memory, and what a broker's leaving does to others."""
    with controller_of(system, directory) as controller, controller.open() as connection:
        brokers = [FakeBroker(controller.port, one, controller.cluster_id) for one in FAKE_BROKERS]
        for broker in brokers:
            broker.serve()
        singles = times_ms(
            lambda number: create(connection, [f"one{number}"], 1, 3), SINGLES, SINGLES_BEFORE
        )
        found = {
            "create one at the controller, ms": median(singles),
            f"create {topics} x 10 at the controller, s": create_many(
                connection, "many", topics, 10, 3
            ),
            f"memory with {topics * 10} partitions, MiB": controller.resident_mib(),
        }
        return found | _leaving(controller, brokers, directory)


def _leaving(controller: Controller, brokers: list[FakeBroker], directory: Path) -> Figures:
    """A broker is fenced, unfenced, and stops in order: how long, and how long others wait."""
    one, other, last = brokers
    watched = Watched(controller, lambda: other, directory)

    def stop() -> None:
        while not last.beat(want_shut_down=True).should_shut_down:
            one.beat()
            other.beat()

    found: Figures = {}
    for what, work in (
        ("fence", lambda: one.beat(want_fence=True)),
        ("unfence", one.beat),
        ("shut down", stop),
    ):
        figures = watched.during(what, partial(timed, work))
        longest_ms = [ms for name, ms in figures.items() if name.startswith("longest wait")]
        found[f"{what}, s"] = figures[f"{what}, s"]
        found[f"longest wait at {what}, ms"] = max(longest_ms)
        for name in ("most work before an answer", "the machine's own", "the disk's own"):
            found[f"{name} at {what}, ms"] = figures[f"{name} at {what}, ms"]
    return found
