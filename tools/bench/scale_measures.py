"""What ``scale.py`` measures on one controller that has loaded its state."""

from __future__ import annotations

import contextlib
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from metaquorum.client.connection import Connection
from metaquorum.wire.generated import delete_topics_request
from tools.bench.processor_time import processor_seconds
from tools.bench.scale_bystander import Follower
from tools.bench.scale_fleet import Fleet, Partitions
from tools.bench.scale_systems import Prepared, open_connection
from tools.bench.topics_systems import (
    Controller,
    create,
    create_many,
    median,
    times_ms,
)
from tools.bench.watched import Figures, Watched, timed
from tools.bystander import within
from tools.large_state import LargeState

DELETE_TOPICS = 20
SINGLES, SINGLES_BEFORE = 20, 5
MANY_TOPICS, MANY_PARTITIONS = 100, 10
HEARTBEAT_ROUNDS = 5
IDLE_S = 2.0

Tell = Callable[[str], None]


def serving(
    prepared: Prepared,
    fleet: Fleet,
    scratch: Path,
    rolled: int,
    wide: int,
    tell: Tell,
) -> Figures:
    """Fence, roll, create and delete, on a controller that has just loaded its state."""
    controller = fleet.controller
    watched = Watched(controller, lambda: fleet.brokers[max(fleet.brokers)], scratch)
    found: Figures = {}
    found |= watched.during("rest", lambda: timed(lambda: time.sleep(IDLE_S)))
    tell("fencing")
    found |= _fencing(watched, fleet)
    tell("creating and deleting")
    found |= _topics(watched, wide)
    tell("rolling")
    found |= _roll(watched, fleet, rolled, tell)
    found["peak memory, MiB"] = prepared.peak_mib()
    return found


def _fencing(watched: Watched, fleet: Fleet) -> Figures:
    broker = 0
    with open_connection(watched.controller) as connection:
        follower = Follower.at_the_end(connection, watched.controller.port)
        found = watched.during("fence", lambda: timed(lambda: fleet.fence(broker)))
        follower.catch_up()
    changed = len(fleet.partitions.held[broker])
    found |= {
        "partitions of the fenced broker": float(changed),
        "log of a fence, bytes a partition": follower.bytes / changed,
        "log of a fence, largest batch, KiB": follower.largest_bytes / 1_024,
    }
    found |= watched.during("unfence", lambda: timed(lambda: fleet.unfence(broker)))
    return found | watched.during("rejoin", lambda: fleet.rejoin(broker))


def _roll(watched: Watched, fleet: Fleet, rolled: int, tell: Tell) -> Figures:
    """Broker by broker: stop in order, start, come into service, and into every ISR again."""
    parts = {"stopping": 0.0, "starting": 0.0, "rejoining": 0.0}

    def roll() -> float:
        for broker in range(1, 1 + rolled):
            parts["stopping"] += timed(partial(fleet.stop, broker))
            parts["starting"] += fleet.start(broker)
            parts["rejoining"] += fleet.rejoin(broker)
            tell(f"rolling: {broker} of {rolled}")
        return sum(parts.values())

    found = watched.during("roll", roll)
    return {**found, **{f"roll: {name}, s": took_s for name, took_s in parts.items()}}


def _topics(watched: Watched, wide: int) -> Figures:
    """Topics come and go beside all the others."""
    with open_connection(watched.controller) as connection:
        singles = times_ms(
            lambda number: create(connection, [f"one{number}"], 1, 3), SINGLES, SINGLES_BEFORE
        )
        gone = times_ms(
            lambda number: delete(connection, [f"one{number}"]), SINGLES, SINGLES_BEFORE
        )
        many = [f"many{number}" for number in range(MANY_TOPICS)]
        found = {
            "create one, ms": median(singles),
            "delete one, ms": median(gone),
            f"create {MANY_TOPICS} x {MANY_PARTITIONS}, s": create_many(
                connection, "many", MANY_TOPICS, MANY_PARTITIONS, 3
            ),
            f"delete {MANY_TOPICS} x {MANY_PARTITIONS}, s": timed(lambda: delete(connection, many)),
        }
        if wide:
            found |= watched.during(
                f"create 1 x {wide}", lambda: timed(lambda: create(connection, ["wide"], wide, 3))
            )
            found |= watched.during(
                f"delete 1 x {wide}", lambda: timed(lambda: delete(connection, ["wide"]))
            )
    return found


def delete(connection: Connection, names: list[str]) -> None:
    """Delete topics; SystemExit if one is refused."""
    wire = delete_topics_request
    topics = [wire.DeleteTopicState(name=one) for one in names]
    answer = connection.ask(
        DELETE_TOPICS, 6, wire.DeleteTopicsRequest(topics=topics, timeout_ms=60_000)
    )
    refused = [one for one in answer.responses if one.error_code]
    if refused:
        raise SystemExit(f"{refused[0].name}: {refused[0].error_code} {refused[0].error_message}")


def heartbeats(controller: Controller, state: LargeState) -> Figures:
    """Every broker beats, one after the other, some rounds: processor time of one, and latency."""
    fleet = Fleet(controller, state, Partitions(state))
    with contextlib.closing(fleet):
        fleet.stop_beating()
        brokers = list(fleet.brokers.values())
        waits_ms: list[float] = []
        worked_s = processor_seconds(controller.pid)
        for _ in range(HEARTBEAT_ROUNDS):
            for broker in brokers:
                waits_ms.append(timed(broker.beat) * 1_000)
        own_us = (processor_seconds(controller.pid) - worked_s) * 1e6 / len(waits_ms)
    named = f"a heartbeat of {len(brokers)} brokers"
    return {
        f"{named}, processor us": own_us,
        f"{named}, p50 ms": statistics.median(waits_ms),
        f"{named}, p99 ms": within(waits_ms, 99),
    }
