"""Texts of peers in messages: cut before they are quoted, and nothing that acts on a terminal."""

from __future__ import annotations

from metaquorum.base.limits import MAX_QUOTED_CHARS
from metaquorum.base.quoting import printable, quoted


def test_a_short_name_is_quoted_as_python_does():
    name = "a'b\n" + "x" * (MAX_QUOTED_CHARS - 4)
    assert quoted(name) == repr(name)


def test_a_long_name_is_cut_and_says_how_much_is_missing():
    told = quoted("\x00" * 520_000)
    assert told == repr("\x00" * MAX_QUOTED_CHARS) + "... (519750 more characters)"


def test_only_what_prints_is_left_as_it_is():
    assert printable("plain é \u4e2d") == "plain é \u4e2d"
    assert printable("a\x1b[2J\r\n\t\x9b\u2029\udc80") == (
        "a\\u001b[2J\\r\\n\\t\\u009b\\u2029\\udc80"
    )
