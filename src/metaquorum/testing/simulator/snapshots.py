"""A node writes a snapshot of what it has committed, as its snapshot task would."""

from __future__ import annotations

from typing import Any

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.quorum.events import SnapshotWritten
from metaquorum.quorum.voters import VoterHistory, VoterSet
from metaquorum.records.control import ControlType
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.storage.snapshot_files import write_snapshot
from metaquorum.testing.simulator.node import PATH, SimNode
from metaquorum.wire.generated import kraft_version_record, voters_record
from metaquorum.wire.generated.records import client_quota_record as quota
from metaquorum.wire.generated.records import feature_level_record as feature


def take_snapshot(node: SimNode) -> bool:
    """Write one if there is anything new in it; raises DiskFailed."""
    driver, directory = node.running.driver, node.running.directory
    state, replica = driver.controller.state, driver.replica
    place = state.provenance
    end = OffsetAndEpoch(place.epoch, place.end_offset)
    newest = replica.log.newest_snapshot
    if place.epoch < 0 or (newest is not None and end.offset <= newest.offset):
        return False
    if end.offset > (replica.log.high_watermark or 0):
        return False
    batches = snapshot_batches(
        epoch=end.epoch,
        timestamp_ms=node.clock.wall_ms(),
        last_contained_ms=place.timestamp_ms,
        controls=_controls(replica.voters, end.offset),
        values=_values(state.committed()),
    )
    facts = write_snapshot(node.disk, PATH, end, batches)
    directory.snapshots.refresh()
    driver.tell(SnapshotWritten(end, facts.size_bytes))
    return True


def _controls(history: VoterHistory, below: int) -> list[tuple[ControlType, Any]]:
    """kraft.version and voters as the records below an offset have them."""
    levels = [level for at, level in history.versions if at < below]
    sets = [voters for at, voters in history.sets if at < below]
    if not levels or levels[-1] < 1 or not sets:
        return []
    return [
        (ControlType.KRAFT_VERSION, kraft_version_record.KRaftVersionRecord(0, levels[-1])),
        (ControlType.KRAFT_VOTERS, voters_record.VotersRecord(0, _rows(sets[-1]))),
    ]


def _rows(voters: VoterSet) -> list[voters_record.Voter]:
    return [
        voters_record.Voter(
            voter_id=voter.id,
            voter_directory_id=voter.key.directory_id or bytes(16),
            endpoints=[
                voters_record.Endpoint(one.listener, one.host, one.port) for one in voter.endpoints
            ],
            kraft_version_feature=voters_record.KRaftVersionFeature(
                voter.lowest_kraft_version, voter.highest_kraft_version
            ),
        )
        for voter in voters
    ]


def _values(view: StateView) -> list[bytes]:
    values = [
        encode_metadata_record(feature.API_KEY, feature.FeatureLevelRecord(name, level), 0)
        for name, level in sorted(dict(view.features).items())
    ]
    for entity, quotas in sorted(view.quotas.items()):
        for key, value in sorted(quotas.items()):
            parts = [quota.EntityData(kind, name) for kind, name in entity]
            record = quota.ClientQuotaRecord(parts, key, value)
            values.append(encode_metadata_record(quota.API_KEY, record, 0))
    return values
