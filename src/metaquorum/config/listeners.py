"""Listeners, their security protocols, and the addresses of a configuration.

An address is read in the same way wherever one is taken, as Kafka's clients do: an optional
``PROTOCOL://`` that says nothing, the host, IPv6 with or without brackets, and the port.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from ipaddress import IPv6Address

from attrs import evolve, frozen

from metaquorum.config.key import BadValue

MAX_PORT = 65_535
SECURITY_PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")

MAX_VOTER_ID = 2_147_483_647

_HOST_AND_PORT = r"\[?([\w.%:-]*)\]?:(\d{1,100})"
_ADDRESS = re.compile(rf"(?:[\w.%-]*://)?{_HOST_AND_PORT}", re.ASCII)
_LISTENER = re.compile(rf"([^:/\s]+)://{_HOST_AND_PORT}", re.ASCII)
_VOTER = re.compile(r"\+?(\d{1,100})@(.+)", re.ASCII)


@frozen
class HostPort:
    """A host name or address (without brackets) and a TCP port."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"{bracketed(self.host)}:{self.port}"


@frozen
class StaticVoter:
    """One element of ``controller.quorum.voters``."""

    id: int
    host: str
    port: int


@frozen
class Listener:
    """A named place to listen at, or to be reached at; an empty host means every interface."""

    name: str
    host: str
    port: int
    protocol: str = "PLAINTEXT"

    @property
    def is_wildcard(self) -> bool:
        """Whether the host stands for every interface, so that no peer could dial it."""
        return is_wildcard(self.host)

    def __str__(self) -> str:
        return f"{self.name}://{bracketed(self.host)}:{self.port}"


def is_wildcard(host: str) -> bool:
    """Whether a host stands for every interface: none, ``0.0.0.0``, or ``::`` however spelt."""
    return host in ("", "0.0.0.0") or (":" in host and not int(IPv6Address(host)))


def bracketed(host: str) -> str:
    """The host as it stands before a colon and a port: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def parse_host_port(text: str, *, empty_host: bool = False) -> HostPort:
    """``host:port``, ``[address]:port`` or ``PROTOCOL://host:port``.

    The rule of Kafka's ``Utils.getHost`` and ``getPort``, with two more conditions: a host with a
    colon is an IPv6 address, and it is empty only where ``empty_host`` says so. BadValue shows the
    form that is expected.
    """
    return _address(text.strip(), empty_host=empty_host)


def parse_bootstrap_servers(text: str) -> tuple[HostPort, ...]:
    """Addresses separated by commas, as a client's ``bootstrap.servers``; each counts once.

    Empty elements are passed over, as Kafka's clients do. BadValue for anything else, and for a
    list without an address.
    """
    found = tuple(dict.fromkeys(parse_host_port(one) for one in text.split(",") if one.strip()))
    if not found:
        raise BadValue("no host is named; write HOST:PORT")
    for one in found:
        if one.port == 0:
            raise BadValue(f"{one}: nobody can be reached at port 0; write HOST:PORT")
    return found


def parse_voter(text: str) -> StaticVoter:
    """One ``id@host:port`` of ``controller.quorum.voters``; BadValue for any other form."""
    match = _VOTER.fullmatch(text.strip())
    if match is None:
        raise BadValue(f"{text!r} is not ID@HOST:PORT")
    if int(match[1]) > MAX_VOTER_ID:
        raise BadValue(f"{text!r}: a node id is a number from 0 to {MAX_VOTER_ID}")
    place = _address(match[2])
    if is_wildcard(place.host):
        raise BadValue(f"{text!r}: no peer can reach {place.host}; name a host that it can")
    return StaticVoter(int(match[1]), place.host, place.port)


def parse_listener(text: str, protocols: Mapping[str, str] | None) -> Listener:
    """One ``NAME://host:port``; the name is made upper case, as Kafka does.

    ``protocols`` None: nothing is known of them, so that nothing is said about them either.
    """
    match = _LISTENER.fullmatch(text.strip())
    if match is None:
        raise BadValue(f"{text!r} is not NAME://HOST:PORT")
    name = match[1].upper()
    if protocols is not None and name not in protocols:
        raise BadValue(
            f"listener {name} has no security protocol; "
            f"add {name}:PLAINTEXT to listener.security.protocol.map"
        )
    protocol = "PLAINTEXT" if protocols is None else protocols[name]
    return Listener(name, _host(match[2], text), _port(match[3], text), protocol)


def parse_protocol_map(items: Iterable[str]) -> dict[str, str]:
    """``NAME:PROTOCOL`` pairs of ``listener.security.protocol.map``."""
    protocols: dict[str, str] = {}
    for item in items:
        name, separator, protocol = item.partition(":")
        name, protocol = name.strip().upper(), protocol.strip().upper()
        if not separator or not name:
            raise BadValue(f"{item!r} is not NAME:PROTOCOL")
        if protocol not in SECURITY_PROTOCOLS:
            raise BadValue(
                f"{item!r}: {protocol or 'nothing'} is no security protocol; "
                f"it must be one of {', '.join(SECURITY_PROTOCOLS)}"
            )
        if protocols.setdefault(name, protocol) != protocol:
            raise BadValue(f"listener {name} is mapped to {protocols[name]} and to {protocol}")
    return protocols


def check_distinct(listeners: Iterable[Listener], *, ports: bool = True) -> None:
    """Refuse two listeners of one name, or of one port (but for 0, and IPv4 beside IPv6)."""
    names: dict[str, Listener] = {}
    places: dict[tuple[int, bool], Listener] = {}
    for listener in listeners:
        earlier = names.setdefault(listener.name, listener)
        if earlier is not listener:
            raise BadValue(f"{earlier} and {listener} have one name; each needs its own")
        if not ports or listener.port == 0:
            continue
        earlier = places.setdefault((listener.port, ":" in listener.host), listener)
        if earlier is not listener:
            raise BadValue(f"{earlier} and {listener} share a port; each needs its own")


def as_voter(listener: Listener, voter: StaticVoter) -> Listener:
    """Where a node's first controller listener is reached that ``advertised.listeners`` leaves out.

    A wildcard host gives way to the node's own entry in ``controller.quorum.voters``, host and
    port, since that is where the other voters look for it (KAFKA-20380).
    """
    if not listener.is_wildcard:
        return listener
    return evolve(listener, host=voter.host, port=voter.port)


def reachable(listener: Listener, local_host_name: Callable[[], str]) -> Listener:
    """The listener as a peer can dial it: a wildcard host gives way to this machine's name."""
    return evolve(listener, host=local_host_name()) if listener.is_wildcard else listener


def _address(text: str, *, empty_host: bool = False) -> HostPort:
    match = _ADDRESS.fullmatch(text)
    if match is None:
        raise BadValue(f"{text!r} is not HOST:PORT")
    host = _host(match[1], text)
    if not host and not empty_host:
        raise BadValue(f"{text!r} names no host; write HOST:PORT")
    return HostPort(host, _port(match[2], text))


def _host(host: str, text: str) -> str:
    if ":" in host:
        try:
            IPv6Address(host)
        except ValueError:
            raise BadValue(
                f"{text!r}: {host} is neither a host name nor an IPv6 address; write HOST:PORT"
            ) from None
    return host


def _port(digits: str, text: str) -> int:
    port = int(digits)
    if port > MAX_PORT:
        raise BadValue(f"{text!r}: the port of HOST:PORT is a number from 0 to {MAX_PORT}")
    return port
