"""Where connections to listeners with SASL get their session, and what came of all of them.

Each failure is one line, through the gate that keeps floods out of the log, and one more in a
metric. Users of SCRAM are looked up in the committed state. Until that is known their connections
are closed without an answer, so that they come again: a failed authentication would be final. On a
controller listener the users of the newest snapshot and those of the format count before that:
nodes have to come to each other before anybody can know what is committed.
"""

from __future__ import annotations

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import PeerError, short_reason
from metaquorum.config.node_config import NodeConfig
from metaquorum.config.sasl_settings import PLAIN, SaslSettings
from metaquorum.metadata.scram_keys import SCRAM_MECHANISMS, ScramMechanism
from metaquorum.metadata.tables.security import ScramCredential
from metaquorum.server.access.authentication import (
    Credentials,
    Exchange,
    PlainExchange,
    ScramExchange,
)
from metaquorum.server.access.note_gate import NoteGate
from metaquorum.server.access.sasl_session import SaslSession
from metaquorum.server.contract.services import Services


@define(eq=False)
class SaslListeners:
    """The listeners with SASL, by name."""

    services: Services
    note: NoteGate
    settings: dict[str, SaslSettings]
    succeeded: int = 0
    failed: int = 0
    _secret: bytes = field(init=False, repr=False)
    _is_loaded: bool = False

    def __attrs_post_init__(self) -> None:
        self._secret = self.services.new_uuid()

    @classmethod
    def of(cls, services: Services, note: NoteGate) -> SaslListeners:
        """As the node is configured."""
        return cls(services, note, sasl_by_listener(services.config))

    def session(self, listener: str, peer: str, now: Millis) -> SaslSession | None:
        """That of a new connection; None where nobody authenticates."""
        settings = self.settings.get(listener)
        if settings is None:
            return None

        among_nodes = listener in self.services.config.controller_listener_names

        def begin(mechanism: str) -> Exchange:
            return self._begin(mechanism, settings, among_nodes)

        def tell(why: str) -> None:
            self._tell(f"{peer} on {listener}", why)

        return SaslSession(settings, begin, tell, now)

    def _begin(self, name: str, settings: SaslSettings, among_nodes: bool) -> Exchange:
        if name == PLAIN:
            return PlainExchange(settings.plain_users)
        if not among_nodes:
            self._check_loaded()
        mechanism = next(one for one in SCRAM_MECHANISMS if one.name == name)
        nonce = self.services.new_uuid().hex() + self.services.new_uuid().hex()
        credentials = self._credentials_for(mechanism, among_nodes)
        return ScramExchange(mechanism, credentials, nonce, self._secret)

    def _credentials_for(self, mechanism: ScramMechanism, among_nodes: bool) -> Credentials:
        def credential(user: str) -> ScramCredential | None:
            found: ScramCredential | None = self.services.committed().scram.get(
                (user, mechanism.number)
            )
            if found is None and among_nodes and not self._knows_its_users:
                found = self.services.first_users.get((user, mechanism.number))
            if found is None:
                self._check_loaded()
            return found

        return credential

    @property
    def _knows_its_users(self) -> bool:
        self._is_loaded = self._is_loaded or self.services.is_caught_up()
        return self._is_loaded

    def _check_loaded(self) -> None:
        if not self._knows_its_users:
            raise PeerError("came to authenticate before this node knew its users")

    def _tell(self, place: str, why: str) -> None:
        if not why:
            self.succeeded += 1
            return
        self.failed += 1
        self.note(short_reason(f"connection {place} did not authenticate: {why}"))


def sasl_by_listener(config: NodeConfig) -> dict[str, SaslSettings]:
    """The settings of every listener that has any."""
    found = {one.name: config.sasl_of(one) for one in config.listeners}
    return {name: settings for name, settings in found.items() if settings is not None}
