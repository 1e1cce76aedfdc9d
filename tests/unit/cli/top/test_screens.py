"""Screens as text are those that are kept; ``python -m tests.unit.cli.top.screens`` renews them."""

from __future__ import annotations

import pytest

from metaquorum.cli.top.layout import HEAD_LINES
from metaquorum.cli.top.pieces import CUT
from tests.unit.cli.top.screens import FOLDER, KEPT, Screen, drawn


@pytest.mark.parametrize("screen", KEPT, ids=lambda screen: screen.name)
def test_a_screen_is_the_one_that_is_kept(screen: Screen) -> None:
    assert drawn(screen) == screen.path.read_text(encoding="utf-8")


def test_every_kept_screen_is_drawn() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {one.path.name for one in KEPT}


@pytest.mark.parametrize("scene", ["calm", "troubled"])
def test_nothing_but_words_of_changes_is_cut_at_80x24(scene: str) -> None:
    lines = (FOLDER / f"{scene}-80x24.txt").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 24
    changes = next(at for at, line in enumerate(lines) if line.startswith("CHANGES"))
    assert changes > HEAD_LINES
    assert not [line for line in lines[:changes] if CUT in line]
    assert all(len(line) <= 80 for line in lines)
