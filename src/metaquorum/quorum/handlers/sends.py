"""What each role sends on its own account, looked at after every step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaquorum.base.clock import Millis
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.handlers.lifecycle import finish_shutdown

if TYPE_CHECKING:
    from metaquorum.quorum.replica import Replica


def send_due(replica: Replica, now: Millis, out: list[Effect]) -> None:
    """Send what the present role has to say to every peer that is ready for it."""
    finish_shutdown(replica, now, out)
