"""What a run is made of: the shape of the cluster and everything that happens to it, in order.

A scenario is a value with a text form, so that a failure is a file that can be read, cut down and
played again. All chance that is left (latencies, who a client asks) comes from ``seed``.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import evolve, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.testing.sim.happening import Happening


@frozen
class Scenario:
    """A cluster, a workload, and the weather.

    ``dynamic``: the voters stand in the log (kraft.version 1), else in the configuration.
    ``writes`` is how many clients write one after the other. ``minority_down``: so many nodes
    stay away in the liveness phase.

    ``snapshot_bytes`` and ``snapshot_ms`` make every node write snapshots of its own,
    ``retention_bytes`` and ``start_lag_ms`` (KIP-630's rule in the place of Kafka's) let the log
    before them go, ``part_bytes`` is how much of one is fetched at a time; 0 leaves the default.

    ``brokers``: so many fake ones and an operator's client, with sessions of ``session_ms``.
    ``elr``: eligible leader replicas are on (KIP-966).

    ``quiet``: clients, operators and idle controllers do something so many times more seldom, and
    brokers look so many times more seldom what they lead; time-outs and heartbeats stay.

    ``batch_us``: what arrives at a node within so long is served together, as sockets are that
    are ready together; 0: each for itself.
    """

    seed: int = 0
    seconds: int = 30
    voters: int = 3
    observers: int = 0
    dynamic: int = 0
    election_ms: Millis = 1_000
    fetch_ms: Millis = 2_000
    retry_ms: Millis = 20
    latency_us: int = 400
    fsync_us: int = 500
    segment_bytes: int = 1_048_576
    writes: int = 1
    pause_ms: Millis = 400
    minority_down: int = 0
    snapshot_bytes: int = 0
    snapshot_ms: Millis = 0
    part_bytes: int = 0
    retention_bytes: int = 0
    start_lag_ms: Millis = 0
    batch_us: int = 0
    brokers: int = 0
    session_ms: Millis = 2_000
    elr: int = 0
    quiet: int = 1
    happenings: tuple[Happening, ...] = field(factory=tuple)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of happenings that this scenario has, sorted."""
        return tuple(sorted({one.kind for one in self.happenings}))

    def without(self, kind: str) -> Scenario:
        """This scenario without one kind of happening."""
        kept = tuple(one for one in self.happenings if one.kind != kind)
        return evolve(self, happenings=kept)

    def text(self) -> str:
        """The scenario as a file."""
        plain = Scenario()
        lines = ["# A run of the simulator. Play it: python -m metaquorum.testing.simulator FILE"]
        for name in _NUMBERS:
            value = getattr(self, name)
            if value != getattr(plain, name) or name in ("seed", "seconds", "voters"):
                lines.append(f"{name} {value}")
        lines += [one.line for one in self.happenings]
        return "\n".join(lines) + "\n"

    @classmethod
    def read(cls, text: str) -> Scenario:
        """The scenario in a file; ValueError names the line that is none."""
        numbers: dict[str, int] = {}
        happenings: list[Happening] = []
        for line in text.splitlines():
            words = line.split()
            if not words or words[0].startswith("#"):
                continue
            if words[0] == "at" and len(words) >= 3:
                happenings.append(Happening.of(int(words[1]), words[2], **_pairs(words[3:])))
            elif words[0] in _NUMBERS and len(words) == 2:
                numbers[words[0]] = int(words[1])
            else:
                raise ValueError(f"not a line of a scenario: {line!r}")
        return cls(happenings=tuple(happenings), **numbers)


_NUMBERS = tuple(one.name for one in Scenario.__attrs_attrs__ if one.name != "happenings")


def _pairs(words: list[str]) -> Mapping[str, int]:
    return {name: int(value) for name, _, value in (word.partition("=") for word in words)}
