"""The exporter's figures that mean the same on one of our own nodes, under its names (257).

Those of replicas are the leader's alone, which is left to tell them: others leave them out. A test
holds names, kinds and meanings against the exporter's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from metaquorum.client.quorum_view import Replica, role_of, voters_behind, voters_silent
from metaquorum.metadata.entry_counts import entry_counts
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.node.own_view import led_replicas
from metaquorum.observe.metrics import Reading, Registry
from metaquorum.runtime.driver.driver import Driver

_QUORUM: Final = "metaquorum:type=quorum"
_LOG: Final = "metaquorum:type=log"
_CLUSTER: Final = "metaquorum:type=cluster"
_REPLICA: Final = ("node", "role")


def register_cluster_metrics(registry: Registry, driver: Driver, cluster_id: str) -> None:
    """Gauges of the quorum, its log and the cluster, as `metaquorum exporter` has them."""
    registry.text(_QUORUM, "", lambda: cluster_id, "The cluster's id", label="cluster_id")
    _register_replicas(registry, driver)
    _register_log(registry, driver)
    _register_state(registry, driver)


def _register_replicas(registry: Registry, driver: Driver) -> None:
    def each(name: str, about: str, read: Callable[[Replica], Reading]) -> None:
        def rows() -> Iterator[tuple[tuple[object, ...], Reading]]:
            told: set[tuple[object, ...]] = set()
            for one in led_replicas(driver):
                labels = (one.id, role_of(one))
                if labels not in told:  # a directory that was replaced has a row of its own
                    told.add(labels)
                    yield labels, read(one)

        registry.table(f"{_QUORUM},name={name}", _REPLICA, rows, about)

    def count(name: str, about: str, read: Callable[[list[Replica]], int]) -> None:
        def reading() -> int | None:
            replicas = led_replicas(driver)
            return read(replicas) if replicas else None

        registry.gauge(_QUORUM, name, reading, about)

    each(
        "replica-lag-offsets",
        "Offsets from a replica's log end to the leader's",
        lambda one: one.lag_records,
    )
    each(
        "replica-behind-ms",
        "Milliseconds since a replica had all records, by the leader's clock",
        lambda one: one.behind_ms,
    )
    each(
        "replica-since-fetch-ms",
        "Milliseconds since the leader was last asked by a replica, by the leader's clock",
        lambda one: one.since_fetch_ms,
    )
    count(
        "voters-behind",
        "Voters that have not had all records for more than 5 s, or not since this leader leads",
        voters_behind,
    )
    count(
        "voters-silent",
        "Voters that the leader has not been asked by for more than 5 s",
        voters_silent,
    )


def _register_log(registry: Registry, driver: Driver) -> None:
    """Of this node's own log, which on the leader is the one that the exporter speaks of."""
    log = driver.replica.log

    def snapshot_end() -> int | None:
        newest = log.newest_snapshot
        return None if newest is None else newest.offset

    def snapshot_lag() -> int | None:
        end, watermark = snapshot_end(), log.high_watermark
        return None if end is None or watermark is None else watermark - end

    leads = driver.replica.summary

    def led(read: Callable[[], int | None]) -> Callable[[], int | None]:
        return lambda: read() if leads().is_leader else None

    registry.gauge(
        _LOG, "start-offset", led(lambda: log.start), "The first offset of the leader's log"
    )
    registry.gauge(
        _LOG,
        "snapshot-end-offset",
        led(snapshot_end),
        "Where the leader's latest snapshot ends",
    )
    registry.gauge(
        _LOG,
        "snapshot-lag-offsets",
        led(snapshot_lag),
        "Offsets from there to the high watermark",
    )


def _register_state(registry: Registry, driver: Driver) -> None:
    def gauge(name: str, about: str, read: Callable[[StateView], int]) -> None:
        registry.gauge(_CLUSTER, name, lambda: read(driver.controller.committed()), about)

    gauge("brokers-registered", "Registered brokers, fenced or not", lambda view: len(view.brokers))
    gauge(
        "controllers-registered",
        "Registered controllers (KIP-919)",
        lambda view: len(view.controllers),
    )
    registry.gauges(
        f"{_CLUSTER},name=entries",
        "kind",
        lambda: entry_counts(driver.controller.committed()).items(),
        "What else the state holds",
    )
