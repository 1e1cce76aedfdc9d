"""An exporter of a quorum in memory: its two readers by hand, in virtual time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field

from metaquorum.client.security import PLAIN
from metaquorum.config.listeners import HostPort
from metaquorum.exporter.followed_log import FollowedLog
from metaquorum.exporter.known import LOG, QUORUM
from metaquorum.exporter.log_follower import LogFollower
from metaquorum.exporter.quorum_poller import QuorumPoller
from metaquorum.exporter.readers import Readers
from metaquorum.exporter.service import Exporter
from metaquorum.exporter.source import Source
from metaquorum.observe.events import EventLog
from metaquorum.observe.metrics import Sample
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.testing.every_record import made
from tests.unit.client.fake_quorum import FakeQuorum

Series = dict[str, float]


def record(name: str, version: int = 0, /, **fields: Any) -> bytes:
    """A record's value, framed."""
    found = made(name, version, **fields)
    return encode_metadata_record(found.type, found.message, version)


@define(eq=False)
class Exported:
    """The exporter of ``quorum``; ``lines`` is what it said."""

    quorum: FakeQuorum
    per_topic: bool = False
    log: FollowedLog | None = None
    lines: list[str] = field(factory=list)
    readers: Readers = field(init=False)
    exporter: Exporter = field(init=False)

    def __attrs_post_init__(self) -> None:
        places = tuple(HostPort(host, port) for host, port in self.quorum.addresses)
        events = EventLog(self.lines.append, self.now_ms)
        follower = LogFollower(
            self.quorum.addresses,
            lambda: PLAIN,
            self.log or FollowedLog(1, self.per_topic),
            Source(LOG, events, self.now_ms),
            events,
            self.now_ms,
            self._wait,
            self._open_reader,
        )
        poller = QuorumPoller(
            places,
            lambda: PLAIN,
            5_000,
            follower,
            Source(QUORUM, events, self.now_ms),
            events,
            self.now_ms,
            lambda seconds: True,
            self.quorum.open,
            question={"now": lambda: self.quorum.now_s, "sleep": self.quorum.sleep},
        )
        self.readers = Readers(follower, poller, self.now_ms, self.now_ms)
        self.exporter = Exporter(self.readers, self.per_topic)

    def now_ms(self) -> int:
        return int(self.quorum.now_s * 1_000)

    def _wait(self, seconds: float) -> bool:
        """Sleep, and go on until the follower was told to stop."""
        self.quorum.sleep(seconds)
        return self.readers.stopping.is_set()

    def _open_reader(self, bootstrap: Any, **options: Any) -> Any:
        options.pop("security")
        return self.quorum.reader(bootstrap=list(bootstrap), **options)

    def follow(self, requests: int, *, then: Callable[[], None] | None = None) -> None:
        """Read until so many more requests were answered; then call, and stop."""
        follower = self.readers.follower

        def end() -> None:
            if then is not None:
                then()
            self.readers.stopping.set()
            follower.stop()

        self.readers.stopping.clear()
        follower._stopped = False
        follower._publish_at_ms = 0
        self.quorum.before[len(self.quorum.requests) + requests] = end
        follower.run()

    def series(self) -> Series:
        """What a scrape shows, by name and labels."""
        return {
            f"{family.name}{_text(sample)}": sample.value
            for family in self.exporter.families()
            for sample in family.samples
        }

    def events(self, name: str) -> list[str]:
        """The lines of an event, without time and level."""
        found = [line.split(" ", 2)[2] for line in self.lines]
        return [line for line in found if line.split(" ")[0] == name]


def _text(sample: Sample) -> str:
    labels = ",".join(f'{name}="{value}"' for name, value in sample.labels)
    return sample.suffix + (f"{{{labels}}}" if labels else "")
