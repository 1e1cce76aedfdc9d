"""Who asks beside a large bench goes on with a controller that has stepped down meanwhile."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from attrs import define, field

from metaquorum.wire.generated import (
    broker_heartbeat_response,
    create_topics_response,
    describe_quorum_response,
    error_codes,
    fetch_response,
)
from tools.bench import scale_bystander
from tools.bench.scale_bystander import Follower, answered, heartbeat, validation


@define
class Scripted:
    """A connection that gives these answers, one after the other."""

    answers: list[Any]
    asked: list[Any] = field(factory=list)

    def best_version(self, api_key: int, least: int = 0) -> int:
        return least

    def ask(self, api_key: int, version: int, request: Any) -> Any:
        self.asked.append(request)
        return self.answers.pop(0)


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses that it makes, which take no time."""
    made: list[float] = []
    monkeypatch.setattr(scale_bystander.time, "sleep", made.append)
    return made


def fetched(code: int) -> fetch_response.FetchResponse:
    part = fetch_response.PartitionData(0, error_code=code)
    return fetch_response.FetchResponse(
        responses=[fetch_response.FetchableTopicResponse(partitions=[part])]
    )


def created(code: int) -> create_topics_response.CreateTopicsResponse:
    row = create_topics_response.CreatableTopicResult("other", error_code=code)
    return create_topics_response.CreateTopicsResponse(topics=[row])


def told(codes: Sequence[int]) -> list[Any]:
    return [broker_heartbeat_response.BrokerHeartbeatResponse(error_code=one) for one in codes]


def test_a_heartbeat_waits_until_the_controller_leads_again(pauses: list[float]) -> None:
    connection = Scripted(told([error_codes.NOT_CONTROLLER] * 2 + [error_codes.NONE]))
    assert answered(connection, heartbeat(1, 2)).error_code == error_codes.NONE
    assert (len(connection.asked), len(pauses)) == (3, 2)


def test_the_code_of_a_topic_is_looked_at_as_well(pauses: list[float]) -> None:
    connection = Scripted([created(error_codes.NOT_CONTROLLER), created(error_codes.NONE)])
    assert answered(connection, validation()).topics[0].error_code == error_codes.NONE
    assert len(pauses) == 1


def test_another_refusal_is_no_reason_to_wait(pauses: list[float]) -> None:
    connection = Scripted(told([error_codes.STALE_BROKER_EPOCH]))
    assert answered(connection, heartbeat(1, 2)).error_code == error_codes.STALE_BROKER_EPOCH
    assert not pauses


def test_a_fetch_goes_on_in_the_leaders_next_epoch(
    pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    parts = [None, describe_quorum_response.PartitionData(leader_epoch=8, high_watermark=50)]
    monkeypatch.setattr(scale_bystander, "describe_partition", lambda *_: parts.pop(0))
    codes = (
        *(error_codes.NOT_LEADER_OR_FOLLOWER, error_codes.FENCED_LEADER_EPOCH),
        error_codes.NONE,
    )
    connection = Scripted([fetched(one) for one in codes])
    follower = Follower(connection, 0, epoch=7, last_epoch=7, offset=40)
    assert not follower.take(follower.ask())
    asked = [one.topics[0].partitions[0] for one in connection.asked]
    assert [one.current_leader_epoch for one in asked] == [7, 7, 8]
    assert [one.last_fetched_epoch for one in asked] == [7, 7, 7]
    assert {one.fetch_offset for one in asked} == {40}
