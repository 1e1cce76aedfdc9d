"""Who asks meanwhile: a broker that beats, one that follows the log, and an administrator.

    python -m tools.bench.scale_bystander PORT FILE BROKER EPOCH PID

A ``tools.bystander`` with other questions: a heartbeat, a Fetch at the end of the log, and a
CreateTopics that is only validated, one after the other. Each line has three numbers more: which of
them it was, for how many milliseconds the controller, whose process is PID, worked before it
answered, and how long a sync of a few bytes beside FILE took after that: what rests on records that
are not committed waits for the disk. It ends when its standard input does.

A controller that has stepped down is asked again until it leads: that is part of the wait.
"""

from __future__ import annotations

import io
import os
import select
import sys
import time
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

from attrs import define

from metaquorum.base.offsets import Epoch, Offset
from metaquorum.client import fetch_form
from metaquorum.client.connection import Connection
from metaquorum.records.batch import read_header
from metaquorum.wire.generated import broker_heartbeat_request, create_topics_request, error_codes
from tools.bench.processor_time import processor_seconds
from tools.bench.topics_systems import CREATE_TOPICS, HEARTBEAT
from tools.bystander import Exchange, control_connection, timed_ms
from tools.fake_broker import ANSWER_TIMEOUT_MS, BEHIND_NOTHING
from tools.kafka.ports import LOOPBACK
from tools.quorum_state import describe_partition

QUESTIONS = ("heartbeat", "Fetch", "CreateTopics")
PAUSE_S = 0.003
SYNCED = bytes(512)
STEPPED_DOWN = (
    error_codes.NOT_CONTROLLER,
    error_codes.NOT_LEADER_OR_FOLLOWER,
    error_codes.FENCED_LEADER_EPOCH,
    error_codes.UNKNOWN_LEADER_EPOCH,
)


@define
class Follower:
    """Reads the log from ``offset`` on, as a broker does; counts what it was given.

    ``epoch`` is the leader's, ``last_epoch`` that of the last batch before ``offset``.
    """

    connection: Connection
    port: int
    epoch: Epoch
    last_epoch: Epoch
    offset: Offset
    bytes: int = 0
    batches: int = 0
    largest_bytes: int = 0

    @classmethod
    def at_the_end(cls, connection: Connection, port: int) -> Follower:
        """At the high watermark of the controller, which leads."""
        part = describe_partition(LOOPBACK, port, ANSWER_TIMEOUT_MS)
        if part is None:
            raise SystemExit("the controller does not say where its log ends")
        return cls(connection, port, part.leader_epoch, part.leader_epoch, part.high_watermark)

    def request(self) -> Any:
        """The next Fetch, which waits for nothing."""
        return fetch_form.fetch_request(
            epoch=self.epoch,
            fetch_offset=self.offset,
            last_fetched_epoch=self.last_epoch,
            high_watermark=self.offset,
            wait_ms=0,
        )

    @property
    def version(self) -> int:
        """Of Fetch, on this connection."""
        return self.connection.best_version(fetch_form.FETCH, fetch_form.LEAST_VERSION)

    def ask(self) -> Any:
        """The answer to the next Fetch."""
        while True:
            response = self.connection.ask(fetch_form.FETCH, self.version, self.request())
            if fetch_form.read_answer(response).error_code not in STEPPED_DOWN:
                return response
            time.sleep(PAUSE_S)
            part = describe_partition(LOOPBACK, self.port, ANSWER_TIMEOUT_MS)
            if part is not None:
                self.epoch = part.leader_epoch

    def take(self, response: Any) -> bool:
        """Go on behind what was answered; whether there was anything."""
        answer = fetch_form.read_answer(response)
        if answer.error_code != error_codes.NONE or answer.diverging or answer.snapshot:
            raise SystemExit(f"a Fetch at {self.offset} was answered {answer}")
        data, at = memoryview(answer.data), 0
        while at < len(data):
            header = read_header(data, at)
            if header.size_bytes > len(data) - at:
                break
            at += header.size_bytes
            self.offset, self.last_epoch = header.next_offset, header.leader_epoch
            self.batches += 1
            self.largest_bytes = max(self.largest_bytes, header.size_bytes)
        self.bytes += at
        return at > 0

    def catch_up(self) -> None:
        """Read to the end."""
        while self.take(self.ask()):
            pass


def main(port: int, file: Path, broker_id: int, epoch: Offset, pid: int) -> None:
    """Ask until standard input ends."""
    connection = Connection.open(LOOPBACK, port, timeout_ms=ANSWER_TIMEOUT_MS)
    beside = file.with_suffix(".synced").open("wb", buffering=0)
    with connection, beside, file.open("a", buffering=1) as out:
        follower = Follower.at_the_end(connection, port)
        fixed = [heartbeat(broker_id, epoch), validation()]
        fetch = Exchange(fetch_form.FETCH, follower.version, follower.request(), None)
        known = [
            Exchange(one.api_key, one.version, one.request, _first_answer(connection, one))
            for one in (fixed[0], fetch, fixed[1])
        ]
        control = control_connection(known)
        for kind, one in _in_turns(known):
            if select.select([sys.stdin], [], [], PAUSE_S)[0]:
                return
            worked_s, began = processor_seconds(pid), time.monotonic()
            if one.api_key == fetch_form.FETCH:
                follower.take(follower.ask())
            else:
                _check(answered(connection, one))
            took_ms = (time.monotonic() - began) * 1_000
            worked_ms = (processor_seconds(pid) - worked_s) * 1_000
            times = f"{took_ms:.3f} {timed_ms(control, one):.3f}"
            more = f"{kind} {worked_ms:.3f} {_sync_ms(beside):.3f}"
            out.write(f"{time.monotonic():.6f} {times} {more}\n")


def _sync_ms(file: io.FileIO) -> float:
    began = time.monotonic()
    file.write(SYNCED)
    os.fdatasync(file.fileno())
    return (time.monotonic() - began) * 1_000


def _check(answer: Any) -> None:
    """A heartbeat that Kafka's controller had no time for was waited for as well."""
    code = _code(answer)
    if code not in (error_codes.NONE, error_codes.REQUEST_TIMED_OUT):
        raise SystemExit(f"answered with error {error_codes.NAMES.get(code, code)}")


def _in_turns(known: list[Exchange]) -> Iterator[tuple[int, Exchange]]:
    return zip(cycle(range(len(known))), cycle(known), strict=False)


def _first_answer(connection: Connection, one: Exchange) -> Any:
    """What the control is to answer: the first that is no REQUEST_TIMED_OUT."""
    while True:
        answer = answered(connection, one)
        _check(answer)
        if _code(answer) == error_codes.NONE:
            return answer


def answered(connection: Connection, one: Exchange) -> Any:
    """The answer of the controller, once it leads."""
    while True:
        answer = connection.ask(one.api_key, one.version, one.request)
        if _code(answer) not in STEPPED_DOWN:
            return answer
        time.sleep(PAUSE_S)


def _code(answer: Any) -> int:
    """The answer's error, or that of the one topic it is about."""
    rows = getattr(answer, "topics", ())
    return int(rows[0].error_code if rows else getattr(answer, "error_code", error_codes.NONE))


def heartbeat(broker_id: int, epoch: Offset) -> Exchange:
    """Of a broker that stays in service."""
    request = broker_heartbeat_request.BrokerHeartbeatRequest(broker_id, epoch, BEHIND_NOTHING)
    return Exchange(HEARTBEAT, 1, request, None)


def validation() -> Exchange:
    """A topic that is only looked at."""
    wire = create_topics_request
    request = wire.CreateTopicsRequest([wire.CreatableTopic("other", 1, 1)], 60_000, True)
    return Exchange(CREATE_TOPICS, 7, request, None)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:]))
