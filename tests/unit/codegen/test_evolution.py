from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from codegen.evolution import illegal_changes, illegal_codes, schemas_at
from codegen.json_source import SourceError
from tests.unit.codegen.tiny import named, schema, schema_text

OLD = (
    named("A", "int32"),
    named("B", "string", "1+", nullableVersions="1+", default="null"),
    named("T", "int8", "2+", taggedVersions="2+", tag=0),
)


def changes(*fields: dict[str, Any], **more: Any) -> list[str]:
    return illegal_changes([schema(*OLD)], [schema(*fields, **more)])


def test_new_versions_fields_and_messages_are_free() -> None:
    new = schema(*OLD, named("C", "int64", "3+"), validVersions="0-3")
    other = schema(named("X", "int8"), name="OtherRequest")
    assert illegal_changes([schema(*OLD)], [new, other]) == []


def test_what_no_peer_can_see_is_free() -> None:
    assert changes(OLD[0] | {"ignorable": True, "about": "New words."}, *OLD[1:]) == []


@pytest.mark.parametrize(
    ("fields", "more", "why"),
    [
        (OLD, {"validVersions": "1-2"}, "TinyRequest v0: the version is gone"),
        (OLD, {"flexibleVersions": "1+"}, "TinyRequest v1: flexible is yes, it was no"),
        (OLD, {"apiKey": 8}, "apiKey is 8, it was 7"),
        (OLD[1:], {}, "TinyRequest.A v0: field is missing, it was there"),
        ((OLD[0] | {"type": "int64"}, *OLD[1:]), {}, "type is int64, it was int32"),
        ((OLD[0] | {"versions": "0-1"}, *OLD[1:]), {}, "TinyRequest.A v2: field is missing"),
        ((OLD[1], OLD[0], OLD[2]), {}, "v1: order is"),
        ((OLD[0], OLD[1] | {"nullableVersions": "2+"}, OLD[2]), {}, "v1: nullable is no"),
        ((OLD[0] | {"default": "5"}, *OLD[1:]), {}, "default is 5, it was 0"),
        ((*OLD, named("N", "int8")), {}, "TinyRequest.N v0: field is there, it was missing"),
        ((*OLD[:2], OLD[2] | {"name": "U"}), {}, "tag 0 of TinyRequest is U's, it was T's"),
    ],
)
def test_a_published_version_stays_as_it_is(
    fields: tuple[dict[str, Any], ...], more: dict[str, Any], why: str
) -> None:
    found = changes(*fields, **more)
    assert any(why in line for line in found), found


def test_a_message_may_not_go() -> None:
    assert illegal_changes([schema(*OLD)], []) == ["TinyRequest: the message is gone"]


def test_an_unstable_last_version_may_change() -> None:
    old = schema(*OLD, latestVersionUnstable=True)
    new = schema(*OLD, named("C", "int8", "2+"), latestVersionUnstable=True)
    assert illegal_changes([old], [new]) == []


def test_error_codes_keep_their_names() -> None:
    def codes(*names: str) -> str:
        return json.dumps([
            {"code": number, "name": name, "retriable": False, "message": "."}
            for number, name in enumerate(names)
        ])  # fmt: skip

    assert illegal_codes(codes("A", "B"), codes("A", "B", "C"), "e.json") == []
    assert illegal_codes(codes("A", "B"), codes("X"), "e.json") == [
        "error code 0: X, it was A",
        "error code 1: it is gone, it was B",
    ]


def test_schemas_are_read_as_a_commit_had_them(tmp_path: Path) -> None:
    folder = tmp_path / "schemas"
    folder.mkdir()
    (folder / "tiny_request.json").write_text(schema_text(*OLD))
    (folder / "error_codes.json").write_text("[]")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "add", "."], check=True)
    subprocess.run([*git, "commit", "-q", "-m", "schemas"], check=True)
    (folder / "tiny_request.json").unlink()
    messages, codes = schemas_at("HEAD", folder)
    assert [message.name for message in messages] == ["TinyRequest"]
    assert codes == "[]"
    with pytest.raises(SourceError, match="git ls-tree"):
        schemas_at("no-such-commit", folder)
