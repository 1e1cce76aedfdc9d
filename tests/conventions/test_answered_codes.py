"""The codes that our handlers answer with are those that docs/protocol says they do.

``codegen/answers.json`` lists them by API. Code that a handler's module names must be there; so
must be every code that comes back when any request is asked, let in or not, stopping or not.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codegen.answers import read_answers
from metaquorum.base.errors import PeerError
from metaquorum.server.contract import groups
from metaquorum.server.contract.api import API_ROWS
from metaquorum.server.contract.api_row import ApiRow
from metaquorum.wire.generated import error_codes
from metaquorum.wire.message import Message
from tests.server.test_every_request import Refuser, any_request, client

FILE = Path(__file__).parents[2] / "codegen/answers.json"
ANSWERS = read_answers(set(error_codes.NAMES.values()), FILE)
FROM_GROUPS = {
    "REFUSED": error_codes.NAMES[groups.REFUSED],
    "NO_SUCH_GROUP": error_codes.NAMES[groups.NO_SUCH_GROUP],
    "NO_SUCH_MEMBER": error_codes.NAMES[groups.NO_SUCH_MEMBER],
}

each_api_row = pytest.mark.parametrize("api_row", API_ROWS, ids=lambda api_row: api_row.name)


def listed(api_row: ApiRow) -> set[str]:
    found = ANSWERS[api_row.name].ours
    assert found is not None, f"codegen/answers.json: {api_row.name} is served and has no `ours`"
    return set(found)


def named_codes(api_row: ApiRow) -> Iterator[str]:
    """The codes that the source of the handler names."""
    for node in ast.walk(ast.parse(inspect.getsource(api_row.handler()))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id == "error_codes" and node.attr in error_codes.NAMES.values():
                yield node.attr
            if node.value.id == "groups" and node.attr in FROM_GROUPS:
                yield FROM_GROUPS[node.attr]


def codes_in(answer: Any) -> Iterator[int]:
    """Every error code that a message carries."""
    for slot in answer.__slots__:
        value = getattr(answer, slot)
        if slot == "error_code":
            yield value
        for item in value if isinstance(value, list | tuple) else [value]:
            if isinstance(item, Message):
                yield from codes_in(item)


@each_api_row
def test_the_codes_that_a_handler_names_are_on_its_page(api_row: ApiRow) -> None:
    assert set(named_codes(api_row)) - {"NONE"} <= listed(api_row)


@each_api_row
@settings(max_examples=10, derandomize=True, deadline=None)
@given(data=st.data())
def test_the_codes_that_come_back_are_on_its_page(api_row: ApiRow, data: st.DataObject) -> None:
    asked, version = any_request(data, api_row)
    asker = client()
    asker.pipeline.stopping = data.draw(st.booleans())
    if data.draw(st.booleans()):
        asker.pipeline.authoriser = Refuser()
    try:
        exchange = asker.send(asked, version)
    except PeerError:
        assert api_row.name == "Produce"
        return
    if exchange.delivered is not None:  # else it waits for the quorum or the controller
        found = {error_codes.NAMES[code] for code in codes_in(exchange.response)}
        assert found - {"NONE"} <= listed(api_row)


def test_only_what_is_served_has_codes_of_ours() -> None:
    assert {api for api, answers in ANSWERS.items() if answers.ours is not None} == {
        api_row.name for api_row in API_ROWS
    }
