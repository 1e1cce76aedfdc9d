"""A socket that does not block with TLS on it, for the hosts of connections.

The records are made and read in memory (``ssl.MemoryBIO``), so reading and writing never wait for
each other. Two rules make it a socket to its host: whatever came is deciphered whole, so that a
socket without bytes means that nothing is left to be read; and what was enciphered and did not fit
into the socket stays here and is counted by ``unsent_bytes``.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterable
from contextlib import suppress
from typing import Final

from metaquorum.base.errors import PeerError
from metaquorum.base.limits import TLS_WRITE_BYTES
from metaquorum.server.access.foreign import foreign_protocol
from metaquorum.server.access.tls_session import TlsSession
from metaquorum.server.pipeline.sender import Ancillary, Flushed, PeerGone, Sender, is_gone

_RECORD_BYTES: Final = 16_384
_RECORD_HEAD_BYTES: Final = 5  # type, version, and in the last two the size of what follows
_HANDSHAKE: Final = 0x16  # the first byte of whatever begins with TLS
_BLOCKED: Final = (BlockingIOError, InterruptedError)
_WANTS_MORE: Final = (ssl.SSLWantReadError, ssl.SSLWantWriteError)


class RecordInPart:
    """How much has come of the TLS record that is not whole yet (RFC 8446, section 5.1).

    OpenSSL takes it out of the memory that it is put into, and does not say how much it has.
    """

    __slots__ = ("_head", "_missing_bytes", "_size_bytes")

    def __init__(self) -> None:
        self._head = b""
        self._size_bytes = self._missing_bytes = 0

    def feed(self, data: bytes) -> None:
        """More came."""
        data = self._head + data
        ends = self._missing_bytes
        while ends + _RECORD_HEAD_BYTES <= len(data):
            size = int.from_bytes(data[ends + 3 : ends + _RECORD_HEAD_BYTES], "big")
            self._size_bytes = _RECORD_HEAD_BYTES + size
            ends += self._size_bytes
        self._head = data[ends:]
        self._missing_bytes = max(0, ends - len(data))

    @property
    def came_bytes(self) -> int:
        """0 if the last record is whole."""
        missing = self._missing_bytes
        return self._size_bytes - missing if missing else len(self._head)


class TlsSocket:
    """The server's end. PeerError where the other one breaks TLS; as a socket otherwise."""

    __slots__ = ("_from_peer", "_in_part", "_session", "_socket", "_tls", "_to_peer", "_unsent")

    def __init__(self, sock: socket.socket, context: ssl.SSLContext, session: TlsSession) -> None:
        self._socket = sock
        self._session = session
        self._from_peer, self._to_peer = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._from_peer, self._to_peer, server_side=True)
        self._unsent = memoryview(b"")
        self._in_part = RecordInPart()

    def fileno(self) -> int:
        """That of the socket beneath."""
        return self._socket.fileno()

    @property
    def undeciphered_bytes(self) -> int:
        """Of a record whose other part has yet to come."""
        return self._in_part.came_bytes

    def close(self) -> None:
        """Say good-bye where that needs no wait, and close."""
        if self._session.is_established and not self._unsent:
            with suppress(OSError):
                self._tls.unwrap()
        with suppress(OSError):
            self.flush()
        self._session.gone()
        self._socket.close()

    def recv(self, most: int) -> bytes:
        """All that can be read of what came, at most so many bytes before they are deciphered.

        Empty when the peer hung up; BlockingIOError when there is nothing to be read yet.
        """
        data = self._socket.recv(most)
        session = self._session
        if not session.is_established:
            if not self._shake_hands(data):
                return b""
        elif data:
            self._came(data)
        else:
            return b""
        plain, is_over = self._deciphered()
        self.flush()
        if not plain and not is_over:
            raise BlockingIOError
        return plain

    def send(self, data: bytes | memoryview) -> int:
        """As of a socket: how many bytes were taken; BlockingIOError when none can be now."""
        if not self.flush():
            raise BlockingIOError
        view = memoryview(data)[:TLS_WRITE_BYTES]
        taken = 0
        try:
            while taken < len(view):
                taken += self._tls.write(view[taken : taken + _RECORD_BYTES])
        except ssl.SSLError as error:
            raise PeerError(f"TLS ended: {_words(error)}") from None
        self.flush()
        return taken

    def sendmsg(
        self, parts: Iterable[bytes | memoryview], ancillary: Ancillary = (), flags: int = 0
    ) -> int:
        """The same of several pieces."""
        gathered: list[bytes | memoryview] = []
        size = 0
        for part in parts:
            gathered.append(memoryview(part)[: TLS_WRITE_BYTES - size])
            size += len(gathered[-1])
            if size == TLS_WRITE_BYTES:
                break
        return self.send(b"".join(gathered))

    @property
    def unsent_bytes(self) -> int:
        """What was enciphered and has not left."""
        return len(self._unsent) + self._to_peer.pending

    def flush(self) -> bool:
        """Send what was enciphered; whether all of it has left."""
        while self._unsent or self._to_peer.pending:
            if not self._unsent:
                self._unsent = memoryview(self._to_peer.read())
            try:
                sent = self._socket.send(self._unsent)
            except _BLOCKED:
                return False
            self._unsent = self._unsent[sent:]
        return True

    def _came(self, data: bytes) -> None:
        self._from_peer.write(data)
        self._in_part.feed(data)

    def _shake_hands(self, data: bytes) -> bool:
        """One step of the handshake; whether it is done. BlockingIOError when more has to come."""
        session = self._session
        if not data:
            session.gone()
            return False
        if session.received_bytes == 0 and data[0] != _HANDSHAKE:
            other = foreign_protocol(data[:4]) or "plaintext"
            raise session.failed(f"speaks {other} on a listener with TLS")
        session.received(len(data))
        self._came(data)
        try:
            self._tls.do_handshake()
        except _WANTS_MORE:
            if self.flush():
                raise BlockingIOError from None
            raise session.failed("takes nothing of a TLS handshake") from None
        except ssl.SSLError as error:
            with suppress(OSError):
                self.flush()  # the alert that tells the peer why
            raise session.failed(f"its TLS handshake failed: {_words(error)}") from None
        session.established(self._tls.getpeercert(binary_form=True))
        return True

    def _deciphered(self) -> tuple[bytes, bool]:
        """What can be read now, and whether the peer says that it was the last."""
        pieces: list[bytes] = []
        is_over = False
        try:
            while True:
                piece = self._tls.read(_RECORD_BYTES)
                if not piece:
                    is_over = True
                    break
                pieces.append(piece)
        except _WANTS_MORE:
            pass
        except ssl.SSLZeroReturnError:
            is_over = True
        except ssl.SSLError as error:
            raise PeerError(f"TLS ended: {_words(error)}") from None
        return b"".join(pieces), is_over


class TlsSender(Sender):
    """As a ``Sender``, through TLS: what leaves from files is copied, and done is what has left."""

    __slots__ = ("_tls",)

    def __init__(self, sock: TlsSocket) -> None:
        super().__init__(sock)
        self._sendfile = False
        self._tls = sock

    def send_bytes(self, data: bytes) -> bool:
        """As ``Sender.send_bytes``; False too when some of it waits enciphered."""
        return super().send_bytes(data) and not self._tls.unsent_bytes

    @property
    def is_empty(self) -> bool:
        """Whether everything has left."""
        return super().is_empty and not self._tls.unsent_bytes

    @property
    def memory_bytes(self) -> int:
        """Bytes that wait in memory, those that are enciphered included."""
        return super().memory_bytes + self._tls.unsent_bytes

    def flush(self) -> Flushed:
        """As ``Sender.flush``."""
        before = self._tls.unsent_bytes
        flushed = super().flush()
        if flushed is Flushed.ALL and not self._all_left():
            return Flushed.SOME if self._tls.unsent_bytes != before else Flushed.NOTHING
        return flushed

    def _all_left(self) -> bool:
        try:
            return self._tls.flush()
        except OSError as error:
            if is_gone(error):
                raise PeerGone(str(error)) from None
            raise


def _words(error: ssl.SSLError) -> str:
    """What OpenSSL found wrong, without its places in C."""
    if isinstance(error, ssl.SSLCertVerificationError):
        return error.verify_message
    return (error.reason or str(error)).replace("_", " ").lower()
