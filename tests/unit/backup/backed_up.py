"""A quorum in memory with one history, its backup in a directory, and stores that are killed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, BinaryIO

from attrs import define, field

from metaquorum.backup.source import QuorumSource
from metaquorum.backup.taking import Backup, Taken
from metaquorum.backup.verifying import Verification
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.config.listeners import HostPort
from metaquorum.quorum.adapt.batches import wire_voter
from metaquorum.records.batch import read_header
from metaquorum.records.control import ControlType
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.tier_store import ByteSink, LocalStore, TierStore
from metaquorum.testing.disasters.quorum import START_MS, topic_value
from metaquorum.wire.generated import kraft_version_record, voters_record
from tests.unit.client.fake_quorum import FakeQuorum
from tests.unit.recover.lost_disks import epoch_start, topics, voter

NOW_MS = 1_800_000_000_000


@define
class Cluster:
    """One leader that has committed all of ``history``; its log may begin later, at a snapshot."""

    dynamic: bool = True
    quorum: FakeQuorum = field(factory=FakeQuorum.of)
    history: list[bytes] = field(factory=list)
    names: list[tuple[int, str]] = field(factory=list)
    epoch: int = 0

    def __attrs_post_init__(self) -> None:
        self.elect()

    @property
    def end(self) -> int:
        return read_header(self.history[-1]).next_offset if self.history else 0

    def elect(self) -> None:
        """Another epoch begins."""
        self.epoch += 1
        named = self.dynamic and not self.history
        self._append(epoch_start(self.end, self.epoch, 1, (1,), named=named))

    def write(self, *names: str) -> None:
        """One batch that creates these topics."""
        self.names += [(self.end + at, name) for at, name in enumerate(names)]
        self._append(topics(self.end, self.epoch, *names))

    def _append(self, batch: bytes) -> None:
        self.history.append(batch)
        node = self.quorum[1]
        node.log.append(batch)
        node.epoch, node.high_watermark = self.epoch, self.end

    def snapshot(self, *, drops: bool) -> OffsetAndEpoch:
        """The leader writes one of all there is, and may drop the log before it."""
        name = OffsetAndEpoch(self.epoch, self.end)
        node = self.quorum[1]
        node.snapshot = (name, self.snapshot_bytes())
        if drops:
            node.log, node.oldest_snapshot_epoch = [], self.epoch
        return name

    def snapshot_bytes(self) -> bytes:
        controls: list[tuple[ControlType, Any]] = []
        if self.dynamic:
            rows = [wire_voter(voter(1), voters_record)]
            controls = [
                (ControlType.KRAFT_VERSION, kraft_version_record.KRaftVersionRecord(0, 1)),
                (ControlType.KRAFT_VOTERS, voters_record.VotersRecord(0, rows)),
            ]
        return b"".join(
            snapshot_batches(
                epoch=self.epoch,
                timestamp_ms=START_MS,
                last_contained_ms=START_MS + self.end,
                controls=controls,
                values=[topic_value(name) for _, name in self.names],
            )
        )

    def source(self) -> QuorumSource:
        quorum = self.quorum
        return QuorumSource(
            tuple(HostPort(*one) for one in quorum.addresses),
            5_000,
            open_reader=lambda bootstrap, security, notice, **options: quorum.reader(
                bootstrap=list(bootstrap), **options
            ),
            open=quorum.open,
            question={"now": lambda: quorum.now_s, "sleep": quorum.sleep},
        )


@define
class Backups:
    """Runs of backups of a cluster into one store, each under a name of its own."""

    cluster: Cluster
    tmp_path: Path
    store: TierStore = field()
    runs: int = 0

    @store.default
    def _local(self) -> TierStore:
        return LocalStore(str(self.tmp_path / "store"))

    def take(self, store: TierStore | None = None, **options: Any) -> Taken:
        self.runs += 1
        spool = self.tmp_path / f"spool-{self.runs}"
        spool.mkdir()
        token = f"{self.runs:012x}"
        full = options.pop("full", False)
        run = Backup(
            store or self.store, self.cluster.source(), PosixDisk(), str(spool),
            NOW_MS + self.runs, token, **options,
        )  # fmt: skip
        try:
            return run.run(full=full)
        finally:
            assert list(spool.iterdir()) == [], "an object was left in the spool"

    def verified(self, **options: Any) -> list[str]:
        """All problems of the chain."""
        self.runs += 1
        spool = self.tmp_path / f"spool-{self.runs}"
        spool.mkdir()
        look = Verification(self.store, PosixDisk(), str(spool), **options)
        listing, chain = look.chain()
        found = [why for one in look.run(listing, chain) for why in one.problems]
        assert list(spool.iterdir()) == []
        return found


class Killed(BaseException):
    """The process is gone."""


@define
class KilledStore:
    """A store whose user is killed at put number ``at`` (from 0), before or after it is done."""

    inner: TierStore
    at: int
    after: bool
    puts: int = 0

    @property
    def uri(self) -> str:
        return self.inner.uri

    def read(self, key: str) -> bytes | None:
        return self.inner.read(key)

    def sizes(self, prefix: str) -> dict[str, int]:
        return self.inner.sizes(prefix)

    def digest(self, key: str) -> str:
        return self.inner.digest(key)

    def copy_to(self, key: str, target: ByteSink) -> str:
        return self.inner.copy_to(key, target)

    def put(self, key: str, content: BinaryIO, size_bytes: int, sha256: str) -> None:
        number, self.puts = self.puts, self.puts + 1
        if number == self.at and not self.after:
            raise Killed
        self.inner.put(key, content, size_bytes, sha256)
        if number == self.at:
            raise Killed


def batches(content: Sequence[bytes], start: int, end: int) -> bytes:
    """Those of a history with offsets from ``start`` up to ``end``."""
    return b"".join(
        one
        for one in content
        if read_header(one).base_offset >= start and read_header(one).next_offset <= end
    )
