"""A client's request in an Envelope (KIP-590), and the answer out of it."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final

from attrs import frozen

from metaquorum.base.errors import PeerError
from metaquorum.base.principals import type_and_name
from metaquorum.wire.generated import default_principal_data, index
from metaquorum.wire.generated.default_principal_data import DefaultPrincipalData
from metaquorum.wire.generated.envelope_request import EnvelopeRequest
from metaquorum.wire.generated.envelope_response import EnvelopeResponse
from metaquorum.wire.headers import RequestHeader, put_request_header, read_response_header
from metaquorum.wire.message import AnyMessage, Message
from metaquorum.wire.primitives import Parts, joined

_NO_ADDRESS: Final = bytes(4)


@frozen
class Asker:
    """Whose the request is: a principal, such as ``User:anna``, at an address.

    ``by_token``: a delegation token proved it.
    """

    principal: str
    host: str
    by_token: bool = False


def enveloped(header: RequestHeader, message: Message, asker: Asker) -> EnvelopeRequest:
    """The Envelope that has ``message`` inside."""
    parts: Parts = []
    put_request_header(parts, header)
    index.request_codec(header.api_key).put(parts, message, header.api_version)
    kind, name = type_and_name(asker.principal)
    version = default_principal_data.HIGHEST_VERSION
    principal = DefaultPrincipalData(kind, name, asker.by_token)
    return EnvelopeRequest(
        request_data=joined(parts),
        request_principal=version.to_bytes(2, "big")
        + bytes(default_principal_data.encode(principal, version)),
        client_host_address=_address(asker.host),
    )


def opened(header: RequestHeader, answer: EnvelopeResponse) -> AnyMessage:
    """The inner answer to the request with that header; PeerError if it is another's."""
    data = bytes(answer.response_data or b"")
    key, version = header.api_key, header.api_version
    correlation, position = read_response_header(data, key, version)
    if correlation != header.correlation_id:
        raise PeerError(f"an answer to request {correlation} in an Envelope")
    return index.response_codec(key).decode(data, version, position)


def _address(host: str) -> bytes:
    """The bytes of an address as access rules name it; the zone of one stays behind."""
    return ip_address(host.partition("%")[0]).packed if host else _NO_ADDRESS
