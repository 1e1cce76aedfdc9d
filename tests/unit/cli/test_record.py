"""``record decode``: values of metadata records as dump-log prints them."""

from __future__ import annotations

import io
import json

import pytest

from metaquorum.cli.main import run
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord

FEATURE_LEVEL = 12


def fed(monkeypatch: pytest.MonkeyPatch, text: str) -> int:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"))
    return run(["record", "decode"])


def test_a_record_is_printed_with_its_type_and_version(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    message = FeatureLevelRecord("metadata.version", 25)
    value = encode_metadata_record(FEATURE_LEVEL, message, 0)
    assert fed(monkeypatch, value.hex()) == 0
    assert json.loads(capsys.readouterr().out) == {
        "type": "FEATURE_LEVEL_RECORD",
        "version": 0,
        "data": {"name": "metadata.version", "featureLevel": 25},
    }


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0200", "line 1: frame version 2, only version 1 is known"),
        ("01ff7f00", "line 1: unknown metadata record type 16383"),
        ("010c00", "line 1: FeatureLevelRecord"),
        ("", ""),
    ],
)
def test_a_value_that_is_no_record_is_refused_with_its_line(
    text: str, words: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fed(monkeypatch, text) == (1 if text else 0)
    printed = capsys.readouterr()
    assert words in printed.err
    assert printed.out == ""
