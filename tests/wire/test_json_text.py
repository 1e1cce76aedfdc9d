"""JSON in Java's spelling; the expected texts came out of Java."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.wire.json_form import double_text, json_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"),
        (-0.0, "-0.0"),
        (1.0, "1.0"),
        (9_999_999.0, "9999999.0"),
        (1e7, "1.0E7"),
        (-1e7, "-1.0E7"),
        (12_345_678.0, "1.2345678E7"),
        (52_428_800.0, "5.24288E7"),
        (1_000_000.25, "1000000.25"),
        (0.001, "0.001"),
        (0.001234, "0.001234"),
        (0.00099, "9.9E-4"),
        (1e-5, "1.0E-5"),
        (1e21, "1.0E21"),
        (1.7976931348623157e308, "1.7976931348623157E308"),
        (float("nan"), "NaN"),
        (float("-inf"), "-Infinity"),
    ],
)
def test_doubles_are_spelt_as_java_spells_them(value: float, text: str) -> None:
    assert double_text(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
@settings(derandomize=True, deadline=None, max_examples=200)
def test_a_spelt_double_is_still_the_same_number(value: float) -> None:
    assert float(double_text(value)) == value


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
        max_leaves=20,
    )
)
@settings(derandomize=True, deadline=None, max_examples=200)
def test_what_is_written_is_json(value: object) -> None:
    assert json.loads(json_text(value)) == value


def test_objects_have_no_blanks_and_keep_their_order() -> None:
    assert json_text({"b": [1, None, True], "a": {"x": 1.0}}) == '{"b":[1,null,true],"a":{"x":1.0}}'


def test_controls_are_escaped_with_capital_digits_and_nothing_else_is() -> None:
    assert json_text('\x1b\t"\\ é/') == '"\\u001B\\t\\"\\\\ é/"'


def test_infinities_are_quoted() -> None:
    assert json_text([float("inf"), float("nan")]) == '["Infinity","NaN"]'


def test_what_is_not_json_is_refused() -> None:
    with pytest.raises(TypeError, match="set has no JSON form"):
        json_text({1})
