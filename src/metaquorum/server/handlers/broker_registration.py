"""BrokerRegistration (62): a broker tells the active controller where it is and what it can do.

Behaviour
- On controller listeners only. The active controller writes the registration, fenced, and answers
  with the broker's epoch when it is committed; any other node says NOT_CONTROLLER.
- In Kafka's order: another cluster id is INCONSISTENT_CLUSTER_ID; another process of that id that
  sent a heartbeat within ``broker.session.timeout.ms`` DUPLICATE_BROKER_REGISTRATION; a broker of
  ZooKeeper BROKER_ID_NOT_REGISTERED; log directories that are missing, reserved, named twice or of
  another broker, a listener or feature named twice, and no range of metadata.version
  INVALID_REGISTRATION; a finalized feature that it cannot work with UNSUPPORTED_VERSION.
- A broker that was stopped in order, and says so by its previous epoch, need not wait until its
  session has expired (decision 230).
- The same process again keeps its epoch and whether it is fenced. After an unclean restart the
  broker is first taken out of the ISRs and eligible leader replicas of its partitions (KIP-966).

Version notes
- 1 has the flag of a broker of ZooKeeper, 2 log directories, 3 the previous epoch; before it every
  restart counts as unclean. 4 has features whose lowest level is 0.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import RegisterBroker
from metaquorum.metadata.tables.features import KRAFT_VERSION
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated.broker_registration_request import BrokerRegistrationRequest
from metaquorum.wire.generated.broker_registration_response import BrokerRegistrationResponse

_NO_KRAFT_VERSION: Final = 0


def handle(
    request: Request[BrokerRegistrationRequest], services: Services
) -> Promise[BrokerRegistrationResponse]:
    """What the active controller answers."""
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    command = RegisterBroker(
        request.message,
        services.cluster_id,
        services.features.finalized.get(KRAFT_VERSION, _NO_KRAFT_VERSION),
    )
    return services.ask_controller(command, deadline_ms=deadline)


def refusal(
    request: Request[BrokerRegistrationRequest], code: int, reason: str | None
) -> BrokerRegistrationResponse:
    """The code, and no epoch."""
    return BrokerRegistrationResponse(error_code=code)
