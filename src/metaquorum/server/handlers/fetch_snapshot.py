"""FetchSnapshot (59): a replica downloads a snapshot in parts (KIP-630).

Behaviour
- Offered on controller listeners only, and only if this node's quorum serves it; the quorum
  answers, this module hands the question on.
- A refusal is the code for the whole request, which is where replicas look first.

Version notes
- 1 brings the replica's directory id (KIP-853).
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.fetch_snapshot_request import FetchSnapshotRequest
from metaquorum.wire.generated.fetch_snapshot_response import FetchSnapshotResponse

KEY: Final = 59


def handle(
    request: Request[FetchSnapshotRequest], services: Services
) -> Promise[FetchSnapshotResponse]:
    """What the quorum answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    source = request.origin.peer
    return services.ask_quorum(
        KEY, request.version, request.message, deadline_ms=deadline, source=source
    )


def refusal(
    request: Request[FetchSnapshotRequest], code: int, reason: str | None
) -> FetchSnapshotResponse:
    """The code for the whole request."""
    return FetchSnapshotResponse(error_code=code)
