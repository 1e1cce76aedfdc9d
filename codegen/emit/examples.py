"""One example a page: a frame as Kafka's own classes wrote its body, in hex, and what it means."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from codegen.schema import Kind, Message

LONGEST_BYTES = 320  # of the body of an example: more is no longer read by anybody
CORRELATION_ID = 7
CLIENT_ID = "example"
API_VERSIONS = 18  # its response header is version 0 in every version (KIP-511)
_METADATA_LOG = "records"  # the folder; the storage's records have other frames
_VARIANTS = ("full", "empty", "defaults")
_FRAMED = (Kind.REQUEST, Kind.RESPONSE)


@frozen
class Example:
    """One golden frame: the body in bytes, and in Kafka's JSON form as it stands in the file."""

    version: int
    variant: str
    data: bytes
    spelled: str


def read_examples(file: Path) -> list[Example]:
    """The frames of one message; none where there is no such file."""
    if not file.exists():
        return []
    rows = [line.split(" ", 3) for line in file.read_text(encoding="utf-8").splitlines()]
    return [
        Example(int(version), variant, bytes.fromhex(data.strip("-")), spelled)
        for version, variant, data, spelled in rows
    ]


def choose(examples: list[Example]) -> Example | None:
    """The fullest of the newest version that is short enough to be read, else the shortest."""
    newest = max((one.version for one in examples), default=0)
    found = {one.variant: one for one in examples if one.version == newest}
    ranked = [found[variant] for variant in _VARIANTS if variant in found]
    short = [one for one in ranked if len(one.data) <= LONGEST_BYTES]
    return next(iter(short or sorted(ranked, key=lambda one: len(one.data))), None)


def emit_example(message: Message, examples: list[Example]) -> Iterator[str]:
    """The section of the page; nothing without golden frames."""
    chosen = choose(examples)
    if chosen is None:
        return
    spelled = json.dumps(json.loads(chosen.spelled), indent=2, ensure_ascii=False)
    yield "\n## Example\n"
    if message.kind in _FRAMED:
        yield (
            f"A frame of version {chosen.version}: size, header (correlation id {CORRELATION_ID}"
            + (f", client id `{CLIENT_ID}`" if message.kind is Kind.REQUEST else "")
            + "), body."
        )
        yield f"\n```\n{framed(message, chosen).hex()}\n```\n"
        told = f" --api {message.api_key} --version {chosen.version} --direction response"
        told = told if message.kind is Kind.RESPONSE else ""
        yield f"Its body, as `metaquorum frame decode{told}` prints it:\n"
    elif message.kind is Kind.METADATA and message.folder == _METADATA_LOG:
        yield f"The value of a record of version {chosen.version}: frame version, type, version,"
        yield "then the fields."
        yield f"\n```\n{record_value(message, chosen).hex()}\n```\n"
        yield "The fields, as `metaquorum record decode` prints them:\n"
    else:
        yield f"The bytes of version {chosen.version}:"
        yield f"\n```\n{chosen.data.hex()}\n```\n"
        yield "In Kafka's JSON form:\n"
    yield f"```json\n{spelled}\n```"


def framed(message: Message, example: Example) -> bytes:
    """The example with its header and the size before it."""
    head = CORRELATION_ID.to_bytes(4, "big")
    is_flexible = example.version in message.flexible
    if message.kind is Kind.REQUEST:
        assert message.api_key is not None
        key = message.api_key.to_bytes(2, "big") + example.version.to_bytes(2, "big")
        client = CLIENT_ID.encode()
        head = key + head + len(client).to_bytes(2, "big") + client
    elif message.api_key == API_VERSIONS:
        is_flexible = False
    data = head + (b"\0" if is_flexible else b"") + example.data
    return len(data).to_bytes(4, "big") + data


def record_value(message: Message, example: Example) -> bytes:
    """The example as it stands in the metadata log: three varints of one byte before it."""
    assert message.api_key is not None
    return bytes((1, message.api_key, example.version)) + example.data
