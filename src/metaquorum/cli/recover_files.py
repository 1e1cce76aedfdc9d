"""The files of a recovery, surveys and plans, and the directories that stand for surveys."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Sequence
from typing import Any

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import Uuid, is_never_drawn, random_uuid
from metaquorum.base.limits import MAX_SURVEY_BYTES
from metaquorum.cli.clock import wall_ms
from metaquorum.config.key import BadValue
from metaquorum.config.listeners import parse_voter
from metaquorum.quorum.types import Endpoint
from metaquorum.recover.plan import Plan
from metaquorum.recover.plan_json import plan_of
from metaquorum.recover.reading import survey_directory
from metaquorum.recover.survey import Survey
from metaquorum.recover.survey_json import survey_of
from metaquorum.recover.wishes import NewVoter
from metaquorum.storage.posix import PosixDisk


def draw_uuid() -> Uuid:
    """A random directory id, as Kafka draws them."""
    raw = random_uuid(os.urandom(16))
    while is_never_drawn(raw):
        raw = random_uuid(os.urandom(16))
    return raw


def draw_plan_id() -> str:
    """The name of a plan: letters and digits, for names of files."""
    return secrets.token_hex(6)


def surveyed(paths: Sequence[str]) -> tuple[Survey, ...]:
    """The survey in each file, and that of each directory as it is now; raises OperatorError."""
    return tuple(
        survey_directory(PosixDisk(), path, wall_ms())
        if os.path.isdir(path)
        else survey_of(small_text(path), path)
        for path in paths
    )


def read_plan(path: str) -> Plan:
    """The plan in a file; raises OperatorError."""
    return plan_of(small_text(path), path)


def small_text(path: str) -> str:
    """The text of a survey or plan; OperatorError for one that is larger than any."""
    with open(path, "rb") as file:
        content = file.read(MAX_SURVEY_BYTES + 1)
    if len(content) > MAX_SURVEY_BYTES:
        raise OperatorError(f"{path}: more than {MAX_SURVEY_BYTES} bytes, no survey or plan is")
    return content.decode("utf-8", "replace")


def write_json(path: str, content: dict[str, Any]) -> None:
    """Write a file that is whole or not there: beside its name first."""
    beside = f"{path}.tmp"
    with open(beside, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


def parse_voters(text: str | None, listener: str) -> tuple[NewVoter, ...] | None:
    """``ID@HOST:PORT``, separated by commas; OperatorError shows what is wrong."""
    if text is None:
        return None
    found = []
    for item in filter(None, (one.strip() for one in text.split(","))):
        try:
            voter = parse_voter(item)
        except BadValue as error:
            raise OperatorError(f"--voters: {error}") from None
        found.append(NewVoter(voter.id, Endpoint(listener, voter.host, voter.port)))
    return tuple(found)


def parse_froms(texts: Sequence[str]) -> dict[int, str]:
    """``ID=DIR`` each; OperatorError shows what is wrong."""
    found: dict[int, str] = {}
    for text in texts:
        node, equals, path = text.partition("=")
        if not equals or not path or not (node.isascii() and node.isdigit()):
            raise OperatorError(f"--from: {text!r} is not ID=DIR")
        if int(node) in found:
            raise OperatorError(f"--from: node {int(node)} is named twice")
        found[int(node)] = path
    return found
