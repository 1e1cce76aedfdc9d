"""``metaquorum frame``: requests and responses to JSON and back.

For people with a packet capture and a question, and for checkers. The body is Kafka's own JSON
form; unknown tags have none and are left out.
"""

from __future__ import annotations

import json
import sys

import click

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.cli.bytes_text import FORMS, bytes_text, numbered_lines, read_chunks
from metaquorum.cli.command import Group
from metaquorum.cli.frame_form import (
    DIRECTIONS,
    Given,
    find_api,
    frame_bytes,
    frame_json,
    split_frames,
    wrong_size,
)
from metaquorum.wire.errors import EncodeError
from metaquorum.wire.json_form import json_text

EXAMPLES = """\b
Examples:
  metaquorum frame decode --pcap capture.pcapng
  xxd -p -c0 request.bin | metaquorum frame decode
  echo 0000000c00000000... | metaquorum frame decode --api Vote --version 2 --direction response
  metaquorum frame decode < frames.txt | metaquorum frame encode
"""
_HINT = " (read as a request; a response needs --api and --version)"


@click.group(cls=Group, epilog=EXAMPLES)
def frame() -> None:
    """Turn requests and responses into JSON, and JSON into them."""


_api = click.option("--api", "api_text", metavar="NAME|KEY", help="The API, such as Vote or 52.")
_version = click.option("--version", type=click.IntRange(0, 32_767), help="The API's version.")
_direction = click.option("--direction", type=click.Choice(DIRECTIONS), help="Guessed if absent.")


@frame.command(epilog=EXAMPLES)
@_api
@_version
@_direction
@click.option("--form", type=click.Choice(FORMS), help="How bytes are spelled; guessed if absent.")
@click.option("--records", is_flag=True, help="Decode the batches inside messages, too.")
@click.option(
    "--pcap", metavar="FILE", help="Read the frames of a capture, pcap or pcapng, not of the input."
)
def decode(
    api_text: str | None,
    version: int | None,
    direction: str | None,
    form: str | None,
    records: bool,
    pcap: str | None,
) -> int:
    """Turn frames on standard input into JSON, one a line.

    A frame is a line in hex or base64, or a dump of several lines that begin with offsets, as
    xxd, hexdump -C and Wireshark print it. The size before a frame may be there or not; of a
    piece of a stream, every frame is read. Requests say what they are; responses do not, so they
    need --api and --version.

    With --pcap, TCP connections are put together and every response is read as its request's;
    what cannot be read is shown in hex, named on standard error, and makes the exit code 1.
    """
    given = Given(None if api_text is None else find_api(api_text), version, direction)
    if pcap is not None:
        if given != Given(None, None, None) or form is not None:
            raise OperatorError("--pcap knows api, version, direction and form by itself")
        return _decode_capture(pcap, records)
    for number, data in read_chunks(sys.stdin.buffer, form):
        try:
            for one in split_frames(data):
                click.echo(json_text(frame_json(one, given, records=records)))
        except (PeerError, EncodeError, OperatorError) as why:
            hint = _HINT if given == Given(None, None, None) else ""
            hint += wrong_size(data)
            raise OperatorError(f"line {number}: {why}{hint}") from None
    return 0


def _decode_capture(path: str, records: bool) -> int:
    from metaquorum.cli.capture_frames import read_capture

    found = read_capture(path, records=records)
    for line in found.lines:
        click.echo(json_text(line.spelled))
    faults = [line for line in found.lines if line.fault is not None]
    for line in faults:
        place = f"{line.spelled['time']} {line.spelled['source']}"
        click.echo(f"metaquorum: {place}: {line.fault}", err=True)
    for remark in found.remarks:
        click.echo(f"metaquorum: {remark}", err=True)
    if not found.lines:
        raise OperatorError(f"{path}: no frame in it")
    return 1 if faults else 0


@frame.command(epilog=EXAMPLES)
@_api
@_version
@_direction
@click.option("--form", type=click.Choice(FORMS), default="hex", show_default=True)
def encode(api_text: str | None, version: int | None, direction: str | None, form: str) -> None:
    """Turn JSON on standard input, one frame a line, into frames with their sizes.

    A line is what decode prints, or a body alone with --api, --version and --direction.
    """
    given = Given(None if api_text is None else find_api(api_text), version, direction)
    for number, text in numbered_lines(sys.stdin.buffer):
        try:
            spelled = json.loads(text)
            if not isinstance(spelled, dict):
                raise OperatorError("expected a JSON object")
            click.echo(bytes_text(frame_bytes(spelled, given), form))
        except (ValueError, RecursionError, EncodeError, OperatorError) as why:
            raise OperatorError(f"line {number}: {why}") from None
