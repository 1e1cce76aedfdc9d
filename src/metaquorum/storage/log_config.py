"""The settings of a log on disk, with the defaults of KRaft."""

from __future__ import annotations

from attrs import frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import METADATA_TOPIC_ID, Uuid


@frozen
class LogConfig:
    """When to begin a new segment, how dense the indexes are, how far ahead to reserve space."""

    segment_bytes: int = 1 << 30  # metadata.log.segment.bytes
    segment_ms: Millis = 7 * 24 * 3600 * 1000  # metadata.log.segment.ms
    index_interval_bytes: int = 4096  # Kafka's index.interval.bytes
    index_bytes: int = 10 << 20  # Kafka's segment.index.bytes
    preallocate_bytes: int = 1 << 20  # reserved at a time beyond the end; 0 switches it off
    topic_id: Uuid = METADATA_TOPIC_ID
