"""A fresh state out of the batches of a snapshot, in slices, so that others have their turns.

The state is built aside, and nobody sees it before it is whole. Where records stand in the file
means nothing. No mark is open meanwhile: there is no past to remember.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import LOAD_SLICE_RECORDS
from metaquorum.metadata.partition_reading import PartitionReader
from metaquorum.metadata.reading import metadata_record_of
from metaquorum.metadata.state import MetadataState, Provenance
from metaquorum.records.batch import BatchHeader
from metaquorum.records.errors import BatchError
from metaquorum.records.reader import walk_records

Batches = Iterable[tuple[BatchHeader, bytes | memoryview]]


class StateLoading:
    """Loads ``batches``; ``slices`` does the work, and ``state`` is there when it has ended."""

    def __init__(
        self, batches: Batches, provenance: Provenance, *, count_changes: bool = False
    ) -> None:
        self._batches = batches
        self._filling = MetadataState.filling(provenance, count_changes=count_changes)
        self._partitions = PartitionReader(self._filling.tables, self._filling.origin)
        self._state: MetadataState | None = None
        self.records = 0
        self._slice_ends = LOAD_SLICE_RECORDS

    @property
    def state(self) -> MetadataState:
        """What was loaded."""
        if self._state is None:
            raise InvariantViolated("a state is asked for that is not loaded yet")
        return self._state

    def slices(self) -> Iterator[int]:
        """Load; tells after every few milliseconds how many records there were so far.

        InvariantViolated names a record that cannot be understood: a state without it would be
        wrong.
        """
        for header, batch in self._batches:
            if not header.is_control:
                yield from self._records(header, batch)
        self._partitions.flush()
        self._state = self._filling.filled(self.records)

    def whole(self) -> MetadataState:
        """Load in one go."""
        for _ in self.slices():
            pass
        return self.state

    def _records(self, header: BatchHeader, batch: bytes | memoryview) -> Iterator[int]:
        read_partition, flush = self._partitions.read, self._partitions.flush
        fill = self._filling.fill
        records, until = self.records, self._slice_ends  # a slice may end in any later batch
        try:
            for record in walk_records(batch, header):
                value = record.value
                if type(value) is not bytes or record.key is not None or not read_partition(value):
                    flush()
                    fill(metadata_record_of(record))
                records += 1
                if records == until:
                    until = self._slice_ends = until + LOAD_SLICE_RECORDS
                    self.records = records
                    yield records
        except BatchError as error:
            raise InvariantViolated(
                f"the batch at offset {header.base_offset} cannot be read: {error.reason}"
            ) from error
        self.records = records
