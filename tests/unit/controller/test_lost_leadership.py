"""What those are told whose change was in the log when its leader lost the leadership."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaquorum.controller import commands
from metaquorum.metadata.tables.features import METADATA_VERSION
from metaquorum.wire.generated import controller_registration_request as controllers
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.allocate_producer_ids_request import AllocateProducerIdsRequest
from metaquorum.wire.generated.alter_partition_request import AlterPartitionRequest
from metaquorum.wire.generated.assign_replicas_to_dirs_request import AssignReplicasToDirsRequest
from tests.unit.controller.brokers_of_host import (
    BROKER,
    LIFE,
    answer,
    code_of,
    heartbeat,
    registered,
    registration,
    unfenced,
    unregistration,
)


def producer_ids(epoch: int) -> commands.AllocateProducerIds:
    return commands.AllocateProducerIds(AllocateProducerIdsRequest(BROKER, epoch))


def controller(epoch: int) -> commands.RegisterController:
    feature = controllers.Feature(METADATA_VERSION, 7, 30)
    listener = controllers.Listener("CONTROLLER", "a", 9_093, 0)
    return commands.RegisterController(
        controllers.ControllerRegistrationRequest(2, LIFE, False, [listener], [feature])
    )


ASKED_AGAIN: dict[str, Callable[[int], object]] = {
    "a block of producer ids": producer_ids,
    "a heartbeat that wants to be fenced": lambda epoch: heartbeat(epoch, want_fence=True),
    "a heartbeat that wants to stop": lambda epoch: heartbeat(epoch, want_shut_down=True),
    "the registration of a broker": lambda epoch: registration(BROKER + 1),
    "the registration of a controller": controller,
    "an ISR": lambda epoch: commands.AlterPartition(AlterPartitionRequest(BROKER, epoch, []), 3),
    "directories": lambda epoch: commands.AssignReplicasToDirs(
        AssignReplicasToDirsRequest(BROKER, epoch, [])
    ),
}


@pytest.mark.parametrize("kept", [0, 2], ids=["is lost", "is committed"])
@pytest.mark.parametrize("name", ASKED_AGAIN)
def test_a_broker_is_sent_to_the_next_controller(host: Any, name: str, kept: int) -> None:
    epoch = unfenced(host)
    before = host.ask(producer_ids(epoch))  # those that write nothing wait for it
    asked = host.ask(ASKED_AGAIN[name](epoch))
    assert asked not in host.replies
    host.follow(keep=kept)
    assert code_of(host.replies[before]) == error_codes.NOT_CONTROLLER
    assert code_of(host.replies[asked]) == error_codes.NOT_CONTROLLER


def test_an_administrator_is_told_that_it_may_be_done(host: Any) -> None:
    registered(host)
    asked = host.ask(unregistration())
    host.follow(keep=0)
    assert code_of(host.replies[asked]) == error_codes.REQUEST_TIMED_OUT


def test_a_block_that_is_asked_for_again_is_the_next_one(host: Any) -> None:
    epoch = unfenced(host)
    host.ask(producer_ids(epoch))
    host.follow(keep=1)
    host.lead()
    host.commit()
    assert answer(host, producer_ids(epoch)).producer_id_start == 1_000
