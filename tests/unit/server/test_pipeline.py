"""The pipeline: which requests are served, which end the connection, which get a code."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import PeerError, RequestError
from metaquorum.server.pipeline.answer_frames import framed_in_few
from metaquorum.testing.fake_services import plain_config, services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient, request_frame
from metaquorum.wire.errors import DecodeError
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest
from metaquorum.wire.generated.describe_quorum_request import DescribeQuorumRequest
from metaquorum.wire.generated.list_groups_request import ListGroupsRequest
from metaquorum.wire.generated.metadata_request import MetadataRequest
from metaquorum.wire.generated.vote_request import VoteRequest
from metaquorum.wire.slices import FileSlice, Parts

BOTH_KINDS = "CONTROLLER://127.0.0.1:0,PLAINTEXT://127.0.0.1:0"


def raw(key: int, version: int, body: bytes = b"\xff\xff") -> bytes:
    return (
        key.to_bytes(2, "big", signed=True)
        + version.to_bytes(2, "big", signed=True)
        + bytes(4)
        + body
    )


@pytest.mark.parametrize("key", [-1, 4, 5, 6, 7, 71, 500, 32_767])
def test_an_unknown_or_unserved_api_ends_the_connection(key):
    with pytest.raises(PeerError):
        PipelineClient(services_with_eight_records()).send_raw(raw(key, 0))


@pytest.mark.parametrize(("key", "version"), [(1, 19), (1, -1), (3, 14), (55, 3), (0, 14), (47, 1)])
def test_a_version_outside_the_range_ends_the_connection(key, version):
    with pytest.raises(PeerError):
        PipelineClient(services_with_eight_records()).send_raw(raw(key, version))


def test_a_body_that_is_none_ends_the_connection_and_names_the_place():
    frame = request_frame(MetadataRequest(topics=[]), 12)[:-3] + b"\xff\xff\xff\xff\xff"
    with pytest.raises(DecodeError, match="MetadataRequest"):
        PipelineClient(services_with_eight_records()).send_raw(frame)


def test_trailing_bytes_are_ignored():
    exchange = PipelineClient(services_with_eight_records()).send(
        ListGroupsRequest(), 0, trailing=b"junk"
    )
    assert exchange.response.error_code == 0


@pytest.mark.parametrize("client_id", [None, "", "x", "ü" * 200])
@pytest.mark.parametrize("version", [0, 3])
def test_a_client_id_may_be_anything_or_nothing(version, client_id):
    frame = request_frame(ListGroupsRequest(), version, client_id=client_id)
    assert PipelineClient(services_with_eight_records()).send_raw(frame).response.error_code == 0


def test_the_quorums_own_apis_are_not_offered_to_clients_listeners():
    services = services_with_eight_records(config=plain_config(BOTH_KINDS))
    PipelineClient(services, "CONTROLLER").send(VoteRequest(), 2)
    assert len(services.asked) == 1
    with pytest.raises(PeerError, match="PLAINTEXT"):
        PipelineClient(services, "PLAINTEXT").send(VoteRequest(), 2)


class NobodyMay:
    """An authoriser that lets nobody do anything that needs a right."""

    is_on = True

    def allows(self, *asked: object) -> bool:
        """No."""
        return False


def test_what_is_not_allowed_is_refused_before_the_handler_sees_it():
    client = PipelineClient(services_with_eight_records())
    client.pipeline.authoriser = NobodyMay()
    exchange = client.send(DescribeQuorumRequest(), 2)
    assert exchange.response.error_code == 31
    assert client.services.asked == []
    assert client.ask(ApiVersionsRequest(), 0).error_code == 0


def test_an_answer_that_comes_later_is_delivered_once_it_is_there():
    client = PipelineClient(services_with_eight_records())
    exchange = client.send(DescribeQuorumRequest(), 2)
    assert exchange.parked is not None
    client.services.answers[0].fail(RequestError(6))
    assert exchange.response.error_code == 6


def test_a_request_that_nobody_waits_for_any_more_is_not_answered():
    client = PipelineClient(services_with_eight_records())
    exchange = client.send(DescribeQuorumRequest(), 2)
    exchange.parked.cancel()
    client.services.answers[0].fail(RequestError(6))
    assert exchange.delivered is None


def test_what_was_served_is_counted_by_name():
    client = PipelineClient(services_with_eight_records())
    client.ask(ListGroupsRequest(), 0)
    client.ask(ListGroupsRequest(), 1)
    assert client.pipeline.statistics() == {"ListGroups": 2}


def test_many_small_parts_are_merged_and_file_slices_stay_unchanged():
    small = [bytes([number]) for number in range(100)]
    one = FileSlice(3, 0, 10)
    size = (220).to_bytes(4, "big")
    assert framed_in_few([*small, one, *small, one]) == [
        size + b"".join(small), one, b"".join(small), one, b""
    ]  # fmt: skip
    few: Parts = [b"a", one, b"b"]
    assert framed_in_few(few) == [(12).to_bytes(4, "big"), *few]


@pytest.mark.parametrize(
    ("each_bytes", "sizes_of_parts"), [(1, [14]), (409, [4_094]), (410, [4, 4_100])]
)
def test_what_is_long_is_not_copied_behind_its_size(
    each_bytes: int, sizes_of_parts: list[int]
) -> None:
    framed = framed_in_few([bytes(each_bytes)] * 10)
    assert [len(part) for part in framed] == sizes_of_parts
    assert int.from_bytes(b"".join(framed)[:4], "big") == 10 * each_bytes  # type: ignore[arg-type]
