"""The bytes of a cluster's first snapshot, ``0-0``: its voters and its bootstrap records.

KIP-853 put the voters there, KIP-1170 the metadata records too. One control batch (header, and
with kraft.version 1 its record and the voters), the metadata records in batches of at most 8 MiB,
one control batch with the footer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from metaquorum.base.clock import Millis
from metaquorum.quorum.types import Voter
from metaquorum.records.control import ControlType
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.wire.generated import kraft_version_record, voters_record
from metaquorum.wire.generated.records import feature_level_record

if TYPE_CHECKING:
    from metaquorum.wire.generated.records.user_scram_credential_record import (
        UserScramCredentialRecord,
    )

_SCRAM_CREDENTIAL: Final = 11  # the codec is only loaded for the users of a format that names some


def zero_checkpoint(
    levels: Mapping[str, int],
    kraft_version: int,
    voters: Sequence[Voter],
    now_ms: Millis,
    credentials: Sequence[UserScramCredentialRecord] = (),
) -> bytes:
    """The whole file. ``levels`` in the order in which they are to stand there; 0 is left out.

    ``voters`` may be empty: then no voters record is written, and the quorum learns them
    otherwise (static voters, or a controller that is to join).
    """
    return _snapshot(
        now_ms, now_ms, _controls(kraft_version, voters), bootstrap_values(levels, credentials)
    )


def bootstrap_values(
    levels: Mapping[str, int], credentials: Sequence[UserScramCredentialRecord] = ()
) -> list[bytes]:
    """A FeatureLevelRecord for each feature that is in use, then the users' credentials."""
    features = (
        feature_level_record.FeatureLevelRecord(name, level)
        for name, level in levels.items()
        if level > 0
    )
    return [
        *(encode_metadata_record(feature_level_record.API_KEY, one, 0) for one in features),
        *(encode_metadata_record(_SCRAM_CREDENTIAL, one, 0) for one in credentials),
    ]


def legacy_pair(
    levels: Mapping[str, int],
    kraft_version: int,
    voters: Sequence[Voter],
    now_ms: Millis,
    credentials: Sequence[UserScramCredentialRecord] = (),
) -> tuple[bytes | None, bytes]:
    """What releases before 4.4 read instead: the checkpoint, if any, and bootstrap.checkpoint.

    The first holds control records only, and is not written without voters; the second holds the
    metadata records, between a header and a footer of its own.
    """
    checkpoint = None
    if voters:
        checkpoint = _snapshot(now_ms, now_ms, _controls(kraft_version, voters), [])
    return checkpoint, _snapshot(now_ms, 0, [], bootstrap_values(levels, credentials))


def _snapshot(
    now_ms: Millis,
    last_contained_ms: Millis,
    controls: Sequence[tuple[ControlType, Any]],
    values: Sequence[bytes],
) -> bytes:
    return b"".join(
        snapshot_batches(
            epoch=0,
            timestamp_ms=now_ms,
            last_contained_ms=last_contained_ms,
            controls=controls,
            values=values,
        )
    )


def _controls(kraft_version: int, voters: Sequence[Voter]) -> list[tuple[ControlType, Any]]:
    controls: list[tuple[ControlType, Any]] = []
    if kraft_version > 0:
        message = kraft_version_record.KRaftVersionRecord(0, kraft_version)
        controls.append((ControlType.KRAFT_VERSION, message))
    if voters:
        rows = [_voter(one) for one in voters]
        controls.append((ControlType.KRAFT_VOTERS, voters_record.VotersRecord(0, rows)))
    return controls


def _voter(voter: Voter) -> voters_record.Voter:
    return voters_record.Voter(
        voter_id=voter.key.id,
        voter_directory_id=voter.key.directory_id or bytes(16),
        endpoints=[
            voters_record.Endpoint(one.listener, one.host, one.port) for one in voter.endpoints
        ],
        kraft_version_feature=voters_record.KRaftVersionFeature(0, 1),
    )
