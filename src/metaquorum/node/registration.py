"""What this node tells the cluster about itself: its listeners and what it can do (KIP-919).

All advertised listeners are registered, those for clients too, where Kafka's controllers have none:
so a client that came to one node by a client listener learns where the others are reached on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from random import Random
from typing import Any

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.config.listeners import SECURITY_PROTOCOLS
from metaquorum.config.node_config import NodeConfig
from metaquorum.controller.commands import RegisterController
from metaquorum.controller.registration import Registrar
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.nodes import Controller, FeatureRange, NodeEndpoint
from metaquorum.node.assembly import Node
from metaquorum.node.services import NodeServices, supported_features
from metaquorum.quorum.log_view import LogView
from metaquorum.runtime.loop.promise import Promise
from metaquorum.runtime.peers.registration import RegistrationTask

CONTROLLER_REGISTRATION = 70
VERSION = 0


def registration_task(node: Node, ports: Mapping[str, int]) -> RegistrationTask:
    """The task for a node whose listeners are bound to ``ports``."""
    services = node.services
    return RegistrationTask(
        registrar=(registrar := _registrar(node, ports)),
        clock=services.clock,
        log=node.log,
        committed=services.committed,
        leader=lambda: leader_at_work(services.leader(), services.driver.replica.log),
        has_written=lambda leader: has_written(leader, services.driver.controller.state),
        send=partial(_send, services, registrar),
    )


def leader_at_work(leader: LeaderAndEpoch, log: LogView) -> LeaderAndEpoch:
    """The leader of whose epoch something is committed; until then none of that epoch.

    Nobody takes commands before the first record of an epoch, its LeaderChange, is committed.
    """
    return leader if log.committed_epoch == leader.epoch else LeaderAndEpoch(None, leader.epoch)


def has_written(leader: LeaderAndEpoch, state: MetadataState) -> bool:
    """Whether a metadata record of the leader's epoch is committed: only the active one appends."""
    return state.provenance.epoch == leader.epoch


def _registrar(node: Node, ports: Mapping[str, int]) -> Registrar:
    wanted = registration_of(node.config, ports, node.seed)
    return Registrar(wanted) if node.groups is None else Registrar(wanted, node.groups.completed)


def registration_of(config: NodeConfig, ports: Mapping[str, int], seed: int) -> Controller:
    """The registration of one life of a node; ``seed`` tells it from other lives.

    A port 0 stands for the one that the system chose.
    """
    return Controller(
        controller_id=config.node_id,
        incarnation_id=Random(f"incarnation of {config.node_id}, {seed}").randbytes(16),
        zk_migration_ready=False,
        endpoints=tuple(
            NodeEndpoint(
                one.name,
                one.host,
                one.port or ports[one.name],
                SECURITY_PROTOCOLS.index(one.protocol),
            )
            for one in config.advertised_listeners
        ),
        features=tuple(
            FeatureRange(name, lowest, highest)
            for name, (lowest, highest) in sorted(supported_features(config).items())
        ),
    )


def _send(
    services: NodeServices, registrar: Registrar, request: Any, deadline_ms: Millis
) -> Promise[Any]:
    if services.is_active:  # it is made anew of all that is in the log, and appended in one step
        request = registrar.request(services.driver.controller.state.live())
        return services.ask_controller(RegisterController(request), deadline_ms=deadline_ms)
    return services.forward(
        CONTROLLER_REGISTRATION,
        VERSION,
        request,
        client_id=str(services.node_id),
        deadline_ms=deadline_ms,
        here=lambda: services.ask_controller(RegisterController(request), deadline_ms=deadline_ms),
    )
