"""Headers that are damaged, unknown, or of ApiVersions; the good ones are in tests/wire."""

from __future__ import annotations

import pytest

from metaquorum.wire.errors import DecodeError, EncodeError
from metaquorum.wire.headers import (
    RequestHeader,
    put_request_header,
    put_response_header,
    read_request_header,
    read_response_header,
)
from metaquorum.wire.slices import Parts

VOTE = bytes.fromhex("003400020000000700016100")


def test_every_cut_of_a_header_has_a_place() -> None:
    assert read_request_header(VOTE) == (RequestHeader(52, 2, 7, "a"), len(VOTE))
    for end in range(len(VOTE)):
        with pytest.raises(DecodeError) as refused:
            read_request_header(memoryview(VOTE)[:end])
        assert 0 <= refused.value.at <= end
        assert refused.value.path.startswith("RequestHeader")


def test_an_unknown_api_or_version_is_refused_with_its_place() -> None:
    with pytest.raises(DecodeError, match="request_api_key at byte 0: there is no API 9999"):
        read_request_header(bytes.fromhex("270f000000000000ffff"))
    with pytest.raises(DecodeError, match="Vote has versions 0 to 2, not 3"):
        read_request_header(bytes.fromhex("0034000300000000ffff00"))
    with pytest.raises(DecodeError, match="not -1"):
        read_request_header(bytes.fromhex("0034ffff00000000ffff00"))


@pytest.mark.parametrize("version", ["0064", "7fff", "ffff"])
def test_api_versions_of_any_version_can_be_read(version: str) -> None:
    data = bytes.fromhex("0012" + version + "0000002a0003616263deadbeef")
    header, at = read_request_header(data)
    assert (header.api_key, header.correlation_id, header.client_id, at) == (18, 42, "abc", 13)


def test_a_client_id_that_is_no_text_is_refused_where_it_is_wrong() -> None:
    with pytest.raises(DecodeError, match="client_id at byte 11: not UTF-8"):
        read_request_header(bytes.fromhex("0034000200000007000261ff00"))


def test_unknown_tags_of_a_header_are_kept_and_checked() -> None:
    data = VOTE[:-1] + bytes.fromhex("010501ee")
    assert read_request_header(data)[0].unknown_tags == ((5, b"\xee"),)
    with pytest.raises(DecodeError, match="unknown_tags at byte 11: 9 tagged fields"):
        read_request_header(VOTE[:-1] + b"\x09")
    with pytest.raises(DecodeError, match="unknown_tags"):
        read_request_header(VOTE[:-1] + b"\x80")


def test_the_answer_to_api_versions_has_the_oldest_header() -> None:
    for key, version, size in ((18, 4, 4), (18, 0, 4), (52, 0, 5), (17, 1, 4)):
        parts: Parts = []
        put_response_header(parts, key, version, 99)
        data = b"".join(parts)  # type: ignore[arg-type]
        assert len(data) == size
        assert read_response_header(data, key, version) == (99, size)


def test_a_short_response_header_has_a_place() -> None:
    for data in (b"", b"\0\0\0", b"\0\0\0\1"):
        with pytest.raises(DecodeError, match="ResponseHeader"):
            read_response_header(data, 52, 0)


def test_headers_that_cannot_be_written_are_our_own_fault() -> None:
    with pytest.raises(EncodeError, match="there is no API 9999"):
        put_request_header([], RequestHeader(9999, 0, 1))
    with pytest.raises(EncodeError, match="has none"):
        put_request_header([], RequestHeader(17, 0, 1, None, ((1, b""),)))
    with pytest.raises(EncodeError):
        put_request_header([], RequestHeader(52, 0, 1, "x" * 40_000))
