"""Candidate: has raised the epoch, voted for itself, and asks the other voters (KIP-595)."""

from __future__ import annotations

from typing import ClassVar

from metaquorum.base.clock import Millis
from metaquorum.base.value import value
from metaquorum.quorum.election import Ballot
from metaquorum.quorum.types import Ticket


@value
class Candidate:
    """Collects votes; its own counts once ``own_vote``, the ticket that saves it, is durable."""

    name: ClassVar[str] = "Candidate"
    ballot: Ballot
    election_deadline: Millis
    own_vote: Ticket
