"""What a client that is no voter can do on a controller listener, and what keeps it from happening.

Anybody who may send the requests of the quorum can depose a leader and push the epoch, here as on
Kafka's controllers: a higher epoch is believed, as KIP-595 asks. See docs/security.md.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.base.limits import MAX_EPOCH
from metaquorum.client.connection import Connection, ConnectionFailed
from metaquorum.client.login import Login
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.vote_request import PartitionData, TopicData, VoteRequest
from tools.kafka.ports import LOOPBACK
from tools.own_cluster import OwnCluster
from tools.own_node import OwnNode
from tools.process import until
from tools.quorum_state import describe_partition

STRANGER = 99
VOTE, VOTE_VERSION = 52, 2
PATIENCE_S = 30.0
PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"


def vote_of_a_stranger(epoch: int) -> VoteRequest:
    """A candidate that nobody knows asks for a vote in that epoch."""
    part = PartitionData(0, epoch, STRANGER, last_offset_epoch=epoch - 1, last_offset=1 << 40)
    return VoteRequest(None, topics=[TopicData(METADATA_TOPIC, [part])])


def ask_for_a_vote(port: int, epoch: int, login: Login | None = None) -> int:
    """The error code of the partition, or of the whole answer."""
    with Connection.open(LOOPBACK, port, login=login) as connection:
        answer = connection.ask(VOTE, VOTE_VERSION, vote_of_a_stranger(epoch))
    if answer.error_code or not answer.topics:
        return int(answer.error_code)
    return int(answer.topics[0].partitions[0].error_code)


def epoch_of(port: int) -> int:
    """The epoch of the leader, once there is one that has committed in it."""

    def look() -> int | None:
        part = describe_partition(LOOPBACK, port)
        if part is None or part.leader_id < 0 or part.high_watermark < 0:
            return None
        return int(part.leader_epoch)

    return until(look, "nobody leads", PATIENCE_S)


@pytest.fixture(scope="module")
def open_cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnCluster]:
    """Three voters whose controller listeners are open to everybody."""
    with OwnCluster(tmp_path_factory.mktemp("open")) as cluster:
        yield cluster


def test_a_stranger_deposes_a_leader_and_the_quorum_elects_again(open_cluster: OwnCluster) -> None:
    leader = open_cluster.wait_led()
    port = open_cluster.controller_ports[leader]
    epoch = epoch_of(port)
    since = time.monotonic()
    assert ask_for_a_vote(port, epoch + 1) == error_codes.NONE
    led = open_cluster.wait_led()
    while epoch_of(open_cluster.controller_ports[led]) <= epoch:
        led = open_cluster.wait_led()
    print(f"led again {time.monotonic() - since:.2f} s after one frame")
    assert time.monotonic() - since < PATIENCE_S


def test_a_stranger_pushes_the_epoch_no_further_than_is_believed(
    open_cluster: OwnCluster,
) -> None:
    leader = open_cluster.wait_led()
    port = open_cluster.controller_ports[leader]
    refused = ask_for_a_vote(port, MAX_EPOCH + 1)
    assert refused == error_codes.INVALID_REQUEST
    assert epoch_of(open_cluster.controller_ports[open_cluster.wait_led()]) < MAX_EPOCH


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[OwnNode]:
    """A voter whose controller listener asks for a password and for rights."""
    node = OwnNode(
        tmp_path,
        {
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:SASL_PLAINTEXT",
            "sasl.enabled.mechanisms": "PLAIN",
            "sasl.mechanism.controller.protocol": "PLAIN",
            "listener.name.controller.plain.sasl.jaas.config": f'{PLAIN} required username="node" '
            'password="node-s3cret" user_node="node-s3cret" user_eve="eve-s3cret";',
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            # ANONYMOUS stands for the clients of this test's other listener.
            "super.users": "User:node;User:ANONYMOUS",
        },
    )
    node.format()
    node.start()
    try:
        yield node
    finally:
        node.kill()


def wait_until_served(port: int) -> None:
    """Until the node answers on that port."""
    ends = time.monotonic() + PATIENCE_S
    while True:
        try:
            with Connection.open(LOOPBACK, port):
                return
        except ConnectionFailed:
            assert time.monotonic() < ends, "the node does not answer"
            time.sleep(0.02)


def test_a_listener_with_logins_and_rights_refuses_a_stranger(guarded: OwnNode) -> None:
    wait_until_served(guarded.port)
    epoch = epoch_of(guarded.port)
    with pytest.raises(ConnectionFailed):
        ask_for_a_vote(guarded.controller_port, epoch + 1)
    with pytest.raises(OperatorError, match="refuses 'eve'"):
        ask_for_a_vote(guarded.controller_port, epoch + 1, Login("PLAIN", "eve", "wrong"))
    without_rights = Login("PLAIN", "eve", "eve-s3cret")
    refused = ask_for_a_vote(guarded.controller_port, epoch + 1, without_rights)
    assert refused == error_codes.CLUSTER_AUTHORIZATION_FAILED
    assert epoch_of(guarded.port) == epoch


def test_a_listener_for_clients_takes_no_vote(guarded: OwnNode) -> None:
    wait_until_served(guarded.port)
    epoch = epoch_of(guarded.port)
    with pytest.raises(ConnectionFailed):
        ask_for_a_vote(guarded.port, epoch + 1)
    assert epoch_of(guarded.port) == epoch
