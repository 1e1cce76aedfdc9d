"""``metaquorum record``: single metadata records, for people with some bytes and a question."""

from __future__ import annotations

import re
import sys

import click

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.cli.bytes_text import FORMS, numbered_lines, read_bytes
from metaquorum.cli.command import Group
from metaquorum.records.errors import BatchError
from metaquorum.records.metadata_record import decode_metadata_record
from metaquorum.wire.generated.index import record_codec
from metaquorum.wire.json_form import json_text, to_json

EXAMPLES = """\b
Examples:
  echo 01020000... | metaquorum record decode
  metaquorum record decode --form base64 < values.txt
"""
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def decoded_record(value: bytes) -> str:
    """The JSON of a record's value, as Kafka's dump-log prints it; BatchError or PeerError."""
    found = decode_metadata_record(value)
    codec = record_codec(found.type)
    name = _WORD_START.sub("_", codec.NAME).upper()
    data = to_json(codec, found.message, found.known_version)
    return json_text({"type": name, "version": found.version, "data": data})


@click.group(cls=Group, epilog=EXAMPLES)
def record() -> None:
    """Read metadata records, without a log around them."""


@record.command(epilog=EXAMPLES)
@click.option("--form", type=click.Choice(FORMS), help="How bytes are spelled; guessed if absent.")
def decode(form: str | None) -> None:
    """Turn record values on standard input, one a line in hex or base64, into JSON."""
    for number, text in numbered_lines(sys.stdin.buffer):
        try:
            click.echo(decoded_record(read_bytes(text, number, form)))
        except (BatchError, PeerError) as why:
            raise OperatorError(f"line {number}: {why}") from None
