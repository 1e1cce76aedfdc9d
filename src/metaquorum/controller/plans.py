"""Which manager plans which command. A manager is imported when first asked: starts stay quick."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, Final

from metaquorum.base.memo import Memo
from metaquorum.controller.commands import (
    AlterClientQuotas,
    AlterUserScramCredentials,
    CreateAcls,
    RegisterController,
    RemoveAcls,
    UnregisterController,
    UpdateFeatures,
)
from metaquorum.controller.outcome import Outcome
from metaquorum.metadata.tables.catalog import StateView

Plan = Callable[[StateView, Any], Outcome]


def _imported(name: str) -> ModuleType:
    return import_module(f"metaquorum.controller.managers.{name}")


_MANAGERS: Final = Memo(_imported)
"""Those of ``controller.managers``; an import statement costs a command more than its lookup."""


def _alter_client_quotas(view: StateView, command: AlterClientQuotas) -> Outcome:
    planned: Outcome = _MANAGERS["quotas"].plan_alter(view, command.request)
    return planned


def _alter_scram(view: StateView, command: AlterUserScramCredentials) -> Outcome:
    planned: Outcome = _MANAGERS["scram"].plan_alter(view, command.request)
    return planned


def _create_acls(view: StateView, command: CreateAcls) -> Outcome:
    planned: Outcome = _MANAGERS["acls"].plan_create(view, command.request, command.ids)
    return planned


def _register_controller(view: StateView, command: RegisterController) -> Outcome:
    planned: Outcome = _MANAGERS["controllers"].plan_register(view, command.request)
    return planned


def _remove_acls(view: StateView, command: RemoveAcls) -> Outcome:
    planned: Outcome = _MANAGERS["acls"].plan_remove(view, command.ids)
    return planned


def _unregister_controller(view: StateView, command: UnregisterController) -> Outcome:
    planned: Outcome = _MANAGERS["controllers"].plan_unregister(
        view, command.request, command.active_id
    )
    return planned


def _update_features(view: StateView, command: UpdateFeatures) -> Outcome:
    planned: Outcome = _MANAGERS["features"].plan_update(view, command)
    return planned


PLANS: Final[dict[type, Plan]] = {
    AlterClientQuotas: _alter_client_quotas,
    AlterUserScramCredentials: _alter_scram,
    CreateAcls: _create_acls,
    RegisterController: _register_controller,
    RemoveAcls: _remove_acls,
    UnregisterController: _unregister_controller,
    UpdateFeatures: _update_features,
}
