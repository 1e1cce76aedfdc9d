"""Prospective: asks what an election would bring before it raises the epoch (KIP-996)."""

from __future__ import annotations

from typing import ClassVar

from metaquorum.base.clock import Millis
from metaquorum.base.value import value
from metaquorum.quorum.election import Ballot


@value
class Prospective:
    """Collects pre-votes. Nothing of it is on the disk: a crash forgets it without harm."""

    name: ClassVar[str] = "Prospective"
    ballot: Ballot
    election_deadline: Millis
