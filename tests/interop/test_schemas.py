"""Our schemas and codecs against Kafka's own definitions and classes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from metaquorum.testing import golden, values
from metaquorum.wire import json_form
from metaquorum.wire.primitives import DecodeError
from tools.java import client_apis, golden_frames
from tools.kafka import jars

ROOT = Path(__file__).parents[2]
DAMAGES_PER_FRAME = 4
SEED = 3
BYTES = (0, 1, 2, 127, 128, 255)
# What we refuse and Kafka's classes do not (docs/decisions/002-schemas.md).
STRICTER = ("not UTF-8", "tag")


def test_schemas_have_the_structure_of_the_definitions_in_kafkas_jars() -> None:
    found = [str(jar) for version in ("4.4.0", "3.9.1") for jar in jars.message_jars(version)]
    command = [sys.executable, "-m", "codegen", "--complete", "--conform", *found]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ", 0 differences" in ran.stdout


@pytest.mark.parametrize("release", client_apis.RELEASES)
def test_everything_that_an_old_client_can_send_has_a_codec(release: str) -> None:
    found = client_apis.client_apis(release)
    assert {one.key for one in found} >= {0, 1, 2, 3, 8, 9, 10, 11, 12, 13, 14, 18}
    assert {one.name: one.unknown_versions() for one in found if one.unknown_versions()} == {}


def test_golden_frames_are_what_kafkas_classes_write() -> None:
    for file, text in golden_frames.golden_files().items():
        assert file.read_text(encoding="utf-8") == text, file.name


def test_damaged_frames_mean_to_us_what_they_mean_to_kafka() -> None:
    chance = random.Random(SEED)
    questions = []
    for frame in golden.all_frames():
        for _ in range(DAMAGES_PER_FRAME if frame.data else 0):
            damaged = bytearray(frame.data)
            at = chance.randrange(len(damaged))
            damaged[at] = chance.choice((*BYTES, damaged[at] ^ 1, chance.randrange(256)))
            questions.append(
                golden_frames.Question(frame.schema, frame.version, "", bytes(damaged))
            )
    read_by_both = 0
    for question, theirs in golden_frames.ask(questions):
        schema, version, data = question.schema, question.version, question.data
        where = f"{schema.name} v{version} {data.hex()}"
        module = values.codec(schema)
        try:
            message, end = module.get(data, 0, version)
        except DecodeError as why:
            assert "error" in theirs or why.why.startswith(STRICTER), f"{where}: {why}"
            continue
        if "error" in theirs:
            # A tag that another version knows: Kafka refuses it, we keep it as unknown.
            assert "is not valid for version" in theirs["error"], f"{where}: {theirs}"
            continue
        ours = json.loads(json_form.json_text(json_form.to_json(module, message, version)))
        assert golden_frames.without_records(schema.fields, ours) == theirs["json"], where
        assert len(data) - end == theirs["left"], where
        read_by_both += 1
    assert read_by_both > len(questions) // 3
