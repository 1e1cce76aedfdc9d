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
from metaquorum.server.contract.api import SITES
from metaquorum.server.contract.site import Site
from metaquorum.testing.fake_house import house_of_eight
from metaquorum.testing.pipeline_client import Exchange, PipelineClient
from metaquorum.testing.schemas import message
from metaquorum.testing.strategies import messages
from metaquorum.testing.values import build
from metaquorum.wire.message import Message

LATER_MS = 1 << 40
TOPIC_FIELDS = ("name", "topic", "topic_name", "resource_name")

each_site = pytest.mark.parametrize("site", SITES, ids=lambda site: site.name)


def any_request(data: st.DataObject, site: Site) -> tuple[Any, int]:
    """A message that the API's schema allows, in a version that is listed."""
    version = data.draw(st.integers(site.lowest, site.highest))
    schema = message(f"{site.name}Request")
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
    return PipelineClient(house_of_eight(state=MetadataState().committed()))


def settle(asker: PipelineClient, exchange: Exchange) -> None:
    """Let whatever is parked be answered."""
    for answer in asker.house.answers:
        answer.fail(RequestError(41, "not here"))
    asker.house.watermark.expire(LATER_MS)


@each_site
@settings(max_examples=30, derandomize=True, deadline=None)
@given(data=st.data())
def test_any_request_gets_an_answer_that_can_be_read(site, data):
    asked, version = any_request(data, site)
    if data.draw(st.booleans()):
        about_the_metadata_topic(asked)
    asker = client()
    if data.draw(st.booleans()):
        asker.pipeline.stopping = True
    try:
        exchange = asker.send(asked, version)
    except PeerError:
        assert site.name == "Produce"
        assert asked.acks == 0
        return
    settle(asker, exchange)
    assert exchange.response is not None


@each_site
@settings(max_examples=15, derandomize=True, deadline=None)
@given(data=st.data())
def test_any_request_can_be_refused(site, data):
    asked, version = any_request(data, site)
    asker = client()
    asker.pipeline.authoriser = Refuser()
    try:
        exchange = asker.send(asked, version)
    except PeerError:
        assert site.name == "Produce"
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
    key=st.sampled_from([site.key for site in SITES]),
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
