"""What a plan is given, for tests that call one by itself."""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Offset
from metaquorum.controller.config import ControllerConfig
from metaquorum.controller.contacts import BrokerContacts
from metaquorum.controller.context import PlanContext
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.token_keys import TokenHmacs


def plan_context(
    view: StateView,
    *,
    next_offset: Offset = 0,
    now: Millis = 0,
    config: ControllerConfig | None = None,
    contacts: BrokerContacts | None = None,
    wall_ms: int = 0,
    token_hmacs: TokenHmacs | None = None,
) -> PlanContext:
    """A context with Kafka's defaults where nothing else is said."""
    return PlanContext(
        view,
        next_offset,
        now,
        config or ControllerConfig(node_id=1),
        contacts or BrokerContacts(),
        wall_ms,
        token_hmacs,
    )
