"""A client with TLS whose enciphered bytes are sent as a test wants, and the server's end."""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress

from attrs import frozen

from metaquorum.config.principal_rules import PrincipalRules
from metaquorum.server.access.tls_session import TlsSession
from metaquorum.server.sockets.tls_socket import TlsSocket
from metaquorum.testing.certificates import Authority


@frozen
class TlsContexts:
    """Those of both ends."""

    server: ssl.SSLContext
    client: ssl.SSLContext

    @classmethod
    def made_in(cls, directory) -> TlsContexts:
        authority = Authority()
        keys = directory / "node.pem"
        keys.write_text(authority.identity("node").pem())
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        server.load_cert_chain(keys)
        client = ssl.create_default_context(cadata=authority.pem)
        # The default since Python 3.13: an older one has to check the same.
        client.verify_flags |= ssl.VERIFY_X509_STRICT
        return cls(server, client)


class TlsTalk:
    """``ours`` is the server's socket with TLS on it, ``theirs`` the client's without."""

    def __init__(self, contexts: TlsContexts) -> None:
        ours, self.theirs = socket.socketpair()
        ours.setblocking(False)
        self.theirs.setblocking(False)
        session = TlsSession(PrincipalRules.read("DEFAULT"), 0, None, lambda session, why: None)
        self.ours = TlsSocket(ours, contexts.server, session)
        self._came, self._leaves = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = contexts.client.wrap_bio(self._came, self._leaves, server_hostname="localhost")
        while not session.is_established:
            with suppress(ssl.SSLWantReadError):
                self._tls.do_handshake()
            self.theirs.send(self._leaves.read())
            self.read_by_server()
            self.deciphered()

    def enciphered(self, data: bytes) -> bytes:
        """What the client would send."""
        self._tls.write(data)
        return self._leaves.read()

    def deciphered(self) -> bytes:
        """What the client was sent."""
        with suppress(BlockingIOError):
            self._came.write(self.theirs.recv(1 << 20))
        with suppress(ssl.SSLWantReadError):
            return self._tls.read(1 << 20)
        return b""

    def read_by_server(self) -> bytes:
        """What the server's end gives out of what came."""
        with suppress(BlockingIOError):
            return self.ours.recv(1 << 20)
        return b""
