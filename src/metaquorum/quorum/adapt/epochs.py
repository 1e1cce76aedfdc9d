"""What Vote, BeginQuorumEpoch and EndQuorumEpoch share: their answers, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.quorum.adapt.forms import (
    INCONSISTENT_CLUSTER_ID,
    INVALID_REQUEST,
    AnswerContext,
    Settled,
    cluster_differs,
    endpoint_rows,
    hint_of,
    is_metadata_log,
    leader_number,
)
from metaquorum.quorum.messages import NONE, EpochResponse, Hint, Refused, VoteResponse

WITH_DIRECTORIES = 1


def refused_at_the_top(request: Any, cluster_id: str, answer: type[Any]) -> Settled | None:
    """The answer to a request for another cluster or log; None if it is for ours."""
    if cluster_differs(request.cluster_id, cluster_id):
        return Settled(answer(error_code=INCONSISTENT_CLUSTER_ID))
    if not is_metadata_log(request.topics):
        return Settled(answer(error_code=INVALID_REQUEST))
    return None


def epoch_answers(
    given: Any, make: Callable[[], Any]
) -> tuple[
    Callable[[int, Any, EpochResponse, AnswerContext], Any],
    Callable[[int, Any, str], EpochResponse | Refused],
]:
    """``write_response`` and ``read_response`` of the API whose module of answers is ``given``."""

    def write_response(
        version: int, request: Any, response: EpochResponse, context: AnswerContext
    ) -> Any:
        answer = make()
        fill_answer(answer, given, version, response, context)
        return answer

    def read_response(version: int, response: Any, listener: str) -> EpochResponse | Refused:
        heard = read_answer(response, listener)
        if isinstance(heard, Refused):
            return heard
        row, hint = heard
        return EpochResponse(row.error_code, hint)

    return write_response, read_response


def fill_answer(
    answer: Any,
    given: Any,
    version: int,
    response: EpochResponse | VoteResponse,
    context: AnswerContext,
    **more: Any,
) -> None:
    """Put the one row of an answer in its place, with ``more`` fields; ``given`` is its module."""
    row = given.PartitionData(
        partition_index=METADATA_PARTITION,
        error_code=response.error,
        leader_id=leader_number(response.hint),
        leader_epoch=response.hint.epoch,
        **more,
    )
    answer.topics = [given.TopicData(topic_name=METADATA_TOPIC, partitions=[row])]
    if version >= WITH_DIRECTORIES:
        answer.node_endpoints = endpoint_rows(given, response.hint, context.listener)


def read_answer(response: Any, listener: str) -> tuple[Any, Hint] | Refused:
    """The one row of an answer and the leader it names; one about another log is a refusal."""
    if response.error_code != NONE:
        return Refused(response.error_code)
    if not is_metadata_log(response.topics):
        return Refused(INVALID_REQUEST)
    row = response.topics[0].partitions[0]
    return row, hint_of(row.leader_id, row.leader_epoch, response.node_endpoints, listener)
