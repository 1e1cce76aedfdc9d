"""How a node comes to the controller listeners of others: protocol, keys, who it says it is.

As in Kafka everything follows from the node's own first controller listener: others speak its
protocol too. ``sasl.mechanism.controller.protocol`` names the mechanism, and the user stands in
``listener.name.<name>.<mechanism>.sasl.jaas.config``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import field, frozen

from metaquorum.config.key import BadValue
from metaquorum.config.listeners import Listener
from metaquorum.config.sasl_settings import MECHANISMS, SaslSettings, jaas_options, login_module
from metaquorum.config.tls_settings import TlsSettings

_MECHANISM: Final = "sasl.mechanism.controller.protocol"


@frozen
class LinkSettings:
    """Of all links of a node; without ``mechanism`` it does not authenticate by a password."""

    tls: TlsSettings | None = None
    mechanism: str = ""
    user: str = ""
    password: str = field(default="", repr=False)

    @classmethod
    def read(cls, given: Mapping[str, str], listener: Listener) -> LinkSettings:
        """For a node with that controller listener; BadValue says what is missing."""
        name, protocol = listener.name, listener.protocol
        tls = None
        if protocol.endswith("SSL"):
            tls = TlsSettings.of_listener(given, name, protocol)
        if not protocol.startswith("SASL_"):
            return cls(tls)
        mechanism = given.get(_MECHANISM, "GSSAPI").strip()
        if mechanism not in MECHANISMS:
            raise BadValue(
                f"{_MECHANISM}: {mechanism} is not spoken here, {', '.join(MECHANISMS)} are"
            )
        if mechanism not in SaslSettings.read(given, name, 0, 0).mechanisms:
            raise BadValue(
                f"{_MECHANISM}: {mechanism} is not among sasl.enabled.mechanisms of {name}, so no "
                "node could come to another"
            )
        key = f"listener.name.{name.lower()}.{mechanism.lower()}.sasl.jaas.config"
        if key not in given:
            raise BadValue(f"{key}: it has to say as whom this node comes to others")
        module, options = jaas_options(given[key], key)
        if module != login_module(mechanism):
            raise BadValue(f"{key}: {mechanism} takes the login module {login_module(mechanism)}")
        if not options.get("username") or not options.get("password"):
            raise BadValue(f"{key}: it needs a username and a password, as whom this node comes")
        return cls(tls, mechanism, options["username"], options["password"])
