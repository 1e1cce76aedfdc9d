"""What the mixed scenarios share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tools.kafka import JavaHelper, ToolResult
from tools.mixed.node import Kind
from tools.mixed.quorum import MixedQuorum
from tools.own_node import metaquorum

Tool = Callable[..., ToolResult]
Form = Callable[..., MixedQuorum]


TURNS_OF_SOAK = 10


@pytest.fixture(
    autouse=True,
    params=[0, *(pytest.param(one, marks=pytest.mark.soak) for one in range(TURNS_OF_SOAK))],
    ids=["once", *(f"turn {one + 1}" for one in range(TURNS_OF_SOAK))],
)
def turn(request: pytest.FixtureRequest) -> int:
    """Once in ``make interop``, ten times in a row in ``make soak``."""
    number: int = request.param
    return number


@pytest.fixture
def form(tmp_path: Path, java: JavaHelper) -> Form:
    """Makes a quorum of three kinds; what else is given are properties of every node."""

    def formed(*kinds: Kind, static: bool = False, **properties: str) -> MixedQuorum:
        rows = {key.replace("_", "."): value for key, value in properties.items()}
        return MixedQuorum(tmp_path, kinds, java.tool, rows, static=static)

    return formed


@pytest.fixture
def tools(java: JavaHelper) -> dict[str, Tool]:
    """Either side's tool for changes of the voters."""
    return {
        "kafka's": partial(java.tool, "metadata-quorum"),
        "ours": partial(metaquorum, "metadata-quorum"),
    }
