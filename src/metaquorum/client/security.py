"""How a client's connections are secured, by Kafka's client keys: TLS, a login, both, neither."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from attrs import field, frozen

from metaquorum.base.errors import OperatorError
from metaquorum.client.login import MECHANISMS, Login
from metaquorum.config.key import BadValue
from metaquorum.config.listeners import SECURITY_PROTOCOLS
from metaquorum.config.providers import Resolved, resolve
from metaquorum.config.sasl_settings import jaas_options, login_module

if TYPE_CHECKING:
    from metaquorum.client.certificates import Tls
    from metaquorum.client.connection import Connection


@frozen
class Security:
    """For all connections of one client; without anything they are plain."""

    tls: Tls | None = field(default=None, repr=False)
    login: Login | None = None

    @classmethod
    def read(cls, properties: Mapping[str, str]) -> Security:
        """From a client's properties; OperatorError says what is wrong, and shows no secret."""
        try:
            return cls.of(resolve(properties))
        except BadValue as error:
            raise OperatorError(str(error)) from None

    @classmethod
    def of(cls, resolved: Resolved) -> Security:
        """As ``read``, from properties whose variables are resolved."""
        try:
            return cls._of(resolved.values)
        except BadValue as error:
            raise OperatorError(resolved.hide(str(error))) from None

    @classmethod
    def _of(cls, properties: Mapping[str, str]) -> Security:
        protocol = properties.get("security.protocol", "PLAINTEXT").strip().upper()
        if protocol not in SECURITY_PROTOCOLS:
            raise BadValue(
                f"security.protocol={protocol} is not known; it must be one of "
                f"{', '.join(SECURITY_PROTOCOLS)}"
            )
        return cls(
            _tls_of(properties) if protocol.endswith("SSL") else None,
            _login_of(properties) if protocol.startswith("SASL_") else None,
        )

    def open(self, host: str, port: int, **more: Any) -> Connection:
        """As ``Connection.open``, secured; where a certificate is not good it says whose."""
        from metaquorum.client.connection import Connection

        if self.tls is None:
            return Connection.open(host, port, login=self.login, **more)

        from metaquorum.client.certificates import explaining

        with explaining(self.tls, host, port):
            return Connection.open(host, port, context=self.tls.context, login=self.login, **more)


PLAIN: Final = Security()


def _tls_of(properties: Mapping[str, str]) -> Tls:
    from metaquorum.client.certificates import Tls
    from metaquorum.config.tls_settings import TlsSettings
    from metaquorum.tls.context import client_context, looking_context, own_certificate
    from metaquorum.tls.reloading import stamps

    settings = TlsSettings.read(properties.get)
    found = stamps(settings.files)  # before they are read: what comes amid that is seen later
    context, looking = client_context(settings), looking_context(settings)
    return Tls(settings, context, looking, own_certificate(settings), found)


def _login_of(properties: Mapping[str, str]) -> Login:
    mechanism = properties.get("sasl.mechanism", "GSSAPI").strip()
    if mechanism not in MECHANISMS:
        raise BadValue(
            f"sasl.mechanism={mechanism} is not spoken here, only {', '.join(MECHANISMS)}"
        )
    module, options = jaas_options(properties.get("sasl.jaas.config", ""), "sasl.jaas.config")
    if module != login_module(mechanism):
        raise BadValue(
            f"sasl.jaas.config: {mechanism} takes the login module of its own, "
            f"{login_module(mechanism)}"
        )
    if "username" not in options or "password" not in options:
        raise BadValue("sasl.jaas.config: it needs a username and a password")
    return Login(mechanism, options["username"], options["password"])
