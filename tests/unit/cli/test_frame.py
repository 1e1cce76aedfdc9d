"""``frame``: what goes over the wire as JSON, and back to the byte."""

from __future__ import annotations

import io
import json
from base64 import b64encode

import pytest

from metaquorum.cli.frame_form import Given, find_api, frame_bytes, frame_json
from metaquorum.cli.main import run
from metaquorum.records.builder import build_batch
from metaquorum.records.control import ControlType, encode_control
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.testing import golden
from metaquorum.testing.golden import GoldenFrame
from metaquorum.testing.schemas import message
from metaquorum.wire.generated import fetch_response
from metaquorum.wire.generated.fetch_response import (
    FetchableTopicResponse,
    FetchResponse,
    PartitionData,
)
from metaquorum.wire.generated.index import APIS
from metaquorum.wire.generated.leader_change_message import LeaderChangeMessage, Voter
from metaquorum.wire.generated.records.topic_record import TopicRecord
from metaquorum.wire.headers import RequestHeader, put_request_header, put_response_header
from metaquorum.wire.json_form import json_text

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


def test_a_response_of_a_named_api_is_decoded_and_encoded_to_the_byte(
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


@pytest.mark.parametrize("direction", ["request", "response"])
def test_every_api_in_every_version_comes_back_to_the_byte(direction: str) -> None:
    seen = set()
    for frame in golden.all_frames():
        if frame.schema.kind != direction or frame.variant == "tags":
            continue
        data = request_bytes(frame) if direction == "request" else response_bytes(frame)
        api = find_api(str(frame.schema.api_key))
        told = Given(api, frame.version, None if frame.variant == "full" else direction)
        spelled = json.loads(json_text(frame_json(data, told)))
        assert (spelled["direction"], spelled["version"]) == (direction, frame.version)
        assert frame_bytes(spelled, Given(None, None, None)) == data, str(frame)
        seen.add((api.key, frame.version))
    assert len(seen) == sum(api.highest - api.lowest + 1 for api in APIS.values())


DUMPED = bytes.fromhex("0000000f00120000000000070005") + b"tests"


@pytest.mark.parametrize(
    "text",
    [
        "0000000f 00120000 00000007 00057465 7374 73",
        "0x00 0x00 0x00 0x0f,0x00,0x12, 0x00 0000000007000574657374 73",
        r"\x00\x00\x00\x0f\x00\x12\x00\x00\x00\x00\x00\x07\x00\x05\x74\x65\x73\x74\x73",
        "00-00-00-0f-00-12-00-00-00-00-00-07-00-05-74-65-73-74-73",
        "00000000: 0000 000f 0012 0000 0000 0007 0005 7465  ..............te\n"
        "00000010: 7374 73                                  sts",
        "00000000  00 00 00 0f 00 12 00 00  00 00 00 07 00 05 74 65  |..............te|\n"
        "00000010  73 74 73                                          |sts|\n",
        "0000   00 00 00 0f 00 12 00 00 00 00 00 07 00 05 74 65   ..............te\n"
        "0010   73 74 73                                          sts\n",
        "\t0x0000:  0000 000f 0012 0000 0000 0007 0005 7465  ..............te\n"
        "\t0x0010:  7374 73                                  sts",
    ],
)
def test_a_frame_is_read_in_the_shapes_that_people_paste(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fed(monkeypatch, f"{text}\n\n{text}\n", "frame", "decode") == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first == second
    assert (first["api"], first["header"]["clientId"]) == ("ApiVersions", "tests")


def test_a_piece_of_a_stream_is_read_frame_by_frame(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = request_bytes(full("VoteRequest")) + DUMPED + request_bytes(full("FetchRequest"))
    assert fed(monkeypatch, data.hex(), "frame", "decode") == 0
    found = [json.loads(line)["api"] for line in capsys.readouterr().out.splitlines()]
    assert found == ["Vote", "ApiVersions", "Fetch"]


def test_what_reads_as_a_request_and_as_a_response_is_not_guessed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A question of node 1 about no partition of a topic without a name, or an answer about
    # partition 1 of such a topic.
    data = bytes.fromhex("00020000 00000001 0000 00000001 00000001 0000 00000000")
    told = ["--api", "ListOffsets", "--version", "0"]
    assert fed(monkeypatch, data.hex(), "frame", "decode", *told) == 1
    assert "line 1: it can be read as a request and as a response" in capsys.readouterr().err
    assert fed(monkeypatch, data.hex(), "frame", "decode", *told, "--direction", "response") == 0


def test_batches_inside_a_message_are_shown_on_request(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    topic = encode_metadata_record(2, TopicRecord("logs", bytes(15) + b"\5"), 0)
    leader = encode_control(ControlType.LEADER_CHANGE, LeaderChangeMessage(0, 3, [Voter(3)]))
    batches = build_batch([leader], timestamp_ms=5, control=True)
    batches += build_batch([(None, topic), (b"k", None)], timestamp_ms=6, base_offset=1)
    part = PartitionData(partition_index=0, high_watermark=3, records=batches + batches[:50])
    answer = FetchResponse(responses=[FetchableTopicResponse("t", partitions=[part])])
    data = bytes(4) + b"\0" + fetch_response.encode(answer, 12)
    told = ["--api", "Fetch", "--version", "12", "--direction", "response"]
    assert fed(monkeypatch, data.hex(), "frame", "decode", "--records", *told) == 0
    body = json.loads(capsys.readouterr().out)["body"]
    control, plain, cut = body["responses"][0]["partitions"][0]["records"]
    assert control["isControl"]
    assert control["records"][0]["controlType"] == "LEADER_CHANGE"
    assert control["records"][0]["control"]["leaderId"] == 3
    assert plain["isValid"]
    assert plain["records"][0]["metadataRecord"]["data"]["name"] == "logs"
    assert plain["records"][1] == {"offset": 2, "timestamp": 6, "key": "aw==", "value": None}
    assert cut["error"] == "the batch is cut off"
    assert cut["position"] == len(batches)


def test_a_dump_that_goes_on_from_nowhere_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fed(monkeypatch, "00000010: 0000 000f\n", "frame", "decode") == 1
    assert "line 1: a dump goes on at offset 0x10" in capsys.readouterr().err


def test_a_response_without_a_word_about_it_is_refused_with_a_hint(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fed(monkeypatch, "7fff000000000000", "frame", "decode") == 1
    assert "a response needs --api and --version" in capsys.readouterr().err


def test_a_frame_that_is_cut_behind_its_size_is_told_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = request_bytes(full("VoteRequest"))[:-1]
    assert fed(monkeypatch, cut.hex(), "frame", "decode") == 1
    told = f"it says {len(cut) - 3} bytes, and {len(cut) - 4} follow"
    assert told in capsys.readouterr().err
