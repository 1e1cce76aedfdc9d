"""A request in an Envelope, and the answer out of it."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import PeerError
from metaquorum.wire.enveloping import Asker, enveloped, opened
from metaquorum.wire.generated import alter_configs_request, default_principal_data, index
from metaquorum.wire.generated.alter_configs_request import (
    AlterConfigsRequest,
    AlterConfigsResource,
)
from metaquorum.wire.generated.alter_configs_response import (
    AlterConfigsResourceResponse,
    AlterConfigsResponse,
)
from metaquorum.wire.generated.envelope_response import EnvelopeResponse
from metaquorum.wire.headers import RequestHeader, put_response_header, read_request_header
from metaquorum.wire.primitives import Parts, joined

ALTER_CONFIGS = 33
ASKED = AlterConfigsRequest([AlterConfigsResource(2, "t")], False)


def header(version: int = 2) -> RequestHeader:
    return RequestHeader(ALTER_CONFIGS, version, 77, "me")


@pytest.mark.parametrize("version", [0, 1, 2])
def test_the_request_is_inside_with_its_header_and_whose_it_is(version: int) -> None:
    sealed = enveloped(header(version), ASKED, Asker("User:a:b", "10.0.0.9", by_token=True))
    found, at = read_request_header(bytes(sealed.request_data))
    assert found == header(version)
    inner = alter_configs_request.decode(bytes(sealed.request_data), version, at)
    assert inner == ASKED
    principal = bytes(sealed.request_principal or b"")
    assert principal[:2] == b"\0\0"
    who = default_principal_data.decode(principal, 0, 2)
    assert (who.type, who.name, who.token_authenticated) == ("User", "a:b", True)


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("10.0.0.9", b"\x0a\0\0\x09"),
        ("0:0:0:0:0:0:0:1", bytes(15) + b"\1"),
        ("fe80:0:0:0:0:0:0:1%eth0", b"\xfe\x80" + bytes(13) + b"\1"),
        ("", bytes(4)),
    ],
)
def test_an_address_is_told_in_four_or_sixteen_bytes(host: str, address: bytes) -> None:
    sealed = enveloped(header(), ASKED, Asker("User:anna", host))
    assert bytes(sealed.client_host_address) == address


def answer(correlation: int, version: int) -> EnvelopeResponse:
    parts: Parts = []
    put_response_header(parts, ALTER_CONFIGS, version, correlation)
    told = AlterConfigsResponse(0, [AlterConfigsResourceResponse(0, None, 2, "t")])
    index.response_codec(ALTER_CONFIGS).put(parts, told, version)
    return EnvelopeResponse(joined(parts), 0)


@pytest.mark.parametrize("version", [0, 1, 2])
def test_the_answer_comes_out_in_the_version_of_the_request(version: int) -> None:
    found = opened(header(version), answer(77, version))
    assert [one.resource_name for one in found.responses] == ["t"]


def test_an_answer_to_another_request_is_the_peers_fault() -> None:
    with pytest.raises(PeerError, match="an answer to request 78"):
        opened(header(), answer(78, 2))


def test_an_answer_of_nothing_is_the_peers_fault() -> None:
    with pytest.raises(PeerError):
        opened(header(), EnvelopeResponse(None, 0))
