"""UpdateFeatures (57): feature levels are raised or lowered, kraft.version too (KIP-584, KIP-853).

Behaviour
- The active controller checks every update and writes all of them or none; the answer comes when
  they are committed. INVALID_UPDATE_VERSION says which feature cannot be set, and why.
- kraft.version lives in the quorum's own records: the quorum checks it and writes it, with the
  voters as they reported themselves. Other updates of such a request are checked before and
  written after it.
- Validating only goes through all the checks and writes nothing.
- On a client listener any node takes the request to the leader.

Version notes
- 0 knows no upgrade types: a downgrade is allowed, as a safe one, or it is not.
- 0, 1: a row for each feature if all went well, and none if not. 2 has no rows.
"""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.base.errors import RequestError
from metaquorum.base.limits import ADMIN_REQUEST_MS
from metaquorum.controller.commands import UpdateFeatures
from metaquorum.metadata.tables.features import KRAFT_VERSION
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.update_features_request import (
    FeatureUpdateKey,
    UpdateFeaturesRequest,
)
from metaquorum.wire.generated.update_features_response import UpdateFeaturesResponse
from metaquorum.wire.message import evolve


def handle(
    request: Request[UpdateFeaturesRequest], services: Services
) -> Promise[UpdateFeaturesResponse]:
    """What the active controller answers, and for kraft.version the quorum."""
    deadline = request.received_at_ms + min(max(request.message.timeout_ms, 0), ADMIN_REQUEST_MS)
    updates = request.message.feature_updates
    kraft_versions = [one for one in updates if one.feature == KRAFT_VERSION]
    if not kraft_versions:
        return _ask(services, request, request.message, deadline)
    return _WithKraftVersion(services, request, kraft_versions[-1], deadline).begin()


def refusal(
    request: Request[UpdateFeaturesRequest], code: int, reason: str | None
) -> UpdateFeaturesResponse:
    """The code for the whole request."""
    return UpdateFeaturesResponse(error_code=code, error_message=reason)


class _WithKraftVersion:
    """An update of kraft.version among others: check the others, write it, write the others."""

    __slots__ = ("_answer", "_deadline", "_kraft_version", "_request", "_services", "_waiting")

    def __init__(
        self,
        services: Services,
        request: Request[UpdateFeaturesRequest],
        kraft_version: FeatureUpdateKey,
        deadline: Millis,
    ) -> None:
        self._services = services
        self._request = request
        self._kraft_version = kraft_version
        self._deadline = deadline
        self._answer: Promise[UpdateFeaturesResponse] = Promise()
        self._waiting: Promise[UpdateFeaturesResponse] | Promise[tuple[int, str]] | None = None

    def begin(self) -> Promise[UpdateFeaturesResponse]:
        self._answer.on_cancel(self._stop)
        checks = evolve(self._request.message, validate_only=True)
        checked = _ask(self._services, self._request, checks, self._deadline)
        self._waiting = checked
        checked.then(self._checked)
        return self._answer

    def _checked(self, done: Promise[UpdateFeaturesResponse]) -> None:
        try:
            done.result()
            upgraded = self._services.upgrade_kraft_version(
                self._kraft_version.max_version_level,
                validate_only=self._request.message.validate_only,
            )
        except Exception as error:  # the caller goes on
            self._answer.fail(error)
            return
        self._waiting = upgraded
        upgraded.then(self._upgraded)

    def _upgraded(self, done: Promise[tuple[int, str]]) -> None:
        try:
            code, text = done.result()
            if code != error_codes.NONE:
                raise RequestError(code, text or None)
            written = _ask(self._services, self._request, self._request.message, self._deadline)
        except Exception as error:
            self._answer.fail(error)
            return
        self._waiting = written
        written.then(self._written)

    def _written(self, done: Promise[UpdateFeaturesResponse]) -> None:
        try:
            written = done.result()
        except Exception as error:
            self._answer.fail(error)
        else:
            self._answer.complete(written)

    def _stop(self) -> None:
        if self._waiting is not None:
            self._waiting.cancel()


def _ask(
    services: Services,
    request: Request[UpdateFeaturesRequest],
    message: UpdateFeaturesRequest,
    deadline: Millis,
) -> Promise[UpdateFeaturesResponse]:
    command = UpdateFeatures(
        message,
        request.version,
        supported=dict(services.features.supported),
        # What this node can work with is known, whether it has registered or not.
        voter_ids=tuple(one for one in services.voter_ids() if one != services.node_id),
        node_id=services.node_id,
        kraft_version=services.features.finalized.get(KRAFT_VERSION, 0),
        min_insync_replicas=services.config.min_insync_replicas,
    )
    return services.ask_controller(command, deadline_ms=deadline)
