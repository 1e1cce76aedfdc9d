"""Pages that name things keep naming things that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
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


ROW = re.compile(
    r"^\| \[(\d{3})\]\(([^)]+)\) \| (.+?) \| (holds|gone|changed by [\d, ]+) \| .+ \|$"
)


def decisions() -> list[tuple[str, str, str, str]]:
    """Number, file name, title and status of each row of the index."""
    index = (ROOT / "docs" / "decisions" / "README.md").read_text(encoding="utf-8")
    return [match.groups() for line in index.splitlines() if (match := ROW.match(line))]


def test_every_decision_is_listed_once_with_its_title_and_status():
    listed = [(number, name, title) for number, name, title, _ in decisions()]
    pages = []
    for page in sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md")):
        number, title = page.read_text(encoding="utf-8").split("\n", 1)[0][2:].split(": ", 1)
        assert page.name.startswith(f"{number}-"), page.name
        pages.append((number, page.name, title))
    assert sorted(listed) == pages


def test_a_changed_decision_names_the_page_that_changed_it():
    folder = ROOT / "docs" / "decisions"
    names = {number: name for number, name, _, _ in decisions()}
    for number, name, _, status in decisions():
        if status.startswith("changed by "):
            top = (folder / name).read_text(encoding="utf-8").split("\n\n")[1]
            for later in status.removeprefix("changed by ").split(", "):
                assert names[later] in top, f"{number} does not name {later} at its top"


def test_every_page_of_the_history_is_listed():
    folder = ROOT / "docs" / "history"
    index = (folder / "README.md").read_text(encoding="utf-8")
    assert not [
        p.name for p in folder.glob("*.md") if p.name != "README.md" and p.name not in index
    ]


def test_code_refers_to_decisions_that_exist():
    numbers = {number for number, _, _, _ in decisions()}
    numbers |= {page.name[:3] for page in (ROOT / "docs" / "history").glob("[0-9]*.md")}
    wrong = [
        f"{path.relative_to(ROOT)}: {number}"
        for top in ("src", "codegen", "tools", "tests")
        for path in sorted((ROOT / top).rglob("*.py"))
        for number in re.findall(r"\bdecisions?[/ ](\d{3})\b", path.read_text(encoding="utf-8"))
        if number not in numbers
    ]
    assert not wrong
