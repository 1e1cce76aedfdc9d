"""How this node dials others: as its configuration says that controllers come to each other."""

from __future__ import annotations

from metaquorum.base.clock import Clock
from metaquorum.base.errors import OperatorError
from metaquorum.config.key import BadValue
from metaquorum.config.node_config import NodeConfig
from metaquorum.observe.events import EventLog
from metaquorum.runtime.peers.dial import OpenStream


def dial_of(config: NodeConfig, beneath: OpenStream, clock: Clock, log: EventLog) -> OpenStream:
    """Dials as ``beneath`` does, with TLS and authentication where the configuration has them.

    OperatorError where the keys and certificates of it cannot be used.
    """
    try:
        settings = config.links
    except BadValue as why:
        raise OperatorError(config.resolved.hide(str(why))) from None
    if settings.tls is None and not settings.mechanism:
        return beneath
    from metaquorum.client.login import Login
    from metaquorum.runtime.peers.secure_dial import SecureDial
    from metaquorum.tls.context import client_context
    from metaquorum.tls.reloading import ReloadedContext

    def note(line: str) -> None:
        log.info("certificates", what=f"links to controllers: {line}")

    context = login = None
    if settings.tls is not None:
        try:
            context = ReloadedContext(settings.tls, client_context, clock, note)
        except BadValue as why:
            raise OperatorError(config.resolved.hide(f"links to controllers: {why}")) from None
    if settings.mechanism:
        login = Login(settings.mechanism, settings.user, settings.password)
    return SecureDial(beneath, context, login, f"raft-client-{config.node_id}")
