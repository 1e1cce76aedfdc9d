from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from codegen import conform
from codegen.json_source import SourceError
from codegen.schema import Message
from tests.unit.codegen.tiny import named, schema, schema_text

FIELDS = (named("A", "int32"), named("B", "string", "1+", ignorable=True))


def jar(folder: Path, name: str, *texts: str) -> Path:
    path = folder / name
    with ZipFile(path, "w") as archive:
        for number, text in enumerate(texts):
            archive.writestr(f"common/message/M{number}.json", text)
        archive.writestr("other.json", '{"not": "a message"}')
        archive.writestr("A.class", b"\xca\xfe")
    return path


def report(
    ours: Message, *jars: Path, allowed: list[conform.Allowed] | None = None
) -> conform.Report:
    return conform.compare([ours], conform.read_jars(jars), allowed or [])


def shown(found: conform.Report, *, complete: bool = False) -> list[str]:
    return list(conform.lines(found, complete=complete))


def test_equal_definitions_have_no_differences(tmp_path: Path) -> None:
    newest = jar(tmp_path, "kafka-clients-4.4.0.jar", schema_text(*FIELDS))
    found = report(schema(*FIELDS), newest)
    assert (found.differences, found.compared) == ({}, 3)


def test_descriptions_and_entity_types_do_not_count(tmp_path: Path) -> None:
    theirs = schema_text(FIELDS[0] | {"about": "Other.", "entityType": "brokerId"}, FIELDS[1],
                         listeners=["broker"])  # fmt: skip
    assert not report(schema(*FIELDS), jar(tmp_path, "kafka-x-4.4.0.jar", theirs)).differences


@pytest.mark.parametrize(
    ("theirs", "why"),
    [
        ((FIELDS[0] | {"type": "int64"}, FIELDS[1]), "A v0-2: type is int32, int64 in kafka-x"),
        ((FIELDS[0] | {"default": "-1"}, FIELDS[1]), "A v0-2: default is 0, -1 in"),
        ((FIELDS[0], FIELDS[1] | {"ignorable": False}), "B v1-2: ignorable is yes, no in"),
        ((FIELDS[0], FIELDS[1] | {"versions": "2+"}), "B v1: field is there, missing in"),
        ((FIELDS[0], FIELDS[1] | {"nullableVersions": "2+"}), "B v2: nullable is no, yes in"),
        ((FIELDS[0] | {"mapKey": True}, FIELDS[1]), "A v0-2: mapKey is no, yes in"),
        ((FIELDS[0], FIELDS[1] | {"taggedVersions": "2+", "tag": 0}), "B v2: tag is absent, 0"),
        ((FIELDS[1], FIELDS[0]), "TinyRequest v1-2: order is A B, B A in"),
        ((*FIELDS, named("C", "int8", "2")), "C v2: field is missing, there in"),
    ],
)
def test_each_difference_is_one_line(
    tmp_path: Path, theirs: tuple[dict[str, Any], ...], why: str
) -> None:
    found = report(schema(*FIELDS), jar(tmp_path, "kafka-x-4.4.0.jar", schema_text(*theirs)))
    lines = shown(found)
    assert len(lines) == 2
    assert why in lines[0]


def test_a_dropped_version_is_held_against_the_older_jar(tmp_path: Path) -> None:
    newest = jar(tmp_path, "kafka-x-4.4.0.jar", schema_text(*FIELDS, validVersions="1-2"))
    different = (FIELDS[0] | {"type": "int16"}, FIELDS[1])
    older = jar(tmp_path, "kafka-x-3.9.1.jar", schema_text(*different, validVersions="0-1"))
    lines = shown(report(schema(*FIELDS), older, newest))
    assert "A v0: type is int32, int16 in kafka-x-3.9.1.jar" in lines[0]
    assert len(lines) == 2
    lines = shown(report(schema(*FIELDS), newest))
    assert "TinyRequest v0: version is there, missing in every jar" in lines[0]


def test_a_version_that_the_newest_jar_has_must_be_ours_too(tmp_path: Path) -> None:
    newest = jar(tmp_path, "kafka-x-4.4.0.jar", schema_text(*FIELDS, validVersions="0-3"))
    assert "v3: version is missing, there in" in shown(report(schema(*FIELDS), newest))[0]


def test_a_version_that_only_an_older_jar_has_is_a_note(tmp_path: Path) -> None:
    newest = jar(tmp_path, "kafka-x-4.4.0.jar", schema_text(*FIELDS, validVersions="1-2"))
    older = jar(tmp_path, "kafka-x-3.9.1.jar", schema_text(*FIELDS))
    found = report(schema(*FIELDS, validVersions="1-2"), newest, older)
    assert not found.differences
    assert "note: TinyRequest v0 is only in an older jar" in shown(found)[0]


def test_messages_not_written_yet_are_counted_and_named_when_asked(tmp_path: Path) -> None:
    other = schema_text(name="OtherRequest")
    none = schema_text(name="GoneRequest", validVersions="none")
    newest = jar(tmp_path, "kafka-x-4.4.0.jar", schema_text(*FIELDS), other, none)
    found = report(schema(*FIELDS), newest)
    assert found.only_theirs == ["OtherRequest"]
    assert not any("OtherRequest" in line for line in shown(found))
    assert "OtherRequest: not written yet" in shown(found, complete=True)


def test_a_decided_difference_is_allowed_for_its_versions_only(tmp_path: Path) -> None:
    theirs = schema_text(FIELDS[0] | {"default": "-1"}, FIELDS[1])
    newest = jar(tmp_path, "kafka-x-4.4.0.jar", theirs)
    page = tmp_path / "allowed.json"
    row = {"message": "TinyRequest", "path": "A", "what": "default", "versions": "0-1", "why": "."}
    page.write_text(json.dumps({"allowed": [row, row | {"path": "Z"}]}))
    found = report(schema(*FIELDS), newest, allowed=conform.read_allowed(page))
    assert [list(versions) for versions in found.allowed.values()] == [[0, 1]]
    assert [list(versions) for versions in found.differences.values()] == [[2]]
    assert [each.path for each in found.unused] == ["Z"]


def test_a_folder_stands_for_its_jars_and_broken_ones_are_named(tmp_path: Path) -> None:
    jar(tmp_path, "kafka-x-4.4.0.jar", schema_text(*FIELDS))
    assert list(conform.read_jars([tmp_path])) == ["TinyRequest"]
    (tmp_path / "kafka-y-4.4.0.jar").write_bytes(b"no zip")
    with pytest.raises(SourceError, match=r"kafka-y-4\.4\.0\.jar"):
        conform.read_jars([tmp_path])
    assert conform.read_allowed(tmp_path / "nothing.json") == []
