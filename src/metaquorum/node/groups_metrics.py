"""What is measured of ``__consumer_offsets``: the replica, the coordinator and its snapshots.

Under a name of our own, as Kafka has no second partition that is replicated by Raft. There is
nothing to read before the partition is open.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from metaquorum.observe.metrics import Registry

if TYPE_CHECKING:
    from metaquorum.node.groups_partition import GroupsPartition
    from metaquorum.node.groups_supervisor import GroupsPartitionSupervisor

PARTITION: Final = "metaquorum:type=groups-partition"


def register_groups_metrics(
    registry: Registry, keeper: Callable[[], GroupsPartitionSupervisor | None]
) -> None:
    """Gauges; ``keeper`` is asked at every reading, as it comes after the listeners."""

    def gauge(name: str, about: str, read: Callable[[GroupsPartition], float | None]) -> None:
        def reading() -> float | None:
            kept = keeper()
            return None if kept is None or kept.partition is None else read(kept.partition)

        registry.gauge(f"{PARTITION},name={name}", "Value", reading, about)

    gauge(
        "CurrentLeader",
        "The coordinator's node id, -1 while unknown",
        lambda one: -1 if one.driver.leader.leader_id is None else one.driver.leader.leader_id,
    )
    gauge("CurrentEpoch", "The partition's epoch", lambda one: one.driver.replica.epoch)
    gauge("IsCoordinator", "1 on the coordinator", lambda one: int(one.driver.controller.is_active))
    gauge(
        "HighWatermark",
        "The first offset that is not committed, -1 while unknown",
        lambda one: one.driver.watermark.value,
    )
    gauge("LogEndOffset", "Where this node's log ends", lambda one: one.driver.replica.log.end)
    gauge("LogStartOffset", "Where it begins", lambda one: one.driver.replica.log.start)
    gauge("Voters", "How many voters there are", lambda one: len(one.driver.replica.voters.latest))
    gauge("Groups", "Groups of which there is a record", lambda one: _count(one, "groups"))
    gauge("Records", "Records that hold", lambda one: _count(one, "records"))
    gauge(
        "SnapshotFailures",
        "Snapshots that the disk did not take",
        lambda one: one.snapshots.measures.failures.value,
    )


def _count(partition: GroupsPartition, name: str) -> int:
    counted: dict[str, int] = partition.driver.controller.statistics()
    return counted.get(name, 0)
