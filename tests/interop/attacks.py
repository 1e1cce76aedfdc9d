"""What hostile clients do to a node until they are told to stop, each by raw frames."""

from __future__ import annotations

import contextlib
import resource
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any, Final

from attrs import frozen

from metaquorum.client.connection import Connection
from metaquorum.testing.pipeline_client import request_frame
from metaquorum.wire.generated import create_acls_request as create
from metaquorum.wire.generated import delete_acls_request as delete
from metaquorum.wire.generated import fetch_request as fetch
from metaquorum.wire.generated import join_group_request as join
from metaquorum.wire.generated.describe_acls_request import DescribeAclsRequest
from metaquorum.wire.generated.sasl_authenticate_request import SaslAuthenticateRequest
from metaquorum.wire.generated.sasl_handshake_request import SaslHandshakeRequest
from tools.kafka.ports import LOOPBACK
from tools.quota_writer import rate_request

ANSWER_TIMEOUT_S: Final = 10.0
LONGEST_STRING_CHARS: Final = 32_767
TOO_LONG_FOR_A_MEMBER_ID: Final = 32_731
MIB: Final = 1_048_576
UNFINISHED_BYTES: Final = 520_000
UNFINISHED_CONNECTIONS: Final = 90
PARKED_CONNECTIONS: Final = 6
PASSWORD_CONNECTIONS: Final = 8
JOINING_CONNECTIONS: Final = 4
RULES: Final = 9_500
RULES_PER_REQUEST: Final = 500
FILTERS: Final = 104
QUOTA_ROWS: Final = 10_000
LONG_TIME_MS: Final = 2**31 - 1
ANY, TOPIC, LITERAL, READ, ALLOW = 1, 2, 3, 3, 3


@frozen
class Victim:
    """Where the node under attack can be reached."""

    clients: int
    passwords: int
    """The port of a listener where clients authenticate."""


Attack = Callable[[Victim, threading.Event], None]
"""Goes on until the event is set; closes its connections then."""


def framed(message: Any, version: int, client_id: str = "attacker") -> bytes:
    """A request as it stands on the wire."""
    body = request_frame(message, version, client_id=client_id)
    return len(body).to_bytes(4, "big") + body


def dial(port: int) -> socket.socket:
    """A connection whose reads and writes end after some seconds."""
    return socket.create_connection((LOOPBACK, port), ANSWER_TIMEOUT_S)


def answered(client: socket.socket) -> bool:
    """Read one answer; False if the server closed the connection instead."""
    with contextlib.suppress(ConnectionError, TimeoutError):
        size = int.from_bytes(_exactly(client, 4), "big")
        _exactly(client, size)
        return True
    return False


def _exactly(client: socket.socket, count: int) -> bytes:
    data = bytearray()
    while len(data) < count:
        some = client.recv(min(count - len(data), 65_536))
        if not some:
            raise ConnectionResetError("closed")
        data += some
    return bytes(data)


def asked_again_and_again(port: int, frame: bytes, stop: threading.Event) -> None:
    """One request after the other on one connection, a new one when the server closes it."""
    while not stop.is_set():
        with contextlib.suppress(OSError), dial(port) as client:
            while not stop.is_set():
                client.sendall(frame)
                if not answered(client):
                    break
        stop.wait(0.01)


def side_by_side(count: int, one: Callable[[], None]) -> None:
    """Several at once, until all of them have ended."""
    threads = [threading.Thread(target=one) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def joins_whose_member_id_is_too_long(victim: Victim, stop: threading.Event) -> None:
    """Member ids are made of the client id or the group instance id, and those are too long."""
    long = "i" * TOO_LONG_FOR_A_MEMBER_ID
    protocols = [join.JoinGroupRequestProtocol("range", b"")]
    by_client = join.JoinGroupRequest("g", 10_000, 10_000, "", None, "consumer", protocols)
    by_instance = join.JoinGroupRequest("g", 10_000, 10_000, "", long, "consumer", protocols)
    frames = [
        framed(by_client, 2, client_id="c" * LONGEST_STRING_CHARS),
        framed(by_instance, 5),
        framed(by_client, 9, client_id=long),
    ]
    side_by_side(
        JOINING_CONNECTIONS, lambda: asked_again_and_again(victim.clients, frames[0], stop)
    )
    for frame in frames[1:]:
        with contextlib.suppress(OSError), dial(victim.clients) as client:
            client.sendall(frame)
            answered(client)


def connections_until_none_is_left(victim: Victim, stop: threading.Event) -> None:
    """Take every connection that can be had, and try again for those that were closed."""
    held: list[socket.socket] = []
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 200
    try:
        while not stop.is_set():
            if len(held) >= most:
                stop.wait(0.05)
                continue
            client = socket.socket()
            client.settimeout(0.2)
            held.append(client)
            try:
                client.connect((LOOPBACK, victim.clients))
            except OSError:
                held.pop().close()
                stop.wait(0.01)
    finally:
        for client in held:
            client.close()


def unfinished_frames_before_the_login(victim: Victim, stop: threading.Event) -> None:
    """Each connection holds nearly all of a frame, and never says who it is."""
    head = UNFINISHED_BYTES.to_bytes(4, "big") + b"\x00\x24\x00\x02\x00\x00\x00\x01"
    data = head + bytes(UNFINISHED_BYTES - 100)
    with _holding(victim.passwords, [data] * UNFINISHED_CONNECTIONS):
        stop.wait()


def fetches_that_wait_with_a_megabyte_each(victim: Victim, stop: threading.Event) -> None:
    """Long polls whose requests name many topics that no session has."""
    forgotten = [fetch.ForgottenTopic(f"{number:032000d}", partitions=[0]) for number in range(32)]
    with Connection.open(LOOPBACK, victim.clients) as connection:
        one = fetch.FetchPartition(fetch_offset=log_end(connection), partition_max_bytes=MIB)
    request = fetch.FetchRequest(
        max_wait_ms=LONG_TIME_MS,
        min_bytes=LONG_TIME_MS,
        max_bytes=LONG_TIME_MS,
        topics=[fetch.FetchTopic("__cluster_metadata", partitions=[one])],
        forgotten_topics_data=forgotten,
    )
    with _holding(victim.clients, [framed(request, 12)] * PARKED_CONNECTIONS):
        stop.wait()


def joins_that_wait_with_a_megabyte_each(victim: Victim, stop: threading.Event) -> None:
    """Members of groups that wait for others, each with a megabyte of metadata."""
    protocols = [join.JoinGroupRequestProtocol("range", bytes(MIB - 1_000))]
    frames = [
        framed(
            join.JoinGroupRequest(f"waits-{number}", 6_000, 300_000, "", None, "x", protocols), 3
        )
        for number in range(PARKED_CONNECTIONS)
    ]
    while not stop.is_set():
        with _holding(victim.clients, frames):
            stop.wait(2.0)


@contextlib.contextmanager
def _holding(port: int, data: list[bytes]) -> Iterator[None]:
    """Connections that have sent so much each, as far as the server took it, and hang on."""
    with contextlib.ExitStack() as stack:
        waiting: dict[socket.socket, memoryview] = {}
        for piece in data:
            client = stack.enter_context(dial(port))
            client.setblocking(False)
            waiting[client] = memoryview(piece)
        ends = time.monotonic() + 1.0
        while waiting and time.monotonic() < ends:
            for client, left in list(waiting.items()):
                with contextlib.suppress(BlockingIOError):
                    try:
                        waiting[client] = left[client.send(left) :]
                    except ConnectionError:
                        waiting[client] = left[:0]
                if not waiting[client]:
                    del waiting[client]
            time.sleep(0.005)
        yield


def logins_with_the_longest_name(victim: Victim, stop: threading.Event) -> None:
    """PLAIN with a user name of 520 KB, which nobody has."""
    token = b"\x00" + b"u" * UNFINISHED_BYTES + b"\x00wrong"
    frames = framed(SaslHandshakeRequest("PLAIN"), 1) + framed(SaslAuthenticateRequest(token), 2)

    def one() -> None:
        while not stop.is_set():
            with contextlib.suppress(OSError), dial(victim.passwords) as client:
                client.sendall(frames)
                while answered(client):
                    pass

    side_by_side(PASSWORD_CONNECTIONS, one)


def filters_over_all_rules(victim: Victim, stop: threading.Event) -> None:
    """DeleteAcls whose filters match nothing, but have to be held against every rule."""
    filters = [
        delete.DeleteAclsFilter(ANY, None, ANY, f"User:nobody-{number}", None, ANY, ANY)
        for number in range(FILTERS)
    ]
    asked_again_and_again(victim.clients, framed(delete.DeleteAclsRequest(filters), 3), stop)


def descriptions_of_all_rules(victim: Victim, stop: threading.Event) -> None:
    """DescribeAcls of everything."""
    request = DescribeAclsRequest(ANY, None, ANY, None, None, ANY, ANY)
    asked_again_and_again(victim.clients, framed(request, 3), stop)


def ten_thousand_quotas_at_once(victim: Victim, stop: threading.Event) -> None:
    """AlterClientQuotas of as many rows as are allowed."""
    frame = framed(rate_request([f"q{number}" for number in range(QUOTA_ROWS)], 1.0), 1)
    asked_again_and_again(victim.clients, frame, stop)


ATTACKS: Final[dict[str, Attack]] = {
    attack.__name__: attack
    for attack in (
        joins_whose_member_id_is_too_long,
        connections_until_none_is_left,
        unfinished_frames_before_the_login,
        fetches_that_wait_with_a_megabyte_each,
        joins_that_wait_with_a_megabyte_each,
        logins_with_the_longest_name,
        filters_over_all_rules,
        descriptions_of_all_rules,
        ten_thousand_quotas_at_once,
    )
}


def log_end(connection: Connection) -> int:
    """The high watermark, as a consumer is told it."""
    one = fetch.FetchPartition(fetch_offset=0, partition_max_bytes=1)
    topic = fetch.FetchTopic("__cluster_metadata", partitions=[one])
    answer = connection.ask(1, 12, fetch.FetchRequest(max_bytes=1, topics=[topic]))
    end: int = answer.responses[0].partitions[0].high_watermark
    return end


def add_rules(port: int) -> None:
    """As many rules as the attacks on them ask for."""
    with Connection.open(LOOPBACK, port) as connection:
        for first in range(0, RULES, RULES_PER_REQUEST):
            rules = [
                create.AclCreation(TOPIC, f"t{number}", LITERAL, "User:a", "*", READ, ALLOW)
                for number in range(first, first + RULES_PER_REQUEST)
            ]
            answer = connection.ask(create.API_KEY, 3, create.CreateAclsRequest(rules))
            assert {row.error_code for row in answer.results} == {0}
