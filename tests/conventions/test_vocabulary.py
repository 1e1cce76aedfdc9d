"""Words that were private to this code and are not used any more; docs/glossary.md has ours."""

from __future__ import annotations

import io
import re
import tokenize
from pathlib import Path

import pytest

from tools.wrap_docs import long_lines
from tools.wrap_docs import pages as wrapped_pages

ROOT = Path(__file__).resolve().parents[2]

NAMES = {
    "House": "Services",
    "NodeHouse": "NodeServices",
    "FakeHouse": "FakeServices",
    "HouseError": "InvariantViolated",
    "house": "services",
    "Breath": "StepOutput",
    "breath": "output",
    "_breathe": "_run_to_completion",
    "Word": "OutgoingEffect",
    "Later": "Promise",
    "Train": "PipelinedCommands",
    "Desk": "GroupDispatcher",
    "GroupsKeeper": "GroupsPartitionSupervisor",
    "Outside": "Environment",
    "Site": "ApiRow",
    "Rush": "WriteBurst",
    "Spares": "ThriftyReplication",
    "Alarm": "Timer",
    "Lookout": "Poller",
    "lookout": "poller",
    "OneWait": "SharedPoller",
    "WaitingTasks": "TaskPoller",
    "Hear": "OnReadable",
    "heed": "watch_fd",
    "gather": "begin_batch",
    "tell_gathered": "flush_batch",
    "crowd": "tailers",
    "Crowd": "ManyClients",
    "give_back_room": "release_preallocation",
    "run_aside": "run_in_thread",
    "Told": "Given, AnsweredPartition",
    "told_by": "reasons_of",
    "SaslDoor": "SaslListeners",
    "TlsDoor": "TlsListeners",
    "open_door": "open_listener",
    "Errand": "ClientTask",
    "errand": "task",
}
"""Names that were replaced, and by what."""

WORDS = re.compile(
    r"\b(the house|our house|house error|breaths?|crowds?|lookouts?|heeds|heeded|gathers"
    r"|whoever|errands?|doors?|early word|in one breath|keeps faith|asks? elsewhere"
    r"|a later was|this later|pure rooms?|(is|are) told of|hears? [A-Z]+_[A-Z_]+)\b",
    re.IGNORECASE,
)
"""Of prose: comments, docstrings, messages and pages.

Say who is meant (the client, the follower, the caller, the reader) and what happens to it: it is
answered, sent, woken, called or logged.
"""


def pages() -> list[Path]:
    docs = ROOT / "docs"
    found = [
        p
        for p in sorted(docs.rglob("*.md"))
        if not {docs / "history", docs / "protocol"} & {*p.parents}
    ]
    return [ROOT / "README.md", *found]


def code(*tops: str) -> list[Path]:
    return [
        p
        for top in tops
        for p in sorted((ROOT / top).rglob("*.py"))
        if "generated" not in p.parts and p.name != "test_vocabulary.py"
    ]


@pytest.mark.parametrize("top", ["src", "tools", "codegen", "tests"])
def test_old_names_are_gone(top: str):
    found = []
    for path in code(top):
        text = path.read_text(encoding="utf-8")
        if not any(name in text for name in NAMES):
            continue
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NAME and token.string in NAMES:
                better = NAMES[token.string]
                found.append(f"{path.relative_to(ROOT)}:{token.start[0]} {token.string}: {better}")
    assert not found


def test_old_words_are_in_no_comment_and_on_no_page():
    found = [
        f"{path.relative_to(ROOT)}:{number} {match[0]}"
        for path in [*pages(), *code("src", "tools", "codegen", "tests")]
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if (match := WORDS.search(line))
    ]
    assert not found


def test_references_in_code_are_to_decisions_that_hold():
    """Pages in the history say what was, and code says what is."""
    merged = {page.name[:3] for page in (ROOT / "docs" / "history").glob("[0-9]*.md")}
    found = [
        f"{path.relative_to(ROOT)}: {number}"
        for path in code("src", "tools", "codegen", "tests")
        for number in re.findall(r"\bdecisions?[/ ](\d{3})\b", path.read_text(encoding="utf-8"))
        if number in merged
    ]
    assert not found


def test_prose_is_wrapped_at_100_columns():
    """``python -m tools.wrap_docs`` wraps it."""
    long = [
        f"{page.relative_to(ROOT)}:{number}"
        for page in wrapped_pages()
        for number in long_lines(page.read_text(encoding="utf-8"))
    ]
    assert not long
