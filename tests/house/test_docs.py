"""Pages that name things keep naming things that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINK = re.compile(r"\[[^\]]*\]\(([^)#\s]+)(#[^)]*)?\)")
MAKE = re.compile(r"`make ([a-z-]+)")


def test_links_inside_the_tree_lead_somewhere():
    broken = [
        f"{page.relative_to(ROOT)} -> {target}"
        for page in PAGES
        for target, _ in LINK.findall(page.read_text(encoding="utf-8"))
        if "://" not in target and not (page.parent / target).exists()
    ]
    assert not broken


def test_every_make_target_that_a_page_names_exists():
    targets = set(
        re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )
    missing = [
        f"{page.relative_to(ROOT)}: make {name}"
        for page in PAGES
        for name in MAKE.findall(page.read_text(encoding="utf-8"))
        if name not in targets
    ]
    assert not missing


def test_every_decision_is_listed_in_the_index():
    index = (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    unlisted = [
        page.name
        for page in sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
        if page.name not in index
    ]
    assert not unlisted
