"""Shell blocks run or say why not; rows of compatibility have tests; fragments are well formed."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from tools.shell_blocks import blocks, pages

ROOT = Path(__file__).resolve().parents[2]


def test_a_shell_block_that_does_not_run_says_why():
    """Every block without a reason runs in tests/site, so none can be left out in silence."""
    for page in pages():
        reasons = [block.reason for block in blocks(page) if block.reason is not None]
        written = page.read_text(encoding="utf-8").count("<!-- not run:")
        assert len(reasons) == written, f"{page}: a reason that stands at no shell block"
        assert all(len(reason.split()) >= 3 for reason in reasons), page


def test_every_page_of_how_to_and_reference_is_in_its_index():
    for folder in (ROOT / "docs" / "how-to", ROOT / "docs" / "reference"):
        index = (folder / "README.md").read_text(encoding="utf-8")
        missing = [p.name for p in folder.glob("*.md") if f"({p.name})" not in index]
        assert set(missing) == {"README.md"}


def test_rows_of_the_compatibility_page_name_tests():
    page = (ROOT / "docs" / "reference" / "compatibility.md").read_text(encoding="utf-8")
    rows = [line for line in page.splitlines() if re.match(r"\| (?!what|---)", line)]
    assert rows
    for row in rows:
        named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", row)
        assert named, row
        for path, name in named:
            text = (ROOT / path).read_text(encoding="utf-8")
            assert not name or f"def {name}(" in text, row


def test_fragments_are_well_formed():
    options = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    kinds = {kind["directory"] for kind in options["tool"]["towncrier"]["type"]}
    for fragment in (ROOT / "newsfragments").glob("*.md"):
        name, kind = fragment.stem.rsplit(".", 1)
        assert re.fullmatch(r"\d+|\+[a-z0-9-]+", name), fragment.name
        assert kind in kinds, fragment.name
        assert fragment.read_text(encoding="utf-8").strip().endswith("."), fragment.name
