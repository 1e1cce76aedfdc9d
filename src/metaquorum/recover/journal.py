"""The journal of a recovery in one log directory: how far it came, and what it began from.

One small file, replaced durably before and after every step whose half would be harm. It stays
until the recovery is undone or forgotten.
"""

from __future__ import annotations

import json
from enum import Enum
from typing import Final

from attrs import frozen

from metaquorum.recover.json_fields import Fields
from metaquorum.storage.disk import Disk, replace_durably
from metaquorum.storage.names import METADATA_DIRECTORY

JOURNAL: Final = "metaquorum-recovery.json"
KIND: Final = "metaquorum recovery journal"
VERSION: Final = 1


class Phase(Enum):
    """How far a recovery came."""

    BUILDING = "building"  # the new directory is being written; nothing else has changed
    MOVING = "moving"  # it is whole; the old one is moved, the new one takes its name
    DONE = "done"
    UNDOING = "undoing"  # all goes back


@frozen
class JournalEntry:
    """What the journal says. ``built`` is the fingerprint of the new directory when it was whole.

    ``had_directory`` and ``had_identity`` tell what there was before.
    """

    plan_id: str
    node_id: int
    phase: Phase
    had_directory: bool
    had_identity: bool
    writes_identity: bool
    built: str = ""

    @property
    def new(self) -> str:
        """Where the new directory is written. Brokers pass over names of this form."""
        return f"{METADATA_DIRECTORY}.{self.plan_id}new-stray"

    @property
    def old(self) -> str:
        """Where the old directory is kept."""
        return f"{METADATA_DIRECTORY}.{self.plan_id}old-stray"

    @property
    def undone(self) -> str:
        """Where a recovered directory goes that a node has written to, when it is undone."""
        return f"{METADATA_DIRECTORY}.{self.plan_id}undone-stray"

    @property
    def old_identity(self) -> str:
        """Where the old meta.properties is kept."""
        return f"meta.properties.{self.plan_id}old"


def read_journal(disk: Disk, log_dir: str) -> JournalEntry | None:
    """The journal in a log directory, None without one; OperatorError for one that is damaged."""
    path = f"{log_dir}/{JOURNAL}"
    try:
        text = disk.read_bytes(path).decode("utf-8", "replace")
    except FileNotFoundError:
        return None
    fields = Fields.parsed(text, path, KIND, VERSION)
    phases = {one.value: one for one in Phase}
    phase = fields.text("phase")
    if phase not in phases:
        fields.refuse("phase", "one of " + ", ".join(phases))
    return JournalEntry(
        fields.text("planId"),
        fields.id("nodeId"),
        phases[phase],
        fields.flag("hadDirectory"),
        fields.flag("hadIdentity"),
        fields.flag("writesIdentity"),
        fields.text("built"),
    )


def write_journal(disk: Disk, log_dir: str, entry: JournalEntry) -> None:
    """Replace the journal durably; raises DiskFailed."""
    row = {
        "kind": KIND,
        "version": VERSION,
        "planId": entry.plan_id,
        "nodeId": entry.node_id,
        "phase": entry.phase.value,
        "hadDirectory": entry.had_directory,
        "hadIdentity": entry.had_identity,
        "writesIdentity": entry.writes_identity,
        "built": entry.built,
    }
    replace_durably(disk, log_dir, JOURNAL, (json.dumps(row, indent=1) + "\n").encode())
