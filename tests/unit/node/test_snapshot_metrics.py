"""What is measured of snapshots, under the names of KIP-630 and of Kafka."""

from __future__ import annotations

from pathlib import Path

from metaquorum.node.snapshot_metrics import register_snapshot_metrics
from metaquorum.observe.metrics import Registry
from tests.unit.node.whole_node import config_of, format_directory, running

PREFIX = "kafka_controller_kafkacontroller_"
QUIET = {"metadata_max_idle_interval_ms": "0"}


def _shown(registry: Registry) -> dict[str, float]:
    return {
        name.lower()
        + sample.suffix
        + "".join(value for key, value in sample.labels if key[0] == "f"): sample.value
        for family in registry.families()
        for sample in family.samples
        for name in (family.name,)
    }


async def test_a_written_and_a_loaded_snapshot_show_in_the_metrics(tmp_path: Path) -> None:
    directory = tmp_path / "data"
    format_directory(directory)
    async with running(config_of(directory, **QUIET)) as run:
        registry = Registry()
        register_snapshot_metrics(registry, run.node.driver, run.node.snapshots)
        assert _shown(registry)[PREFIX + "gensnapshotlatencyms_count"] == 0
        assert await run.node.snapshots.write("test")
        shown = _shown(registry)
        _, size_bytes = run.node.driver.replica.log.snapshots[-1]
        assert shown[PREFIX + "gensnapshotlatencyms_count"] == 1
        assert shown[PREFIX + "snapshotsizebytes"] == size_bytes
        assert shown["kafka_server_snapshotemitter_latestsnapshotgeneratedbytes"] == size_bytes
        assert shown[PREFIX + "snapshotlag"] == 0
        assert shown["kafka_server_metadataloader_finalizedlevelmetadataVersion"] == 30
        assert shown["kafka_server_metadataloader_finalizedlevelkraftVersion"] == 1
        assert "kafka_server_metadataloader_finalizedlevelshareVersion" not in shown
    async with running(config_of(directory, **QUIET)) as again:
        registry = Registry()
        register_snapshot_metrics(registry, again.node.driver, again.node.snapshots)
        shown = _shown(registry)
        assert shown["kafka_server_metadataloader_handleloadsnapshotcount"] == 1
        assert shown[PREFIX + "loadsnapshotlatencyms_count"] == 1
        assert shown["kafka_server_snapshotemitter_latestsnapshotgeneratedbytes"] == size_bytes
