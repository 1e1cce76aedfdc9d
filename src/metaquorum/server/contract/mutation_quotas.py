"""The quota of who creates and deletes partitions, as three handlers use it (KIP-599)."""

from __future__ import annotations

from typing import Any

from metaquorum.base.clock import Millis
from metaquorum.controller.mutation_quota import MutationQuota
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services


def mutation_quota(
    request: Request[Any], services: Services, *, strict_from: int
) -> MutationQuota | None:
    """What binds the request; clients of version ``strict_from`` on can be refused by it."""
    return services.client_quotas.mutations(
        request.origin.principal,
        request.header.client_id or "",
        is_strict=request.version >= strict_from,
    )


def paused_ms(quota: MutationQuota | None, services: Services) -> Millis:
    """For how long the answer tells the client to pause, which is counted."""
    if quota is None or not quota.pause_ms:
        return 0
    services.client_quotas.paused(quota.pause_ms)
    return quota.pause_ms
