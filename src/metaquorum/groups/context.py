"""What all parts of the coordinator share: settings, the replayed state, deadlines, new ids."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from metaquorum.base.ids import Uuid
from metaquorum.groups.config import GroupConfig
from metaquorum.groups.state import GroupState
from metaquorum.groups.timers import Timers


@define(eq=False)
class Context:
    """``draw`` gives a uuid that nobody else has: the host's chance, for the ids of members."""

    config: GroupConfig
    draw: Callable[[], Uuid]
    state: GroupState = field(factory=GroupState)
    timers: Timers = field(factory=Timers)
