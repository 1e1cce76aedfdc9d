"""Answers to fetches that hundreds ask alike: built once for everybody who stands at one place.

Hosts know an answer that they have encoded before by its being the same object.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import define, field

from metaquorum.base.limits import SHARED_FETCH_ANSWERS
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.quorum.log_view import LogView, Valid
from metaquorum.quorum.messages import NONE, FetchRequest, FetchResponse, LogSlice
from metaquorum.quorum.types import ElectionState

if TYPE_CHECKING:
    from metaquorum.quorum.replica import Replica


@define(eq=False)
class FetchAnswers:
    """What a leader says of its log as it is, by where the asker stands and how much it takes.

    Log and election are values: while both are the same objects, so are the answers. It remembers
    nothing that could not be built again, so it is no part of a replica's state.
    """

    _log: LogView | None = None
    _election: ElectionState | None = None
    _answers: dict[tuple[Offset, int], FetchResponse] = field(factory=dict)
    _valid: set[tuple[Offset, Epoch]] = field(factory=set)

    def __len__(self) -> int:
        return len(self._answers)

    def is_valid(self, replica: Replica, offset: Offset, epoch: Epoch) -> bool:
        """Whether a log that ends so is the beginning of this one (``LogView.place``)."""
        if self._log is not replica.log or self._election is not replica.election:
            self._forget(replica)
        asked = (offset, epoch)
        if asked in self._valid:
            return True
        valid = isinstance(replica.log.place(offset, epoch), Valid)
        if valid and len(self._valid) < SHARED_FETCH_ANSWERS:
            self._valid.add(asked)
        return valid

    def _forget(self, replica: Replica) -> None:
        self._log, self._election = replica.log, replica.election
        self._answers.clear()
        self._valid.clear()

    def to(self, replica: Replica, request: FetchRequest) -> FetchResponse:
        """Whatever there is beyond the asker's end, committed or not, with the watermark of now."""
        if self._log is not replica.log or self._election is not replica.election:
            self._forget(replica)
        asked = (request.offset, request.max_bytes)
        answer = self._answers.get(asked)
        if answer is None:
            answer = _built(replica, request)
            if len(self._answers) < SHARED_FETCH_ANSWERS:
                self._answers[asked] = answer
        return answer


def _built(replica: Replica, request: FetchRequest) -> FetchResponse:
    log = replica.log
    records: LogSlice | None = None
    if log.end > request.offset:
        records = LogSlice(request.offset, request.max_bytes, log.end)
    return FetchResponse(
        NONE,
        replica.hint,
        high_watermark=replica.shown_high_watermark,
        log_start=log.start,
        records=records,
    )
