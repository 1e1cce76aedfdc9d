"""Listener texts, host and port texts, and the protocol map."""

from __future__ import annotations

import pytest

from metaquorum.config.key import BadValue
from metaquorum.config.listeners import (
    HostPort,
    Listener,
    StaticVoter,
    check_distinct,
    parse_host_port,
    parse_listener,
    parse_protocol_map,
    parse_voter,
)

PLAIN = {"CONTROLLER": "PLAINTEXT", "PLAINTEXT": "PLAINTEXT"}


@pytest.mark.parametrize(
    ("text", "listener"),
    [
        ("CONTROLLER://host:9093", Listener("CONTROLLER", "host", 9093)),
        ("controller://:9093", Listener("CONTROLLER", "", 9093)),
        ("CONTROLLER://[::1]:9093", Listener("CONTROLLER", "::1", 9093)),
        ("CONTROLLER://::1:9093", Listener("CONTROLLER", "::1", 9093)),
        (" PLAINTEXT://0.0.0.0:0 ", Listener("PLAINTEXT", "0.0.0.0", 0)),
    ],
)
def test_listeners_are_read_and_their_names_made_upper_case(text: str, listener: Listener) -> None:
    assert parse_listener(text, PLAIN) == listener


def test_a_listener_prints_as_it_is_written() -> None:
    for text in ("CONTROLLER://host:9093", "CONTROLLER://[::1]:9093", "CONTROLLER://:9093"):
        assert str(parse_listener(text, PLAIN)) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("host:9093", "NAME://HOST:PORT"),
        ("CONTROLLER://host", "NAME://HOST:PORT"),
        ("CONTROLLER://host:70000", "0 to 65535"),
        ("EXTERNAL://host:9093", "add EXTERNAL:PLAINTEXT to listener.security.protocol.map"),
    ],
)
def test_a_bad_listener_tells_the_form_or_the_cure(text: str, told: str) -> None:
    with pytest.raises(BadValue) as caught:
        parse_listener(text, PLAIN)
    assert told in str(caught.value)


def test_hosts_and_ports_are_read_with_ipv6_in_brackets() -> None:
    assert parse_host_port("h:1") == HostPort("h", 1)
    assert parse_host_port("[fe80::1%eth0]:1") == HostPort("fe80::1%eth0", 1)
    assert str(HostPort("::1", 2)) == "[::1]:2"


@pytest.mark.parametrize("text", ["h", ":1", "h:", "h:x", "a@h:1", "h:1:2", "h:99999", ""])
def test_what_is_no_host_and_port_is_refused(text: str) -> None:
    with pytest.raises(BadValue):
        parse_host_port(text)


def test_an_empty_host_is_allowed_where_one_listens() -> None:
    assert parse_host_port(":9404", empty_host=True) == HostPort("", 9404)


def test_voters_are_read() -> None:
    assert parse_voter("3@host:9093") == StaticVoter(3, "host", 9093)


@pytest.mark.parametrize("text", ["3@0.0.0.0:9093", "x@h:1", "3@h", "h:1"])
def test_a_voter_that_nobody_can_reach_is_refused(text: str) -> None:
    with pytest.raises(BadValue):
        parse_voter(text)


def test_the_protocol_map_is_read_in_any_case() -> None:
    assert parse_protocol_map(["controller:plaintext", "EXT:SASL_SSL"]) == {
        "CONTROLLER": "PLAINTEXT",
        "EXT": "SASL_SSL",
    }


@pytest.mark.parametrize(
    ("items", "told"),
    [
        (["CONTROLLER"], "NAME:PROTOCOL"),
        (["CONTROLLER:TLS"], "TLS is no security protocol"),
        (["C:SSL", "C:PLAINTEXT"], "mapped to SSL and to PLAINTEXT"),
    ],
)
def test_a_bad_protocol_map_tells_why(items: list[str], told: str) -> None:
    with pytest.raises(BadValue, match=told):
        parse_protocol_map(items)


def test_two_listeners_may_not_share_a_name_or_a_port() -> None:
    one, other = Listener("A", "h", 1), Listener("A", "h", 2)
    with pytest.raises(BadValue, match="one name"):
        check_distinct([one, other])
    with pytest.raises(BadValue, match="share a port"):
        check_distinct([one, Listener("B", "g", 1)])


def test_ephemeral_ports_and_the_two_families_of_addresses_may_repeat() -> None:
    check_distinct([Listener("A", "h", 0), Listener("B", "h", 0)])
    check_distinct([Listener("A", "127.0.0.1", 1), Listener("B", "::1", 1)])
