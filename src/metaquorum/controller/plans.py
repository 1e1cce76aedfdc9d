"""Which manager plans which command. A manager is imported when first asked: starts stay quick."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from metaquorum.controller.commands import AlterClientQuotas
from metaquorum.controller.outcome import Outcome
from metaquorum.metadata.tables.catalog import StateView

Plan = Callable[[StateView, Any], Outcome]


def _alter_client_quotas(view: StateView, command: AlterClientQuotas) -> Outcome:
    from metaquorum.controller.managers import quotas

    return quotas.plan_alter(view, command.request)


PLANS: Final[dict[type, Plan]] = {AlterClientQuotas: _alter_client_quotas}
