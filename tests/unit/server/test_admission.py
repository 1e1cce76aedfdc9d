"""Who may connect, by the limits of Kafka's keys."""

from __future__ import annotations

import pytest

from metaquorum.base.limits import MAX_CONNECTIONS_PER_ADDRESS
from metaquorum.server.contract.request import ServedListener
from metaquorum.server.sockets.admission import Admission, plain_address
from metaquorum.testing.fake_services import plain_config

CLIENTS = ServedListener("PLAINTEXT", is_broker=True, is_controller=False, api_rows={})
VOTERS = ServedListener("CONTROLLER", is_broker=False, is_controller=True, api_rows={})


def configured(**keys: str) -> Admission:
    return Admission.of(plain_config("CONTROLLER://127.0.0.1:0", **keys))


def refusal(admission: Admission, place: str, listener=CLIENTS) -> str | None:
    return admission.refusal(listener, place, is_alone=False)


def pause_ms(admission: Admission, listener: ServedListener, now: int = 0) -> int:
    return admission.pause(listener, now, is_alone=False)[0]


def test_an_override_stands_in_for_the_limit_of_its_address():
    admission = configured(
        max_connections_per_ip="1", max_connections_per_ip_overrides="127.0.0.2:3, [::1]:0"
    )
    for place in ("127.0.0.1", "127.0.0.2"):
        admission.came("PLAINTEXT", place)
    assert refusal(admission, "127.0.0.1") == "1 of one address are allowed"
    assert refusal(admission, "127.0.0.2") is None
    assert refusal(admission, "::1") == "0 of one address are allowed"
    admission.left("PLAINTEXT", "127.0.0.1")
    assert refusal(admission, "127.0.0.1") is None


def test_a_host_override_applies_to_its_address_and_unknown_to_none():
    admission = configured(max_connections_per_ip_overrides="localhost:7,no.such.host.invalid:1")
    assert list(admission.overrides.values()) == [7]
    assert set(admission.overrides) <= {"127.0.0.1", "::1"}


def test_no_override_lifts_our_own_limit():
    admission = configured(max_connections_per_ip_overrides="10.0.0.1:2000000000")
    assert admission.overrides["10.0.0.1"] == MAX_CONNECTIONS_PER_ADDRESS


def test_the_limit_of_the_node_binds_clients_and_not_its_voters():
    admission = configured(max_connections="1")
    admission.came("PLAINTEXT", "127.0.0.1")
    assert refusal(admission, "127.0.0.9") == "max.connections is 1"
    assert refusal(admission, "127.0.0.9", VOTERS) is None
    assert admission.refusal(VOTERS, "127.0.0.9", is_alone=True) == "max.connections is 1"


def test_a_listener_pauses_above_its_connection_rate_and_then_resumes():
    admission = configured(max_connection_creation_rate="2")
    for _ in range(21):
        assert pause_ms(admission, CLIENTS) == 0
        admission.knocked("PLAINTEXT", 0)
    assert admission.pause(CLIENTS, 0, is_alone=False) == (
        500,
        "max.connection.creation.rate is 2",
    )
    assert pause_ms(admission, VOTERS) == 0
    assert pause_ms(admission, CLIENTS, 11_000) == 0


def test_a_limit_of_one_listener_binds_it_alone_and_a_controllers_too():
    admission = configured(
        listener_name_controller_max_connections="1", listener_name_plaintext_max_connections="2"
    )
    for listener in ("CONTROLLER", "PLAINTEXT"):
        admission.came(listener, "127.0.0.1")
    refused = "listener.name.controller.max.connections is 1"
    assert refusal(admission, "127.0.0.1", VOTERS) == refused
    assert refusal(admission, "127.0.0.1") is None
    admission.came("PLAINTEXT", "127.0.0.1")
    assert refusal(admission, "127.0.0.1") == "listener.name.plaintext.max.connections is 2"


def test_a_rate_of_one_listener_is_counted_for_it_alone():
    key = "listener_name_plaintext_max_connection_creation_rate"
    admission = configured(**{key: "1"})
    for _ in range(12):
        admission.knocked("PLAINTEXT", 0)
        admission.knocked("CONTROLLER", 0)
    why = "listener.name.plaintext.max.connection.creation.rate is 1"
    assert admission.pause(CLIENTS, 0, is_alone=False) == (2_000, why)
    assert pause_ms(admission, VOTERS) == 0


def test_a_non_numeric_listener_limit_is_an_operator_error():
    with pytest.raises(Exception, match=r"listener\.name\.plaintext\.max\.connections"):
        configured(listener_name_plaintext_max_connections="many")


def test_an_ipv4_address_on_a_socket_of_both_kinds_is_the_plain_one():
    assert plain_address("::ffff:10.1.2.3") == "10.1.2.3"
    assert plain_address("fe80::1") == "fe80::1"


@pytest.mark.parametrize("count", ["", "x", "-1", "1.5"])
def test_an_override_without_a_number_is_a_mistake_of_the_operator(count):
    with pytest.raises(Exception, match="is not HOST:COUNT"):
        configured(max_connections_per_ip_overrides=f"127.0.0.1:{count}")


def test_nobody_may_come_only_where_somebody_else_may():
    with pytest.raises(Exception, match="0 lets nobody in"):
        configured(max_connections_per_ip="0")
    assert configured(max_connections_per_ip="0", max_connections_per_ip_overrides="10.0.0.1:1")


def test_memory_too_small_for_one_request_is_an_operator_error():
    with pytest.raises(Exception, match="would never hold a request"):
        configured(queued_max_request_bytes="1000")
