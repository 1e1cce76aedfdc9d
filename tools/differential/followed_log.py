"""The log of a controller, followed into a state of ours from request to request."""

from __future__ import annotations

import contextlib
from typing import Literal

from attrs import define, field

from metaquorum.client.metadata_log import MetadataLogReader
from metaquorum.records.metadata_record import MetadataRecord, decode_metadata_record
from metaquorum.testing.partitions import Cluster
from tools.kafka.ports import LOOPBACK


@define
class FollowedLog:
    """``state`` is what the log of the controller at ``port`` said when it was last looked at."""

    port: int
    state: Cluster = field(factory=Cluster)
    next_offset: int = 0

    def follow(self) -> list[MetadataRecord]:
        """Replay what the controller wrote since, and return it."""
        records = []
        start: Literal["beginning"] | int = self.next_offset or "beginning"
        with contextlib.closing(MetadataLogReader([(LOOPBACK, self.port)], start=start)) as reader:
            for one in reader.records():
                self.next_offset = one.offset + 1
                if not one.control and one.value is not None:
                    records.append(decode_metadata_record(one.value))
        self.state.replay(*records)
        return records
