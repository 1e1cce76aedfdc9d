"""Resigned: led this epoch and will not write in it again (KIP-595, KAFKA-10527)."""

from __future__ import annotations

from typing import ClassVar

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.value import value
from metaquorum.quorum.types import ReplicaKey


@value
class Resigned:
    """Tells every voter, in ``to_tell``, that its epoch is over and who should try first."""

    name: ClassVar[str] = "Resigned"
    election_deadline: Millis
    candidates: tuple[ReplicaKey, ...] = ()
    to_tell: tuple[NodeId, ...] = ()
