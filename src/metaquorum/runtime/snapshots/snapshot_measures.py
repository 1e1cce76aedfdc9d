"""What is measured of snapshots: how long they take to write and to load, how large they are."""

from __future__ import annotations

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.observe.metrics import Counter
from metaquorum.observe.windows import Distribution


@define
class SnapshotMeasures:
    """``since_ms`` is when the node started; sizes are 0 until there is a snapshot."""

    since_ms: Millis
    write_ms: Distribution = field(factory=Distribution)
    load_ms: Distribution = field(factory=Distribution)
    loads: Counter = field(factory=Counter)
    failures: Counter = field(factory=Counter)
    latest_bytes: int = 0

    def generated(self, size_bytes: int, took_ms: float, now: Millis) -> None:
        """This node wrote a snapshot."""
        self.write_ms.record(took_ms)
        self.latest_bytes, self.since_ms = size_bytes, now

    def loaded(self, size_bytes: int, took_ms: float) -> None:
        """A snapshot became this node's state; its size counts until one is written (KIP-938)."""
        self.load_ms.record(took_ms)
        self.loads.add()
        if not self.write_ms.count:
            self.latest_bytes = size_bytes

    def age_ms(self, now: Millis) -> int:
        """How long ago this node wrote its latest snapshot; before the first, since its start."""
        return now - self.since_ms
