"""Answers to fetches that hundreds ask alike: built once for everybody who stands at one place.

Hosts know an answer that they have encoded before by its being the same object.
"""

from __future__ import annotations

from typing import Protocol

from attrs import define, field

from metaquorum.base.limits import SHARED_FETCH_ANSWERS
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.quorum.log_view import LogView, Valid
from metaquorum.quorum.messages import NONE, FetchRequest, FetchResponse, Hint, LogSlice
from metaquorum.quorum.types import ElectionState


class LeaderView(Protocol):
    """What an answer to a fetch is made of; ``ReplicaState`` has it all.

    A Protocol, because the state holds the answers and so cannot be imported here.
    """

    @property
    def log(self) -> LogView:
        """The log as it is now."""

    @property
    def election(self) -> ElectionState:
        """The epoch and who leads it."""

    @property
    def hint(self) -> Hint:
        """Leader, epoch and the leader's endpoints; asked for only when an answer is built."""

    @property
    def shown_high_watermark(self) -> Offset:
        """The high watermark that others are sent, -1 while unknown."""


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

    def is_valid(self, leader: LeaderView, offset: Offset, epoch: Epoch) -> bool:
        """Whether a log that ends so is the beginning of this one (``LogView.place``)."""
        if self._log is not leader.log or self._election is not leader.election:
            self._forget(leader)
        asked = (offset, epoch)
        if asked in self._valid:
            return True
        valid = isinstance(leader.log.place(offset, epoch), Valid)
        if valid and len(self._valid) < SHARED_FETCH_ANSWERS:
            self._valid.add(asked)
        return valid

    def _forget(self, leader: LeaderView) -> None:
        self._log, self._election = leader.log, leader.election
        self._answers.clear()
        self._valid.clear()

    def to(self, leader: LeaderView, request: FetchRequest) -> FetchResponse:
        """Whatever there is beyond the asker's end, committed or not, with the watermark of now."""
        if self._log is not leader.log or self._election is not leader.election:
            self._forget(leader)
        asked = (request.offset, request.max_bytes)
        answer = self._answers.get(asked)
        if answer is None:
            answer = _built(leader, request)
            if len(self._answers) < SHARED_FETCH_ANSWERS:
                self._answers[asked] = answer
        return answer


def _built(leader: LeaderView, request: FetchRequest) -> FetchResponse:
    log = leader.log
    records: LogSlice | None = None
    if log.end > request.offset:
        records = LogSlice(request.offset, request.max_bytes, log.end)
    return FetchResponse(
        NONE,
        leader.hint,
        high_watermark=leader.shown_high_watermark,
        log_start=log.start,
        records=records,
    )
