"""Ports of a driver that has no peers and no snapshots, over a lane of the test's."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from metaquorum.quorum.retention import Measured
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.driver.ports import Ports


def ports_over(lane: Any) -> Callable[[Driver], Ports]:
    """What a ``Driver`` is constructed with; requests to peers are dropped."""
    ports = Ports(
        lane=lane,
        send=lambda request: None,
        settle_install=lambda snapshot: None,
        measure_log=lambda: Measured(0),
        apply_inline=lambda: False,
    )
    return lambda driver: ports
