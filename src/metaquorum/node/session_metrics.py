"""Fetch sessions as metrics, under Kafka's MBean names (KIP-227), and their memory under ours."""

from __future__ import annotations

from typing import Final

from metaquorum.fetch.session_cache import SessionCache
from metaquorum.observe.metrics import Registry

CACHE: Final = "kafka.server:type=FetchSessionCache,name={}"
OURS: Final = "metaquorum:type=fetch-sessions"


def register_session_metrics(registry: Registry, sessions: SessionCache) -> None:
    """Sessions, their partitions, evictions (a session that is closed is none), and bytes."""
    registry.gauge(
        CACHE.format("NumIncrementalFetchSessions"),
        "Value",
        lambda: len(sessions),
        "Fetch sessions that exist",
    )
    registry.gauge(
        CACHE.format("NumIncrementalFetchPartitionsCached"),
        "Value",
        lambda: sessions.partition_count,
        "Partitions of all fetch sessions",
    )
    registry.counter(
        CACHE.format("IncrementalFetchSessionEvictionsPerSec"),
        "Fetch sessions that had to give way to another",
        lambda: sessions.evictions,
    )
    registry.gauge(
        OURS, "held-bytes", lambda: sessions.held_bytes, "Bytes that fetch sessions are charged for"
    )
