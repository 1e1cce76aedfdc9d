"""Which manager plans which command. A manager is imported when first asked: starts stay quick."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from metaquorum.controller.commands import (
    AlterClientQuotas,
    AlterUserScramCredentials,
    CreateAcls,
    DeleteAcls,
    RegisterController,
    UnregisterController,
    UpdateFeatures,
)
from metaquorum.controller.outcome import Outcome
from metaquorum.metadata.tables.catalog import StateView

Plan = Callable[[StateView, Any], Outcome]


def _alter_client_quotas(view: StateView, command: AlterClientQuotas) -> Outcome:
    from metaquorum.controller.managers import quotas

    return quotas.plan_alter(view, command.request)


def _alter_scram(view: StateView, command: AlterUserScramCredentials) -> Outcome:
    from metaquorum.controller.managers import scram

    return scram.plan_alter(view, command.request)


def _create_acls(view: StateView, command: CreateAcls) -> Outcome:
    from metaquorum.controller.managers import acls

    return acls.plan_create(view, command.request, command.ids)


def _delete_acls(view: StateView, command: DeleteAcls) -> Outcome:
    from metaquorum.controller.managers import acls

    return acls.plan_delete(view, command.request)


def _register_controller(view: StateView, command: RegisterController) -> Outcome:
    from metaquorum.controller.managers import controllers

    return controllers.plan_register(view, command.request)


def _unregister_controller(view: StateView, command: UnregisterController) -> Outcome:
    from metaquorum.controller.managers import controllers

    return controllers.plan_unregister(view, command.request, command.active_id)


def _update_features(view: StateView, command: UpdateFeatures) -> Outcome:
    from metaquorum.controller.managers import features

    return features.plan_update(view, command)


PLANS: Final[dict[type, Plan]] = {
    AlterClientQuotas: _alter_client_quotas,
    AlterUserScramCredentials: _alter_scram,
    CreateAcls: _create_acls,
    DeleteAcls: _delete_acls,
    RegisterController: _register_controller,
    UnregisterController: _unregister_controller,
    UpdateFeatures: _update_features,
}
