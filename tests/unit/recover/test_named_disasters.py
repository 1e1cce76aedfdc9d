"""The disasters that are played on real clusters are those that the reference lists."""

from __future__ import annotations

from pathlib import Path

from tests.interop.disaster_names import DISASTERS

PAGE = Path(__file__).parents[3] / "docs/reference/recovery.md"


def test_the_reference_lists_the_disasters_that_are_played() -> None:
    _, _, section = PAGE.read_text().partition("## Disasters that are tested")
    rows = [line for line in section.splitlines() if line.startswith("| `")]
    assert rows == [f"| `{name}` | {words} |" for name, words in DISASTERS.items()]
    assert len(DISASTERS) == 12
