"""Which manager plans which command. A manager is imported when first asked: starts stay quick."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from metaquorum.base.memo import Memo
from metaquorum.controller import commands
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import InTurns, Outcome

Plan = Callable[[PlanContext, Any], Outcome | InTurns]

_PLANNERS: Final[dict[type, tuple[str, str]]] = {
    commands.AllocateProducerIds: ("producer_ids", "plan_allocate"),
    commands.AlterClientQuotas: ("quotas", "plan_alter"),
    commands.AlterConfigs: ("configs", "plan_alter"),
    commands.AlterPartition: ("alter_partition", "plan_alter"),
    commands.AlterPartitionReassignments: ("reassignments", "plan_alter"),
    commands.AlterUserScramCredentials: ("scram", "plan_alter"),
    commands.AssignReplicasToDirs: ("replica_directories", "plan_assign"),
    commands.BrokerHeartbeat: ("heartbeats", "plan_heartbeat"),
    commands.CreateAcls: ("acls", "plan_create"),
    commands.CreateDelegationToken: ("delegation_tokens", "plan_create"),
    commands.CreatePartitions: ("topic_changes", "plan_create_partitions"),
    commands.CreateTopics: ("topics", "plan_create"),
    commands.DeleteTopics: ("topic_changes", "plan_delete"),
    commands.ElectLeaders: ("leader_elections", "plan_elect"),
    commands.ExpireDelegationToken: ("delegation_tokens", "plan_expire"),
    commands.ListPartitionReassignments: ("reassignments", "plan_list"),
    commands.RegisterBroker: ("brokers", "plan_register"),
    commands.RegisterController: ("controllers", "plan_register"),
    commands.RemoveAcls: ("acls", "plan_remove"),
    commands.RenewDelegationToken: ("delegation_tokens", "plan_renew"),
    commands.UnregisterBroker: ("brokers", "plan_unregister"),
    commands.UnregisterController: ("controllers", "plan_unregister"),
    commands.UpdateFeatures: ("features", "plan_update"),
}
"""The module of ``controller.managers`` and its function, a ``Plan``."""


def _imported(command: type) -> Plan:
    module, function = _PLANNERS[command]
    plan: Plan = getattr(import_module(f"metaquorum.controller.managers.{module}"), function)
    return plan


PLANS: Final[Memo[type, Plan]] = Memo(_imported)
