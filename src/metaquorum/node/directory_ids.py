"""Whether the voters know this node by the directory that it has.

A voter is a node and its directory (KIP-853). A node whose ``meta.properties`` was lost and written
anew, or copied from elsewhere, has another directory id than the voter set says: it counts as an
observer, and would wait without a word for ever.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from metaquorum.base.ids import uuid_text
from metaquorum.observe.events import EventLog
from metaquorum.quorum.types import ReplicaKey
from metaquorum.quorum.voters import VoterHistory, VoterSet


@define(eq=False)
class DirectoryIdWatch:
    """Tells, once for each voter set, that it has this node under another directory id."""

    key: ReplicaKey
    file: str
    voters: Callable[[], VoterHistory]
    log: EventLog
    _seen: VoterSet | None = field(default=None, init=False)

    def look(self) -> None:
        """Look whether the voters are others than before; a comparison where they are not."""
        voters = self.voters().latest
        if voters is self._seen:
            return
        self._seen = voters
        known = voters.by_id(self.key.id)
        if known is None or voters.is_voter(self.key) or known.key.directory_id is None:
            return
        own = "none" if self.key.directory_id is None else uuid_text(self.key.directory_id)
        self.log.warn(
            "directory-id-differs",
            node=self.key.id,
            file=self.file,
            directory=own,
            voter=uuid_text(known.key.directory_id),
            why="the voters know this node by another directory, so it has no vote",
            hint=(
                "if that directory is lost: metadata-quorum remove-controller for it, then "
                "add-controller for this one; else stop this node and put its directory.id back"
            ),
        )
