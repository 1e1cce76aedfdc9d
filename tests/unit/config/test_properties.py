"""Properties text: Java's rules in, order and comments kept on the way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.config.properties import (
    parse_override,
    parse_properties,
    read_properties,
    with_changes,
)


def test_java_separators_comments_and_continuations_are_understood() -> None:
    text = "# a comment\n! another\na=1\nb : 2\nc 3\n  d = x\\\n     y\ne\n"
    assert parse_properties(text, "f") == {"a": "1", "b": "2", "c": "3", "d": "xy", "e": ""}


def test_escapes_are_undone_as_java_does() -> None:
    text = "path=C\\:\\\\data\nlist=\\u00e9\\=\\#\nkey\\ with\\=blanks=v\n"
    assert parse_properties(text, "f") == {
        "path": "C:\\data",
        "list": "é=#",
        "key with=blanks": "v",
    }


def test_of_a_key_given_twice_the_last_one_counts() -> None:
    assert parse_properties("a=1\na=2\n", "f") == {"a": "2"}


def test_a_broken_escape_names_the_file() -> None:
    with pytest.raises(OperatorError, match=r"node\.properties.*four hexadecimal digits"):
        parse_properties("dir=C:\\users\n", "node.properties")


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    path = tmp_path / "absent.properties"
    with pytest.raises(OperatorError, match=r"cannot read .*absent\.properties"):
        read_properties(path)


def test_bytes_above_127_are_read_as_java_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "latin.properties"
    path.write_bytes(b"a=\xe9\n")
    assert read_properties(path) == {"a": "é"}


def test_changes_keep_comments_and_order_and_put_new_keys_last() -> None:
    text = "# head\nb=2\n\n# about a\na=1\nc=3\n"
    changed = with_changes(text, {"a": "9", "z": "new", "c": None}, "f")
    assert changed == "# head\nb=2\n\n# about a\na=9\nz=new\n"


@pytest.mark.parametrize(
    ("argument", "pair"),
    [("a=b", ("a", "b")), (" a = b=c ", ("a", "b=c")), ("a=", ("a", ""))],
)
def test_an_override_is_split_at_its_first_equals_sign(
    argument: str, pair: tuple[str, str]
) -> None:
    assert parse_override(argument) == pair


@pytest.mark.parametrize("argument", ["a", "=b", ""])
def test_an_override_without_key_or_sign_is_refused(argument: str) -> None:
    with pytest.raises(OperatorError, match="KEY=VALUE"):
        parse_override(argument)
