"""Answers to fetches as bytes, kept for the next fetch with the same answer.

When a record is committed, hundreds of observers that stand at the end of the log are sent the
same. Replicas get one object from the node; consumers get one each, which differs in the session's
id. Here it is encoded once, and the others get its bytes with their own numbers put in.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from struct import Struct
from typing import TYPE_CHECKING, Final

from attrs import define, field

from metaquorum.base.limits import ENCODED_ANSWER_BYTES, ENCODED_ANSWERS
from metaquorum.base.value import value
from metaquorum.server.pipeline.sender import in_memory
from metaquorum.wire.generated.error_codes import NONE
from metaquorum.wire.primitives import Parts
from metaquorum.wire.slices import FileSlice

if TYPE_CHECKING:
    from metaquorum.wire.generated.fetch_response import FetchableTopicResponse, FetchResponse

_SIZE_BYTES: Final = 4
_SESSIONS_FROM: Final = 7
_TAGS_FROM: Final = 12
_NUMBERS: Final = Struct(">iihi")  # correlation id, throttle time, error, session id
_TAGGED: Final = Struct(">iBihi")  # the same with an empty list of tags behind the first

_Plain = tuple[str, bytes, int, int, int, int]


@value
class _Kept:
    """An encoded answer; ``plain`` if everything but its records is in there, else None."""

    answer: FetchResponse
    rows: (
        Sequence[FetchableTopicResponse] | None
    )  # of an answer in which only they and the numbers in front say anything
    plain: _Plain | None
    version: int
    before: bytes
    after: Parts


@define(eq=False)
class EncodedAnswers:
    """The latest few, newest first."""

    hits: int = 0
    _kept: deque[_Kept] = field(factory=lambda: deque(maxlen=ENCODED_ANSWERS))

    def find(self, answer: FetchResponse, version: int, correlation_id: int) -> Parts | None:
        """The frame of ``answer``, if one like it was encoded before."""
        rows = None if answer.node_endpoints else answer.responses
        for one in self._kept:
            if (one.answer is answer or one.rows is rows is not None) and one.version == version:
                self.hits += 1
                return _framed(one, answer, correlation_id)
        plain = _plain(answer)
        if plain is None or plain[-1] > ENCODED_ANSWER_BYTES:
            return None
        for one in self._kept:
            if one.version == version and one.plain == plain and _same_records(one, answer):
                self.hits += 1
                return _framed(one, answer, correlation_id)
        return None

    def forget(self) -> None:
        """The log is cut: other bytes will stand where the pieces of files are that were kept."""
        self._kept.clear()

    def keep(self, answer: FetchResponse, version: int, parts: Parts) -> Parts:
        """Keep a whole frame; everything before its records is in memory.

        Returns the frame as it is best sent: in one piece, if small pieces of files can be read
        without waiting.
        """
        if version < _SESSIONS_FROM or sum(map(len, parts)) > ENCODED_ANSWER_BYTES:
            return parts
        parts = _joined(parts)
        at = next((at for at, one in enumerate(parts) if isinstance(one, FileSlice)), len(parts))
        first = b"".join(parts[:at])  # type: ignore[arg-type]
        numbers = _TAGGED if version >= _TAGS_FROM else _NUMBERS
        rest: Parts = [first[_SIZE_BYTES + numbers.size :], *parts[at:]]
        rows = None if answer.node_endpoints else answer.responses
        kept = _Kept(answer, rows, _plain(answer), version, first[:_SIZE_BYTES], rest)
        self._kept.appendleft(kept)
        return parts


def _plain(answer: FetchResponse) -> _Plain | None:
    """All that an answer says of its one partition, records left out; None if there is more."""
    topics = answer.responses
    if len(topics) != 1 or len(topics[0].partitions) != 1 or answer.node_endpoints:
        return None
    topic, row = topics[0], topics[0].partitions[0]
    if (
        row.error_code != NONE
        or row.current_leader.leader_epoch != -1
        or row.diverging_epoch.end_offset != -1
        or row.snapshot_id.end_offset != -1
        or row.preferred_read_replica != -1
        or row.aborted_transactions is not None
        or row.last_stable_offset != row.high_watermark
    ):
        return None
    place = topic.topic, bytes(topic.topic_id), row.partition_index
    return *place, row.high_watermark, row.log_start_offset, len(row.records or b"")


def _same_records(kept: _Kept, answer: FetchResponse) -> bool:
    """Whether the records are the same too; their pieces of files stay open while they are kept."""
    known, asked = (one.responses[0].partitions[0].records for one in (kept.answer, answer))
    return bool(known == asked)


def _framed(kept: _Kept, answer: FetchResponse, correlation_id: int) -> Parts:
    after = kept.after
    if len(after) > 1:
        after[:] = _joined(after)
    front = answer.throttle_time_ms, answer.error_code, answer.session_id
    if kept.version >= _TAGS_FROM:
        numbers = _TAGGED.pack(correlation_id, 0, *front)
    else:
        numbers = _NUMBERS.pack(correlation_id, *front)
    return [b"".join((kept.before, numbers, after[0])), *after[1:]]  # type: ignore[arg-type]


def _joined(parts: Parts) -> Parts:
    """The same in one part if small pieces of files can be read without waiting."""
    most = ENCODED_ANSWER_BYTES
    read = [in_memory(part, most) if isinstance(part, FileSlice) else part for part in parts]
    if any(isinstance(part, FileSlice) for part in read):
        return read
    return [b"".join(read)]  # type: ignore[arg-type]
