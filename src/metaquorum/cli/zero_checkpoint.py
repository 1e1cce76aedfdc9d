"""The bytes of a cluster's first snapshot, ``0-0``: its voters and its bootstrap records.

KIP-853 put the voters there, KIP-1170 the metadata records too. One control batch (header, and
with kraft.version 1 its record and the voters), one batch of metadata records, one control batch
with the footer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from metaquorum.base.clock import Millis
from metaquorum.quorum.types import Voter
from metaquorum.records.builder import KeyValue, build_batch
from metaquorum.records.control import ControlType, encode_control
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.wire.generated import (
    kraft_version_record,
    snapshot_footer_record,
    snapshot_header_record,
    voters_record,
)
from metaquorum.wire.generated.records import feature_level_record


def zero_checkpoint(
    levels: Mapping[str, int],
    kraft_version: int,
    voters: Sequence[Voter],
    now_ms: Millis,
) -> bytes:
    """The whole file. ``levels`` in the order in which they are to stand there; 0 is left out.

    ``voters`` may be empty: then no voters record is written, and the quorum learns them
    otherwise (static voters, or a controller that is to join).
    """
    controls = [_header(now_ms)]
    if kraft_version > 0:
        controls.append(_kraft_version(kraft_version))
    if voters:
        controls.append(_voters(voters))
    records = feature_records(levels)
    return b"".join(_batches([(controls, True), (records, False), ([_footer()], True)], now_ms))


def feature_records(levels: Mapping[str, int]) -> list[KeyValue]:
    """A FeatureLevelRecord for each feature that is in use."""
    records: list[KeyValue] = []
    for name, level in levels.items():
        if level > 0:
            message = feature_level_record.FeatureLevelRecord(name, level)
            records.append((None, encode_metadata_record(feature_level_record.API_KEY, message, 0)))
    return records


def legacy_pair(
    levels: Mapping[str, int], kraft_version: int, voters: Sequence[Voter], now_ms: Millis
) -> tuple[bytes | None, bytes]:
    """What releases before 4.4 read instead: the checkpoint, if any, and bootstrap.checkpoint.

    The first holds control records only, and is not written without voters; the second holds the
    metadata records, between a header and a footer of its own.
    """
    checkpoint = None
    if voters:
        controls = [_header(now_ms), _kraft_version(kraft_version), _voters(voters)]
        checkpoint = b"".join(_batches([(controls, True), ([_footer()], True)], now_ms))
    records = feature_records(levels)
    parts = [([_header(0)], True), (records, False), ([_footer()], True)]
    return checkpoint, b"".join(_batches(parts, now_ms))


def _batches(groups: Sequence[tuple[list[KeyValue], bool]], now_ms: Millis) -> list[bytes]:
    built, offset = [], 0
    for records, control in groups:
        built.append(build_batch(records, timestamp_ms=now_ms, base_offset=offset, control=control))
        offset += len(records)
    return built


def _header(timestamp_ms: Millis) -> KeyValue:
    message = snapshot_header_record.SnapshotHeaderRecord(0, timestamp_ms)
    return encode_control(ControlType.SNAPSHOT_HEADER, message)


def _footer() -> KeyValue:
    return encode_control(
        ControlType.SNAPSHOT_FOOTER, snapshot_footer_record.SnapshotFooterRecord(0)
    )


def _kraft_version(level: int) -> KeyValue:
    message = kraft_version_record.KRaftVersionRecord(0, level)
    return encode_control(ControlType.KRAFT_VERSION, message)


def _voters(voters: Sequence[Voter]) -> KeyValue:
    rows = [
        voters_record.Voter(
            voter_id=voter.key.id,
            voter_directory_id=voter.key.directory_id or bytes(16),
            endpoints=[
                voters_record.Endpoint(one.listener, one.host, one.port) for one in voter.endpoints
            ],
            kraft_version_feature=voters_record.KRaftVersionFeature(0, 1),
        )
        for voter in voters
    ]
    return encode_control(ControlType.KRAFT_VOTERS, voters_record.VotersRecord(0, rows))
