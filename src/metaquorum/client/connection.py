"""One blocking Kafka connection: frames, correlation ids, time-outs, the versions both speak.

One request is in flight at a time, as every caller here waits for its answer anyway.
"""

from __future__ import annotations

import errno
import select
import socket
import ssl
import time
from enum import Enum
from types import TracebackType
from typing import Any, Final

from attrs import define, field

from metaquorum.base.errors import InvariantViolated, OperatorError, PeerError
from metaquorum.base.limits import MAX_FRAME_BYTES
from metaquorum.base.version import SOFTWARE
from metaquorum.client.login import Login
from metaquorum.wire.frames import FrameReader, frame
from metaquorum.wire.generated import (
    api_versions_request,
    api_versions_response,
    error_codes,
    index,
)
from metaquorum.wire.headers import RequestHeader, put_request_header, read_response_header
from metaquorum.wire.slices import FileSlice, Parts

CONNECT_TIMEOUT_MS: Final = 5_000
REQUEST_TIMEOUT_MS: Final = 30_000  # Kafka's request.timeout.ms
RECEIVE_BYTES: Final = 262_144

API_VERSIONS: Final = 18
SASL_HANDSHAKE: Final = 17
SASL_AUTHENTICATE: Final = 36
API_VERSIONS_NEWEST: Final = 4  # 5 lets a server check whom we meant to reach; we ask anybody
SOFTWARE_NAME: Final = SOFTWARE[0]
_HUNG_UP: Final = (ConnectionError, ssl.SSLEOFError, ssl.SSLZeroReturnError)
_ABOUT_CERTIFICATES: Final = frozenset(
    (
        "BAD_CERTIFICATE",
        "CERTIFICATE_EXPIRED",
        "CERTIFICATE_REQUIRED",
        "CERTIFICATE_REVOKED",
        "CERTIFICATE_UNKNOWN",
        "UNKNOWN_CA",
        "UNSUPPORTED_CERTIFICATE",
    )
)
"""TLS alerts of a server that does not take what the client proves itself by."""


class Failure(Enum):
    """How a connection failed, for those who conclude something about the other side from it."""

    REFUSED = "refused"
    """Nobody listens there: the machine answers, and the process does not run."""
    UNREACHABLE = "unreachable"
    """No connection came about in time, or there is no way to the machine."""
    SILENT = "silent"
    """Connected, and no answer came in time."""
    CLOSED = "closed"
    """The other side ended the connection."""
    OTHER = "other"


class ConnectionFailed(Exception):
    """The other side cannot be reached, hung up, or did not answer in time; ``kind`` says which."""

    def __init__(self, message: str, kind: Failure = Failure.OTHER) -> None:
        super().__init__(message)
        self.kind = kind


class CertificateRefused(OperatorError):
    """A certificate is not good: expired, of another name, of nobody who is trusted."""


class OwnCertificateRefused(CertificateRefused):
    """It is ours that the other side does not take."""


class LoginRefused(OperatorError):
    """The other side does not take the login; the message says why."""


class VersionsDoNotMeet(Exception):
    """The other side serves no version of an API that we can use; the message names both ranges."""


@define
class Connection:
    """An open connection; ``versions`` is what the other side said it serves.

    ``supported`` are the features that it can do, lowest and highest level, and ``finalized`` the
    levels in use as it knows them (KIP-584); both are empty where it does not say.
    Made by ``Connection.open``. After any ConnectionFailed or PeerError it is of no use.
    """

    host: str
    port: int
    client_id: str
    timeout_ms: int
    versions: dict[int, tuple[int, int]] = field(factory=dict, init=False)
    supported: dict[str, tuple[int, int]] = field(factory=dict, init=False)
    finalized: dict[str, int] = field(factory=dict, init=False)
    _socket: socket.socket = field(repr=False)
    _frames: FrameReader = field(factory=lambda: FrameReader(MAX_FRAME_BYTES), init=False)
    _received: list[memoryview] = field(factory=list, init=False, repr=False)
    _correlation_id: int = field(default=0, init=False)

    @classmethod
    def open(
        cls,
        host: str,
        port: int,
        *,
        client_id: str = SOFTWARE_NAME,
        connect_timeout_ms: int = CONNECT_TIMEOUT_MS,
        timeout_ms: int = REQUEST_TIMEOUT_MS,
        context: ssl.SSLContext | None = None,
        login: Login | None = None,
    ) -> Connection:
        """Connect, by TLS with a ``context``, learn the versions and authenticate by a ``login``.

        Raises ConnectionFailed, PeerError, LoginRefused and CertificateRefused, which is
        OwnCertificateRefused where the other side does not take our certificate.
        """
        try:
            opened = socket.create_connection((host, port), connect_timeout_ms / 1000)
        except (OSError, ValueError) as error:  # a name may be one that cannot be looked up
            raise ConnectionFailed(f"{host}:{port}: {error}", _no_connection(error)) from None
        opened.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context is not None:
            opened = _with_tls(opened, context, host, port)
        connection = cls(host, port, client_id, timeout_ms, opened)
        try:
            connection._learn_versions(min(connect_timeout_ms, timeout_ms))
            if login is not None:
                connection._authenticate(login)
        except BaseException:
            connection.close()
            raise
        return connection

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def local_port(self) -> int:
        """Our end's TCP port, by which the other side's log names this connection."""
        port: int = self._socket.getsockname()[1]
        return port

    def closed_within(self, seconds: float) -> bool:
        """Wait so long while nothing is asked; True as soon as the other side ends the connection.

        Bytes that nobody asked for count as its end: nothing that follows could be understood.
        """
        poller = select.poll()
        poller.register(self._socket, select.POLLIN)
        return bool(poller.poll(max(0, int(seconds * 1_000))))

    def close(self) -> None:
        """Hang up; may be called twice."""
        self._socket.close()

    def best_version(self, api_key: int, least: int = 0, most: int | None = None) -> int:
        """The highest version of an API that both sides know, within ``least`` and ``most``.

        Raises VersionsDoNotMeet.
        """
        api = index.APIS[api_key]
        ours = (max(api.lowest, least), api.highest if most is None else min(api.highest, most))
        theirs = self.versions.get(api_key)
        if theirs is None:
            raise VersionsDoNotMeet(f"{self.host}:{self.port} does not serve {api.name}")
        version = min(ours[1], theirs[1])
        if version < max(ours[0], theirs[0]):
            raise VersionsDoNotMeet(
                f"{self.host}:{self.port} serves {api.name} {theirs[0]}-{theirs[1]}, "
                f"{ours[0]}-{ours[1]} is needed"
            )
        return version

    def ask(
        self, api_key: int, version: int, request: object, *, timeout_ms: int | None = None
    ) -> Any:
        """Send one request and wait for its answer, decoded.

        Raises ConnectionFailed, or PeerError when the answer is not one.
        """
        body, position = self.ask_raw(api_key, version, request, timeout_ms=timeout_ms)
        return index.response_codec(api_key).decode(body, version, position)

    def ask_raw(
        self, api_key: int, version: int, request: object, *, timeout_ms: int | None = None
    ) -> tuple[memoryview, int]:
        """The frame of the answer and where its body begins (after the response header)."""
        deadline = time.monotonic() + (self.timeout_ms if timeout_ms is None else timeout_ms) / 1000
        self._correlation_id = (self._correlation_id + 1) & 0x7FFFFFFF
        header = RequestHeader(api_key, version, self._correlation_id, self.client_id)
        parts: Parts = []
        put_request_header(parts, header)
        index.request_codec(api_key).put(parts, request, version)
        self._send(b"".join(map(_plain, frame(parts))), deadline)
        answer = self._receive(deadline)
        correlation_id, position = read_response_header(answer, api_key, version)
        if correlation_id != self._correlation_id:
            raise PeerError(
                f"{self.host}:{self.port} answered request {correlation_id}, "
                f"{self._correlation_id} was asked"
            )
        return answer, position

    def _learn_versions(self, timeout_ms: int) -> None:
        """ApiVersions, stepping down once when ours is too new (KIP-511)."""
        version = API_VERSIONS_NEWEST
        answer = self._ask_api_versions(version, timeout_ms)
        if answer.error_code == error_codes.UNSUPPORTED_VERSION:
            listed = {row.api_key: row.max_version for row in answer.api_keys}
            version = min(version, listed.get(API_VERSIONS, 0))
            answer = self._ask_api_versions(version, timeout_ms)
        if answer.error_code != error_codes.NONE:
            name = error_codes.NAMES.get(answer.error_code, answer.error_code)
            raise PeerError(f"{self.host}:{self.port} refuses ApiVersions: {name}")
        self.versions = {row.api_key: (row.min_version, row.max_version) for row in answer.api_keys}
        self.supported = {
            row.name: (row.min_version, row.max_version) for row in answer.supported_features
        }
        self.finalized = {row.name: row.max_version_level for row in answer.finalized_features}

    def _authenticate(self, login: Login) -> None:
        """SaslHandshake, then SaslAuthenticate until both sides are content (KIP-152)."""
        from metaquorum.wire.generated.sasl_authenticate_request import SaslAuthenticateRequest
        from metaquorum.wire.generated.sasl_handshake_request import SaslHandshakeRequest

        version = self.best_version(SASL_HANDSHAKE, least=1)
        offered = self.ask(SASL_HANDSHAKE, version, SaslHandshakeRequest(login.mechanism))
        if offered.error_code != error_codes.NONE:
            name = error_codes.NAMES.get(offered.error_code, offered.error_code)
            raise LoginRefused(
                f"{self.host}:{self.port} refuses {login.mechanism}: {name}; "
                f"it offers {', '.join(offered.mechanisms) or 'no mechanism'}"
            )
        version = self.best_version(SASL_AUTHENTICATE)

        def exchange(token: bytes) -> bytes:
            answer = self.ask(SASL_AUTHENTICATE, version, SaslAuthenticateRequest(token))
            if answer.error_code != error_codes.NONE:
                why = answer.error_message or error_codes.NAMES.get(answer.error_code, "")
                raise LoginRefused(f"{self.host}:{self.port} refuses {login.user!r}: {why}")
            return bytes(answer.auth_bytes)

        login.prove(exchange)

    def _ask_api_versions(self, version: int, timeout_ms: int) -> Any:
        request = api_versions_request.ApiVersionsRequest(
            client_software_name=SOFTWARE_NAME, client_software_version=SOFTWARE[1]
        )
        body, position = self.ask_raw(API_VERSIONS, version, request, timeout_ms=timeout_ms)
        # A refusal of the version itself comes in the one layout that everybody reads, 0.
        code = int.from_bytes(body[position : position + 2], "big", signed=True)
        if code == error_codes.UNSUPPORTED_VERSION:
            version = 0
        return api_versions_response.decode(body, version, position)

    def _send(self, data: bytes, deadline: float) -> None:
        try:
            self._socket.settimeout(self._left_s(deadline))
            self._socket.sendall(data)
        except OSError as error:
            raise self._failed(self._said_before(error)) from None

    def _receive(self, deadline: float) -> memoryview:
        while not self._received:
            try:
                self._socket.settimeout(self._left_s(deadline))
                data = self._socket.recv(RECEIVE_BYTES)
            except OSError as error:
                raise self._failed(error) from None
            if not data:
                why = f"{self.host}:{self.port} closed the connection"
                raise ConnectionFailed(why, Failure.CLOSED)
            self._received.extend(self._frames.feed(data))
        return self._received.pop(0)

    def _said_before(self, error: OSError) -> OSError:
        """Who hangs up amid our sending may have told why: the alert that lies there, or ``error``.

        The handshake of TLS 1.3 is over for us before our certificate has been looked at.
        """
        if isinstance(self._socket, ssl.SSLSocket) and not isinstance(error, TimeoutError):
            try:
                self._socket.setblocking(False)
                self._socket.recv(1)
            except OSError as told:
                return told if _is_about_ours(told) else error
        return error

    def _failed(self, error: OSError) -> ConnectionFailed | OwnCertificateRefused:
        """With TLS 1.3 a refusal of our certificate comes where the first answer should."""
        place = f"{self.host}:{self.port}"
        if _is_about_ours(error):
            return OwnCertificateRefused(f"{place}: {_refusal(error)}")
        return ConnectionFailed(f"{place}: {_words(error)}", _broken(error))

    def _left_s(self, deadline: float) -> float:
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left


def _plain(part: bytes | memoryview | FileSlice) -> bytes | memoryview:
    """Requests are made in memory: a piece of a file in one is a mistake of the caller."""
    if isinstance(part, FileSlice):
        raise InvariantViolated("a request holds a piece of a file")
    return part


def _with_tls(
    opened: socket.socket, context: ssl.SSLContext, host: str, port: int
) -> socket.socket:
    """The same connection with TLS, or none."""
    try:
        return context.wrap_socket(opened, server_hostname=host)
    except ssl.SSLCertVerificationError as error:
        opened.close()
        why = error.verify_message  # nearly all of them name the certificate: lines are short
        told = why if "certificate" in why else f"its certificate is not good: {why}"
        raise CertificateRefused(f"{host}:{port}: {told}") from None
    except OSError as error:
        opened.close()
        if _is_about_ours(error):
            raise OwnCertificateRefused(f"{host}:{port}: {_refusal(error)}") from None
        why = f"{host}:{port}: no TLS came of it: {_words(error)}"
        raise ConnectionFailed(why, _broken(error)) from None


def _no_connection(error: OSError | ValueError) -> Failure:
    if isinstance(error, ConnectionRefusedError):
        return Failure.REFUSED
    unreachable = isinstance(error, TimeoutError) or (
        isinstance(error, OSError) and error.errno in (errno.EHOSTUNREACH, errno.ENETUNREACH)
    )
    return Failure.UNREACHABLE if unreachable else Failure.OTHER


def _broken(error: OSError) -> Failure:
    if isinstance(error, TimeoutError):
        return Failure.SILENT
    return Failure.CLOSED if isinstance(error, _HUNG_UP) else Failure.OTHER


def _alert(error: OSError) -> str:
    """The name of a TLS alert that came instead of an answer, empty for other errors."""
    reason = (error.reason if isinstance(error, ssl.SSLError) else None) or ""
    return reason.rpartition("_ALERT_")[2] if "_ALERT_" in reason else ""


def _is_about_ours(error: OSError) -> bool:
    return _alert(error) in _ABOUT_CERTIFICATES


def _refusal(error: OSError) -> str:
    return f"our certificate is not taken: {_alert(error).replace('_', ' ').lower()}"


def _words(error: OSError) -> str:
    if isinstance(error, ssl.SSLError) and error.reason:
        return error.reason.replace("_", " ").lower()
    return "no answer in time" if isinstance(error, TimeoutError) else str(error)
