"""Listeners, their security protocols, and the host:port texts of a configuration."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from attrs import evolve, frozen

from metaquorum.config.key import BadValue

MAX_PORT = 65_535
WILDCARD_HOSTS = ("", "0.0.0.0", "::", "0:0:0:0:0:0:0:0")
SECURITY_PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")

_LISTENER = re.compile(r"([^:/\s]+)://(?:\[([0-9A-Za-z:.%_-]*)\]|([0-9A-Za-z:.%_-]*)):(\d{1,6})")
_HOST_PORT = re.compile(r"(?:\[([0-9A-Za-z:.%_-]+)\]|([^:\s\[\]/@]*)):(\d{1,6})")
_BEFORE_ADDRESS = re.compile(r"[a-zA-Z0-9]*://")
_VOTER = re.compile(r"(\d{1,10})@(.+)")


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
        return self.host in WILDCARD_HOSTS

    def __str__(self) -> str:
        return f"{self.name}://{bracketed(self.host)}:{self.port}"


def bracketed(host: str) -> str:
    """The host as it stands before a colon and a port: an IPv6 address in brackets."""
    return f"[{host}]" if ":" in host else host


def parse_host_port(text: str, *, empty_host: bool = False) -> HostPort:
    """``host:port`` or ``[address]:port``; BadValue shows the form that is expected."""
    match = _HOST_PORT.fullmatch(text.strip())
    if match is None:
        raise BadValue(f"{text!r} is not HOST:PORT (an IPv6 address stands in brackets)")
    host = match[1] or match[2] or ""
    if not host and not empty_host:
        raise BadValue(f"{text!r} names no host; write HOST:PORT")
    return HostPort(host, _port(match[3], text))


def without_protocol(text: str) -> str:
    """An element of a client's bootstrap list, without a ``PLAINTEXT://`` in front.

    Kafka's clients pass over it, so that an element of ``listeners`` can be copied as it is.
    """
    return _BEFORE_ADDRESS.sub("", text.strip(), count=1)


def parse_voter(text: str) -> StaticVoter:
    """One ``id@host:port`` of ``controller.quorum.voters``."""
    match = _VOTER.fullmatch(text.strip())
    if match is None:
        raise BadValue(f"{text!r} is not ID@HOST:PORT")
    place = parse_host_port(match[2])
    if place.host in WILDCARD_HOSTS:
        raise BadValue(f"{text!r}: no peer can reach {place.host}; name a host that it can")
    return StaticVoter(int(match[1]), place.host, place.port)


def parse_listener(text: str, protocols: Mapping[str, str] | None) -> Listener:
    """One ``NAME://host:port``; the name is made upper case, as Kafka does.

    ``protocols`` None: nothing is known of them, so that nothing is said about them either.
    """
    match = _LISTENER.fullmatch(text.strip())
    if match is None:
        raise BadValue(f"{text!r} is not NAME://HOST:PORT (an IPv6 address stands in brackets)")
    name = match[1].upper()
    if protocols is not None and name not in protocols:
        raise BadValue(
            f"listener {name} has no security protocol; "
            f"add {name}:PLAINTEXT to listener.security.protocol.map"
        )
    protocol = "PLAINTEXT" if protocols is None else protocols[name]
    return Listener(name, match[2] or match[3] or "", _port(match[4], text), protocol)


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


def reachable(listener: Listener, local_host_name: Callable[[], str]) -> Listener:
    """The listener as a peer can dial it: a wildcard host gives way to this machine's name."""
    return evolve(listener, host=local_host_name()) if listener.is_wildcard else listener


def _port(digits: str, text: str) -> int:
    port = int(digits)
    if port > MAX_PORT:
        raise BadValue(f"{text!r}: a port is a number from 0 to {MAX_PORT}")
    return port
