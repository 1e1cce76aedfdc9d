"""A change of the log as a line, in the words of ``metadata diff``, and what a screen may show.

Others see a screen too: values that are passwords or keys are left out of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from attrs import evolve

from metaquorum.base.offsets import Epoch
from metaquorum.cli.metadata_diff import ADDED, Change, Facts, changes
from metaquorum.cli.metadata_extract import Extract
from metaquorum.records.control import ControlRecord, ControlType

HIDDEN: Final = "(hidden)"
_SECRET_SETTING: Final = re.compile(r"password|secret|jaas|ssl\.keystore\.key", re.IGNORECASE)
_OBVIOUS: Final = frozenset(("leaderEpoch", "partitionEpoch", "directories"))
_OF_NODE: Final = frozenset(("epoch", "rack", "fenced"))


def is_secret(setting: str) -> bool:
    """Whether the value of a setting is nobody's business who sees the screen."""
    return _SECRET_SETTING.search(setting) is not None


def record_words(before: Extract, after: Extract) -> Iterator[tuple[str, str]]:
    """What a record changed, by kind and in words; nothing where it set what was there already."""
    for change in changes(before, after):
        yield change.kind, _shown(change).words()


def control_words(control: ControlRecord, epoch: Epoch) -> str:
    """What a control record says; the empty text for those that are no news."""
    message = control.message
    if control.type == ControlType.LEADER_CHANGE:
        votes = ", ".join(str(one.voter_id) for one in message.granting_voters)
        return f"node {message.leader_id} leads epoch {epoch}" + (
            f", elected by {votes}" if votes else ""
        )
    if control.type == ControlType.KRAFT_VOTERS:
        return "the voters are " + ", ".join(str(one.voter_id) for one in message.voters)
    if control.type == ControlType.KRAFT_VERSION:
        return f"kraft.version is {message.kraft_version}"
    return ""


def _shown(change: Change) -> Change:
    """The change without what makes the line long and tells nothing, or tells too much."""
    if change.kind in ("broker", "controller") and change.change == ADDED:
        return evolve(change, after=_only(change.after, _OF_NODE))
    if change.kind == "partition" and not _OBVIOUS.issuperset(change.after):
        return evolve(
            change,
            before=_without(change.before, _OBVIOUS),
            after=_without(change.after, _OBVIOUS),
        )
    if change.kind == "delegation token" or (change.kind == "config" and is_secret(change.name)):
        return evolve(change, before=_hidden(change.before), after=_hidden(change.after))
    return change


def _only(facts: Facts, names: frozenset[str]) -> Facts:
    return {name: value for name, value in facts.items() if name in names and value is not None}


def _without(facts: Facts, names: frozenset[str]) -> Facts:
    return {name: value for name, value in facts.items() if name not in names}


def _hidden(facts: Facts) -> Facts:
    return dict.fromkeys(facts, HIDDEN)
