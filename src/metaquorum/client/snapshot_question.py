"""Asks a leader which snapshot is its latest and how old it is, without fetching it (KIP-630).

A Fetch at offset 0 is answered with the id of the latest snapshot by a leader that has one. The
first batch of a snapshot says when the last record was written that it holds; it is all that is
asked for, by a FetchSnapshot that nobody keeps state about.
"""

from __future__ import annotations

from typing import Final

from attrs import define, frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.client.connection import Connection
from metaquorum.client.fetch_form import FETCH, LEAST_VERSION, fetch_request, read_answer
from metaquorum.client.leader_question import Elsewhere, LeaderQuestion, error_text
from metaquorum.client.snapshot_download import SnapshotUnavailable, first_piece
from metaquorum.records.batch import read_header
from metaquorum.records.control import ControlType, controls_of
from metaquorum.records.errors import BatchError
from metaquorum.wire.generated import error_codes

FIRST_PIECE_BYTES: Final = 4_096
"""Several times what the first batch of a snapshot takes, the header alone."""
UNKNOWN_MS: Final = -1


@frozen
class LatestSnapshot:
    """Where it ends (not included), and the time of its last record in ms since 1970, -1 if not
    told. ``epoch`` is that of this record.
    """

    end_offset: Offset
    contained_ms: int
    epoch: Epoch


@define
class SnapshotQuestion(LeaderQuestion):
    """The question which snapshot is the latest."""

    def latest(self, epoch: Epoch) -> LatestSnapshot | None:
        """Of the leader of this epoch; None where it has none. OperatorError: nobody said."""
        return self.put(lambda connection: self._ask(connection, epoch), "named its snapshot")

    def _ask(self, connection: Connection, epoch: Epoch) -> LatestSnapshot | None:
        version = connection.best_version(FETCH, least=LEAST_VERSION)
        request = fetch_request(
            epoch=epoch, fetch_offset=0, last_fetched_epoch=epoch, high_watermark=0, wait_ms=0
        )
        answer = read_answer(connection.ask(FETCH, version, request))
        if answer.error_code != error_codes.NONE:
            raise Elsewhere(error_text(answer.error_code, ""), None)
        if answer.snapshot is None:
            return None
        try:
            data = first_piece(connection, epoch, answer.snapshot, FIRST_PIECE_BYTES)
        except SnapshotUnavailable as error:
            raise OperatorError(f"snapshot {_name(answer.snapshot)}: {error}") from None
        snapshot = answer.snapshot
        return LatestSnapshot(snapshot.offset, header_time_ms(data), snapshot.epoch)


def header_time_ms(data: bytes | memoryview) -> int:
    """The time in a snapshot's header batch at the beginning of ``data``; -1 if there is none."""
    try:
        header = read_header(data)
        if header.is_control and header.size_bytes <= len(data):
            for control in controls_of(data, header):
                if control.type == ControlType.SNAPSHOT_HEADER:
                    return int(control.message.last_contained_log_timestamp)
    except BatchError:
        return UNKNOWN_MS
    return UNKNOWN_MS


def _name(snapshot: OffsetAndEpoch) -> str:
    return f"{snapshot.offset}-{snapshot.epoch}"
