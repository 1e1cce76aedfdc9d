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
from metaquorum.base.limits import MAX_TOKEN_CREDENTIALS
from metaquorum.base.principals import type_and_name
from metaquorum.config.node_config import NodeConfig
from metaquorum.config.sasl_settings import PLAIN, SaslSettings
from metaquorum.metadata.scram_keys import ITERATIONS_LEAST, SCRAM_MECHANISMS, ScramMechanism
from metaquorum.metadata.tables.security import ScramCredential
from metaquorum.metadata.token_keys import token_hmac, token_password
from metaquorum.server.access.authentication import (
    Credentials,
    Exchange,
    PlainExchange,
    ScramExchange,
    TokenLogin,
    Tokens,
    made_up_salt,
    no_tokens,
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
    _token_credentials: dict[tuple[str, int], ScramCredential] = field(factory=dict, repr=False)

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
        tokens = self._tokens_for(mechanism)
        return ScramExchange(mechanism, credentials, nonce, self._secret, tokens)

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

    def _tokens_for(self, mechanism: ScramMechanism) -> Tokens:
        text = self.services.config.delegation_token_secret
        if not text:
            return no_tokens
        secret = text.encode()

        def login(token_id: str) -> TokenLogin | None:
            token = self.services.committed().tokens.get(token_id)
            if token is None:
                self._check_loaded()
                return None
            clock = self.services.clock
            left_ms = min(token.max_timestamp_ms, token.expiration_timestamp_ms) - clock.wall_ms()
            return TokenLogin(
                type_and_name(token.owner)[1],
                self._token_credential(secret, token_id, mechanism),
                clock.now_ms() + left_ms,
            )

        return login

    def _token_credential(
        self, secret: bytes, token_id: str, mechanism: ScramMechanism
    ) -> ScramCredential:
        """What checks the password that the token's HMAC is; it follows from secret and id alone.

        The salt is the one that a token would have that there is not.
        """
        known = self._token_credentials
        if (found := known.get((token_id, mechanism.number))) is not None:
            return found
        salt = made_up_salt(self._secret, token_id)
        password = token_password(token_hmac(secret, token_id))
        salted = mechanism.salted_password(password, salt, ITERATIONS_LEAST)
        credential = ScramCredential(
            *(salt, mechanism.stored_key(salted), mechanism.server_key(salted)), ITERATIONS_LEAST
        )
        if len(known) >= MAX_TOKEN_CREDENTIALS:
            del known[next(iter(known))]
        known[token_id, mechanism.number] = credential
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
