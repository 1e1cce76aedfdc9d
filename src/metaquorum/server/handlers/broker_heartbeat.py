"""BrokerHeartbeat (63): a broker is alive, and asks to be fenced, unfenced or shut down.

Behaviour
- On controller listeners only. The active controller answers once what the heartbeat changed is
  committed, and at once if it changed nothing and nothing of that broker is uncommitted; any other
  node says NOT_CONTROLLER.
- STALE_BROKER_EPOCH for a broker that is not registered with that epoch.
- It counts as contact in any case. After half of ``broker.heartbeat.interval.ms`` the answer is
  REQUEST_TIMED_OUT, and what it asked for is not done if it arrived as late as that (KAFKA-15019).
- A fenced broker is unfenced once it has applied its own registration and no longer wants to be
  fenced. One that wants to shut down leads nothing first, and may go when all active brokers have
  applied the records of that.
- Log directories that went offline take the replicas on them out of the ISRs (KIP-858).

Version notes
- 1 has offline log directories, 2 cordoned ones, which take no new replicas (KIP-1066).
"""

from __future__ import annotations

from metaquorum.controller.commands import BrokerHeartbeat
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from metaquorum.wire.generated.broker_heartbeat_response import BrokerHeartbeatResponse


def handle(
    request: Request[BrokerHeartbeatRequest], services: Services
) -> Promise[BrokerHeartbeatResponse]:
    """What the active controller answers."""
    deadline = request.received_at_ms + services.config.broker_heartbeat_interval_ms // 2
    return services.ask_controller(BrokerHeartbeat(request.message), deadline_ms=deadline)


def refusal(
    request: Request[BrokerHeartbeatRequest], code: int, reason: str | None
) -> BrokerHeartbeatResponse:
    """The code; a broker without an answer counts as fenced."""
    return BrokerHeartbeatResponse(error_code=code, is_caught_up=False, is_fenced=True)
