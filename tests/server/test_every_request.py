"""Whatever a client may send in any version that we list: an answer that can be read, or a parking.

One handler that sets a field which an old version cannot carry would end the process; here every
API is asked in every version, with anything that its schema allows.
"""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.base.errors import PeerError, RequestError
from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.metadata.state import MetadataState
from metaquorum.server.contract.api import API_ROWS
from metaquorum.server.contract.api_row import ApiRow
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import Exchange, PipelineClient
from metaquorum.testing.schemas import message
from metaquorum.testing.strategies import messages
from metaquorum.testing.values import build
from metaquorum.wire.message import Message

LATER_MS = 1 << 40
TOPIC_FIELDS = ("name", "topic", "topic_name", "resource_name")

each_api_row = pytest.mark.parametrize("api_row", API_ROWS, ids=lambda api_row: api_row.name)


def any_request(data: st.DataObject, api_row: ApiRow) -> tuple[Any, int]:
    """A message that the API's schema allows, in a version that is listed."""
    version = data.draw(st.integers(api_row.lowest, api_row.highest))
    schema = message(f"{api_row.name}Request")
    return build(schema, data.draw(messages(schema, version))), version


def about_the_metadata_topic(one: Any) -> None:
    """Make every topic named in a request the one that exists."""
    for slot in one.__slots__:
        value = getattr(one, slot)
        if slot == "topic_id":
            setattr(one, slot, METADATA_TOPIC_ID)
        elif slot in TOPIC_FIELDS and isinstance(value, str):
            setattr(one, slot, METADATA_TOPIC)
        elif isinstance(value, list | tuple):
            for item in value:
                if isinstance(item, Message):
                    about_the_metadata_topic(item)


def client() -> PipelineClient:
    return PipelineClient(services_with_eight_records(state=MetadataState().committed()))


def settle(asker: PipelineClient, exchange: Exchange) -> None:
    """Let whatever is parked be answered."""
    for answer in asker.services.answers:
        answer.fail(RequestError(41, "not here"))
    asker.services.watermark.expire(LATER_MS)


@each_api_row
@settings(max_examples=30, derandomize=True, deadline=None)
@given(data=st.data())
def test_any_request_gets_an_answer_that_can_be_read(api_row, data):
    asked, version = any_request(data, api_row)
    if data.draw(st.booleans()):
        about_the_metadata_topic(asked)
    asker = client()
    if data.draw(st.booleans()):
        asker.pipeline.stopping = True
    try:
        exchange = asker.send(asked, version)
    except PeerError:
        assert api_row.name == "Produce"
        assert asked.acks == 0
        return
    settle(asker, exchange)
    assert exchange.response is not None


@each_api_row
@settings(max_examples=15, derandomize=True, deadline=None)
@given(data=st.data())
def test_any_request_can_be_refused(api_row, data):
    asked, version = any_request(data, api_row)
    asker = client()
    asker.pipeline.authoriser = Refuser()
    try:
        exchange = asker.send(asked, version)
    except PeerError:
        assert api_row.name == "Produce"
        return
    settle(asker, exchange)
    assert exchange.response is not None


class Refuser:
    """Lets nobody do anything."""

    is_on = True

    def allows(self, *asked: object) -> bool:
        """No."""
        return False


@settings(max_examples=200, derandomize=True, deadline=None)
@given(
    key=st.sampled_from([api_row.key for api_row in API_ROWS]),
    version=st.integers(0, 20),
    rest=st.binary(max_size=200),
)
def test_any_bytes_are_answered_or_end_the_connection(key, version, rest):
    asker = client()
    frame = key.to_bytes(2, "big") + version.to_bytes(2, "big") + bytes(4) + rest
    try:
        exchange = asker.send_raw(frame)
    except PeerError:
        return
    settle(asker, exchange)
    assert exchange.delivered is not None
