"""Controllers make themselves known, and are forgotten (KIP-919, KIP-1312).

Kafka checks nothing in a registration; one without features then stops every later change of
features, because it seems to come from a node that can do nothing. Here a registration must name a
node, a listener and the levels of metadata.version that the node can replay.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import ZERO_UUID
from metaquorum.base.limits import MAX_FEATURES_PER_NODE, MAX_LISTENERS_PER_NODE
from metaquorum.controller.commands import RegisterController, UnregisterController
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import Outcome
from metaquorum.metadata import versions
from metaquorum.metadata.groups_feature import keeping_first_voters
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.features import METADATA_VERSION
from metaquorum.metadata.tables.nodes import controller_of
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.controller_registration_request import (
    ControllerRegistrationRequest,
)
from metaquorum.wire.generated.controller_registration_response import (
    ControllerRegistrationResponse,
)
from metaquorum.wire.generated.records import register_controller_record as record_form

_REGISTER: Final = 27
_UNREGISTER: Final = 29


def plan_register(context: PlanContext, command: RegisterController) -> Outcome:
    """The record of a registration; none if the very same one is there already.

    RequestError UNSUPPORTED_VERSION before metadata.version 3.7-IV0, INVALID_REQUEST for one that
    says nothing of use.
    """
    view = context.view
    request = command.request
    _need(view, versions.CONTROLLER_REGISTRATION_FROM)
    if problem := _problem(request):
        raise RequestError(error_codes.INVALID_REQUEST, problem)
    record = record_form.RegisterControllerRecord(
        controller_id=request.controller_id,
        incarnation_id=bytes(request.incarnation_id),
        zk_migration_ready=request.zk_migration_ready,
        end_points=[
            record_form.ControllerEndpoint(one.name, one.host, one.port, one.security_protocol)
            for one in request.listeners
        ],
        features=[
            record_form.ControllerFeature(
                one.name, one.min_supported_version, one.max_supported_version
            )
            for one in request.features
        ],
    )
    reply = ControllerRegistrationResponse()
    before, said = view.controllers.get(request.controller_id), controller_of(record)
    if (kept := keeping_first_voters(before, said)) is not said:
        record.features = [
            record_form.ControllerFeature(one.name, one.lowest, one.highest)
            for one in kept.features
        ]
    if before == kept:
        return Outcome((), reply)
    return Outcome((MetadataRecord(_REGISTER, 0, record),), reply)


def plan_unregister(context: PlanContext, command: UnregisterController) -> Outcome:
    """The record that forgets a controller.

    RequestError: UNSUPPORTED_VERSION before metadata.version 4.4-IV2, INVALID_REQUEST for the
    active controller itself, CONTROLLER_ID_NOT_REGISTERED for one that nobody knows.
    """
    view = context.view
    from metaquorum.wire.generated.records.unregister_controller_record import (
        UnregisterControllerRecord,
    )
    from metaquorum.wire.generated.unregister_controller_response import (
        UnregisterControllerResponse,
    )

    _need(view, versions.UNREGISTER_CONTROLLER_FROM)
    asked = command.request.controller_id
    if asked == command.active_id:
        raise RequestError(
            error_codes.INVALID_REQUEST,
            f"controller {asked} is the active one, and would register again at once",
        )
    if asked not in view.controllers:
        raise RequestError(
            error_codes.CONTROLLER_ID_NOT_REGISTERED, f"no controller {asked} is registered"
        )
    record = MetadataRecord(_UNREGISTER, 0, UnregisterControllerRecord(asked))
    return Outcome((record,), UnregisterControllerResponse())


def _need(view: StateView, level: int) -> None:
    present = view.features.metadata_version
    if present < level:
        raise RequestError(
            error_codes.UNSUPPORTED_VERSION,
            f"this needs metadata.version {versions.level_name(level)}, "
            f"the cluster is at {versions.level_name(present)}",
        )


def _problem(request: ControllerRegistrationRequest) -> str | None:
    """What keeps a registration from being of use, None if nothing does."""
    names = [one.name for one in request.listeners]
    features = [one.name for one in request.features]
    if request.controller_id < 0 or bytes(request.incarnation_id) == ZERO_UUID:
        return "a registration names a controller, 0 or more, and its incarnation"
    if not names or not all(one.name and one.host and one.port for one in request.listeners):
        return "a registration names at least one listener, each with name, host and port"
    if len(names) > MAX_LISTENERS_PER_NODE or len(features) > MAX_FEATURES_PER_NODE:
        return (
            f"a registration names at most {MAX_LISTENERS_PER_NODE} listeners "
            f"and {MAX_FEATURES_PER_NODE} features"
        )
    if len(set(names)) < len(names) or len(set(features)) < len(features):
        return "a registration names each listener and each feature once"
    if any(one.min_supported_version > one.max_supported_version for one in request.features):
        return "a feature's lowest level is above its highest"
    if METADATA_VERSION not in features:
        return f"a registration tells the levels of {METADATA_VERSION} that the node can replay"
    return None
