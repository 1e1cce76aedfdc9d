"""Bytes that are no UTF-8, shown as Java shows them; the texts are what OpenJDK 17 printed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaquorum.records.java_text import java_text

SIGN = "\ufffd"


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("eda080", SIGN),  # the first half of a surrogate pair
        ("edbfbf", SIGN),  # the second
        ("eda0", SIGN),
        ("eda041", f"{SIGN}A"),
        ("eda080eda080", 2 * SIGN),
        ("eda0edbf80", 2 * SIGN),
        ("eda08080", 2 * SIGN),
        ("ed", SIGN),
        ("ed41", f"{SIGN}A"),
        ("ed9fbf", "\ud7ff"),
        ("eda0c3a9", f"{SIGN}\u00e9"),
        ("e0a041", f"{SIGN}A"),
        ("e08080", 3 * SIGN),
        ("f0908041", f"{SIGN}A"),
        ("f08f8080", 4 * SIGN),
        ("f4908080", 4 * SIGN),
        ("f5808080", 4 * SIGN),
        ("c080", 2 * SIGN),
        ("efbbbf41", "\ufeffA"),
    ],
)
def test_what_is_no_utf8_is_replaced_as_java_does(raw: str, shown: str) -> None:
    assert java_text(bytes.fromhex(raw)) == shown


@given(st.text())
def test_what_is_utf8_is_that_text(text: str) -> None:
    raw = text.encode("utf-8", "replace")
    assert java_text(raw) == raw.decode()
