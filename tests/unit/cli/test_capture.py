"""``frame decode --pcap``: connections put together from packets, and responses read right."""

from __future__ import annotations

import io
import json
import random
from ipaddress import ip_address
from pathlib import Path
from struct import pack
from typing import Any

import pytest

from metaquorum.cli.main import run
from metaquorum.testing import golden
from metaquorum.testing.golden import GoldenFrame
from metaquorum.testing.schemas import message
from metaquorum.wire.headers import RequestHeader, put_request_header, put_response_header

CLIENT, SERVER = ("10.0.0.9", 50_000), ("10.0.0.1", 9092)
SYN, ACK, PUSH = 2, 16, 24
END = (CLIENT, SERVER)


def full(name: str, version: int | None = None) -> GoldenFrame:
    """The fullest golden frame of a version, the newest if none is named."""
    found = [one for one in golden.frames(message(name)) if one.variant == "full"]
    return next(one for one in reversed(found) if version is None or one.version == version)


def asking(frame: GoldenFrame, correlation: int) -> bytes:
    parts: list[Any] = []
    assert frame.schema.api_key is not None
    header = RequestHeader(frame.schema.api_key, frame.version, correlation, "us")
    put_request_header(parts, header)
    data = b"".join(parts) + frame.data
    return len(data).to_bytes(4, "big") + data


def answering(frame: GoldenFrame, correlation: int) -> bytes:
    parts: list[Any] = []
    assert frame.schema.api_key is not None
    put_response_header(parts, frame.schema.api_key, frame.version, correlation)
    data = b"".join(parts) + frame.data
    return len(data).to_bytes(4, "big") + data


def tcp(
    source: tuple[str, int], to: tuple[str, int], sequence: int, data: bytes, flags: int
) -> bytes:
    """An Ethernet packet with IPv4 or IPv6 inside."""
    segment = pack(">HHIIBBHHH", source[1], to[1], sequence, 0, 0x50, flags, 9_000, 0, 0) + data
    here, there = ip_address(source[0]).packed, ip_address(to[0]).packed
    if len(here) == 16:
        head = pack(">IHBB", 6 << 28, len(segment), 6, 64) + here + there
        return bytes(12) + b"\x86\xdd" + head + segment
    head = pack(">BBHHHBBH", 0x45, 0, 20 + len(segment), 1, 0, 64, 6, 0) + here + there
    return bytes(12) + b"\x08\x00" + head + segment


def pcap(path: Path, packets: list[bytes], link: int = 1) -> Path:
    """A capture: a packet a millisecond."""
    rows = [pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 1 << 18, link)]
    for number, packet in enumerate(packets):
        rows.append(pack("<IIII", 1_700_000_000, number * 1_000, len(packet), len(packet)))
        rows.append(packet)
    path.write_bytes(b"".join(rows))
    return path


def pcapng(path: Path, packets: list[bytes]) -> Path:
    def block(kind: int, body: bytes) -> bytes:
        body += bytes(-len(body) % 4)
        return pack("<II", kind, 12 + len(body)) + body + pack("<I", 12 + len(body))

    rows = [block(0x0A0D0D0A, pack("<IHHq", 0x1A2B3C4D, 1, 0, -1))]
    rows.append(block(1, pack("<HHI", 1, 0, 1 << 18)))
    for number, packet in enumerate(packets):
        stamp = 1_700_000_000_000_000 + number * 1_000
        head = pack("<IIIII", 0, stamp >> 32, stamp & 0xFFFFFFFF, len(packet), len(packet))
        rows.append(block(6, head + packet))
    path.write_bytes(b"".join(rows))
    return path


def opened(source: tuple[str, int], to: tuple[str, int]) -> list[bytes]:
    return [tcp(source, to, 99, b"", SYN), tcp(to, source, 499, b"", SYN | ACK)]


def split(
    source: tuple[str, int], to: tuple[str, int], first: int, data: bytes, size: int
) -> list[bytes]:
    return [
        tcp(source, to, (first + at) % (1 << 32), data[at : at + size], PUSH)
        for at in range(0, len(data), size)
    ]


def decoded(path: Path, capsys: pytest.CaptureFixture[str], *more: str) -> list[dict[str, Any]]:
    assert run(["frame", "decode", "--pcap", str(path), *more]) == 0, capsys.readouterr().err
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def exchange(name: str, version: int | None = None) -> tuple[bytes, bytes]:
    request, response = full(f"{name}Request", version), full(f"{name}Response", version)
    return asking(request, 7), answering(response, 7)


@pytest.mark.parametrize("write", [pcap, pcapng])
def test_a_response_is_read_as_its_request_asks(
    write: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked, answered = exchange("Vote")
    packets = (
        opened(*END)
        + split(CLIENT, SERVER, 100, asked, 40)
        + split(SERVER, CLIENT, 500, answered, 9)
    )
    first, second = decoded(write(tmp_path / "one", packets), capsys)
    assert (first["api"], first["direction"], second["api"], second["direction"]) == (
        "Vote", "request", "Vote", "response",
    )  # fmt: skip
    assert first["body"] == full("VoteRequest").spelled
    assert second["body"] == full("VoteResponse").spelled
    assert (first["source"], first["destination"]) == ("10.0.0.9:50000", "10.0.0.1:9092")
    assert second["source"] == "10.0.0.1:9092"
    assert first["time"].startswith("2023-11-14T22:13:20.")
    assert first["time"] < second["time"]


def test_packets_in_any_order_and_sent_twice_make_the_same_frames(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = b"".join(asking(full("FetchRequest"), number) for number in range(5))
    answered = b"".join(answering(full("FetchResponse"), number) for number in range(5))
    near_the_wrap = (1 << 32) - 50
    start = [
        tcp(CLIENT, SERVER, near_the_wrap - 1, b"", SYN),
        tcp(SERVER, CLIENT, 499, b"", SYN | ACK),
    ]
    packets = split(CLIENT, SERVER, near_the_wrap, asked, 37)
    packets += split(CLIENT, SERVER, near_the_wrap, asked, 61)
    packets += split(SERVER, CLIENT, 500, answered, 100)
    random.Random(3).shuffle(packets)
    lines = decoded(pcap(tmp_path / "shuffled", start + packets), capsys)
    assert sorted((one["direction"], one["header"]["correlationId"]) for one in lines) == sorted(
        (direction, number) for direction in ("request", "response") for number in range(5)
    )
    assert all(one["body"] == full(f"Fetch{one['direction'].title()}").spelled for one in lines)


def test_what_is_decoded_is_encoded_to_the_same_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answered = exchange("Metadata")
    packets = [
        *opened(*END),
        tcp(CLIENT, SERVER, 100, asked, PUSH),
        tcp(SERVER, CLIENT, 500, answered, PUSH),
    ]
    assert run(["frame", "decode", "--pcap", str(pcap(tmp_path / "one", packets))]) == 0
    printed = capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(printed.encode()), "utf-8"))
    assert run(["frame", "encode"]) == 0
    assert capsys.readouterr().out.split() == [asked.hex(), answered.hex()]


def test_a_connection_captured_late_has_its_server_at_the_lower_port(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked, answered = exchange("ApiVersions", 4)
    packets = [tcp(SERVER, CLIENT, 500, answered, PUSH), tcp(CLIENT, SERVER, 100, asked, PUSH)]
    lines = decoded(pcap(tmp_path / "late", packets), capsys)
    assert [one["direction"] for one in lines] == ["response", "request"]


def test_ipv6_and_other_traffic_in_between(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    here, there = ("fd00::9", 50_000), ("fd00::1", 9092)
    asked, answered = exchange("Vote")
    web = ("10.0.0.9", 50_001), ("10.0.0.1", 80)
    packets = [
        *opened(*web),
        tcp(*web, 100, b"GET / HTTP/1.1\r\n\r\n", PUSH),
        bytes(12) + b"\x08\x06" + bytes(28),  # ARP
        b"\0\1",
        *opened(here, there),
        tcp(here, there, 100, asked, PUSH),
        tcp(there, here, 500, answered, PUSH),
    ]
    assert run(["frame", "decode", "--pcap", str(pcap(tmp_path / "six", packets))]) == 0
    said = capsys.readouterr()
    assert [json.loads(line)["source"] for line in said.out.splitlines()] == [
        "[fd00::9]:50000",
        "[fd00::1]:9092",
    ]
    assert "10.0.0.9:50001 > 10.0.0.1:80: passed over" in said.err


def test_raw_packets_without_a_link_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked, _ = exchange("Vote")
    packets = [tcp(CLIENT, SERVER, 100, asked, PUSH)[14:]]
    assert len(decoded(pcap(tmp_path / "raw", packets, link=101), capsys)) == 1


def test_a_too_new_api_versions_is_answered_in_version_0(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = asking(full("ApiVersionsRequest"), 7)
    refused = bytes.fromhex("00000007" + "0023" + "00000001" + "0012" + "0000" + "0004")
    answered = len(refused).to_bytes(4, "big") + refused
    packets = [
        *opened(*END),
        tcp(CLIENT, SERVER, 100, asked, PUSH),
        tcp(SERVER, CLIENT, 500, answered, PUSH),
    ]
    _, answer = decoded(pcap(tmp_path / "refused", packets), capsys)
    assert answer["version"] == 0
    assert answer["body"]["errorCode"] == 35


def test_a_gap_and_unasked_response_are_reported_and_the_rest_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked, answered = exchange("Vote")
    packets = [
        *opened(*END),
        tcp(CLIENT, SERVER, 100, asked, PUSH),
        tcp(CLIENT, SERVER, 100 + len(asked) + 10, asked, PUSH),
        tcp(SERVER, CLIENT, 500, answered, PUSH),
        tcp(SERVER, CLIENT, 500 + len(answered), answered, PUSH),
    ]
    assert run(["frame", "decode", "--pcap", str(pcap(tmp_path / "hole", packets))]) == 1
    said = capsys.readouterr()
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert [one.get("direction") for one in lines] == ["request", "response", None]
    assert lines[2]["undecoded"] == answered[4:].hex()
    assert "no request with correlation id 7 is in the capture" in said.err
    assert "1 packets behind a gap" in said.err


@pytest.mark.parametrize(
    ("content", "words"),
    [(b"", "no capture that can be read"), (b"\xa1\xb2 not at all", "no capture that can be read")],
)
def test_a_file_that_is_no_capture_is_refused(
    content: bytes, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "none.pcap"
    path.write_bytes(content)
    assert run(["frame", "decode", "--pcap", str(path)]) == 1
    assert words in capsys.readouterr().err


def test_empty_captures_unknown_links_and_unused_options_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = str(pcap(tmp_path / "empty", []))
    for arguments, words in (
        ([empty], "no frame in it"),
        ([str(pcap(tmp_path / "link", [], link=105))], "link type 105"),
        ([str(tmp_path / "absent")], "cannot read"),
        ([empty, "--api", "Vote"], "--pcap knows api"),
    ):
        assert run(["frame", "decode", "--pcap", *arguments]) == 1
        assert words in capsys.readouterr().err
