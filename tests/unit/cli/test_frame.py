"""``frame``: what goes over the wire as JSON, and back to the byte."""

from __future__ import annotations

import io
import json
from base64 import b64encode

import pytest

from metaquorum.cli.main import run
from metaquorum.testing import golden
from metaquorum.testing.golden import GoldenFrame
from metaquorum.testing.schemas import message
from metaquorum.wire.headers import RequestHeader, put_request_header, put_response_header

VOTE = 52


def full(name: str) -> GoldenFrame:
    """The fullest golden frame of the newest version."""
    return [f for f in golden.frames(message(name)) if f.variant == "full"][-1]


def request_bytes(frame: GoldenFrame) -> bytes:
    parts: list[bytes] = []
    assert frame.schema.api_key is not None
    put_request_header(parts, RequestHeader(frame.schema.api_key, frame.version, 7, "us"))  # type: ignore[arg-type]
    data = b"".join(parts) + frame.data
    return len(data).to_bytes(4, "big") + data


def response_bytes(frame: GoldenFrame) -> bytes:
    parts: list[bytes] = []
    assert frame.schema.api_key is not None
    put_response_header(parts, frame.schema.api_key, frame.version, 7)  # type: ignore[arg-type]
    data = b"".join(parts) + frame.data
    return len(data).to_bytes(4, "big") + data


def fed(monkeypatch: pytest.MonkeyPatch, text: str, *arguments: str) -> int:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"))
    return run(arguments)


@pytest.mark.parametrize("name", ["VoteRequest", "FetchRequest", "CreateTopicsRequest"])
def test_a_request_is_known_by_its_header_and_comes_back_to_the_byte(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = full(name)
    data = request_bytes(frame)
    assert fed(monkeypatch, f"{data.hex()}\n", "frame", "decode") == 0
    printed = capsys.readouterr().out
    found = json.loads(printed)
    assert found["body"] == frame.spelled
    assert found["header"] == {"correlationId": 7, "clientId": "us"}
    assert (found["apiKey"], found["version"]) == (frame.schema.api_key, frame.version)
    assert found["direction"] == "request"
    assert fed(monkeypatch, printed, "frame", "encode") == 0
    assert capsys.readouterr().out.strip() == data.hex()


def test_a_response_is_read_when_told_what_it_is_and_comes_back_to_the_byte(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = full("VoteResponse")
    data = response_bytes(frame)
    line = b64encode(data).decode()
    told = ["--api", "vote", "--version", str(frame.version)]
    assert fed(monkeypatch, line, "frame", "decode", "--form", "base64", *told) == 0
    printed = capsys.readouterr().out
    assert json.loads(printed)["body"] == frame.spelled
    assert json.loads(printed)["direction"] == "response"
    assert fed(monkeypatch, printed, "frame", "encode", "--form", "base64") == 0
    assert capsys.readouterr().out.strip() == line


def test_a_size_before_the_frame_may_be_left_out_and_bytes_grouped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = request_bytes(full("VoteRequest"))
    text = f"\n{data[4:].hex(':')}\n\n{data.hex(' ')}\n"
    assert fed(monkeypatch, text, "frame", "decode") == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first == second


def test_a_body_alone_is_written_when_told_what_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    frame = full("VoteRequest")
    told = ["--api", str(VOTE), "--version", str(frame.version), "--direction", "request"]
    assert fed(monkeypatch, json.dumps(frame.spelled), "frame", "encode", *told) == 0
    assert capsys.readouterr().out.strip().endswith(frame.data.hex())


def test_bytes_behind_the_message_are_counted(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = request_bytes(full("VoteRequest"))[4:] + b"\0\0\0"
    assert fed(monkeypatch, data.hex(), "frame", "decode") == 0
    assert json.loads(capsys.readouterr().out)["leftOverBytes"] == 3


@pytest.mark.parametrize(
    ("text", "arguments", "words"),
    [
        ("zz", ["decode"], "line 1: neither hex nor base64"),
        ("zz", ["decode", "--form", "hex"], "line 1: not hex"),
        ("\n0034", ["decode"], "line 2: RequestHeader at byte 2: the frame ends"),
        ("00340000", ["decode", "--direction", "response"], "give --api and --version"),
        ("[]", ["encode"], "line 1: expected a JSON object"),
        ("{}", ["encode"], "needs --api, --version and --direction"),
        ("{", ["encode"], "line 1: "),
        ("[" * 100_000, ["encode"], "line 1: "),
        (
            '{"direction":"response","apiKey":52,"version":0,"header":{"correlationId":"7"},"body":{}}',
            ["encode"],
            "line 1: header.correlationId: expected an int32",
        ),
        ("", ["decode", "--api", "Dance"], "--api Dance: there is no such API"),
        (
            '{"direction":"request","apiKey":52,"version":0,"body":{}}',
            ["encode"],
            "line 1: VoteRequest: clusterId is missing",
        ),
    ],
)
def test_a_fault_names_its_line_and_what_is_wrong(
    text: str,
    arguments: list[str],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert fed(monkeypatch, text, "frame", *arguments) == 1
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.out == ""


def test_a_frame_of_another_api_than_told_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = request_bytes(full("VoteRequest"))
    assert fed(monkeypatch, data.hex(), "frame", "decode", "--api", "Fetch") == 1
    assert "--api Fetch, but the frame is of Vote" in capsys.readouterr().err
