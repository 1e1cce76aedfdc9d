"""The certificates of servers, good or not: what they say, and words about those that are refused.

A verified handshake that fails tells why, and not of which certificate. So it is asked for once
more, over a connection that trusts nobody and sends nothing.
"""

from __future__ import annotations

import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from attrs import field, frozen

from metaquorum.base.clock import Millis
from metaquorum.client.connection import (
    CertificateRefused,
    ConnectionFailed,
    Failure,
    OwnCertificateRefused,
)
from metaquorum.config.tls_settings import TlsSettings
from metaquorum.tls.certificate import Certificate
from metaquorum.tls.reloading import Stamps, stamps

LOOK_TIMEOUT_MS: Final = 1_000


@frozen
class Tls:
    """How connections speak TLS; ``own`` is the certificate that is shown to servers.

    ``looking`` makes connections over which nothing is sent. ``stamps`` are those of the files of
    ``settings`` when they were read.
    """

    settings: TlsSettings = field(repr=False)
    context: ssl.SSLContext = field(repr=False)
    looking: ssl.SSLContext = field(repr=False)
    own: Certificate | None
    stamps: Stamps

    def is_outdated(self) -> bool:
        """Whether one of the files has another content by now."""
        return stamps(self.settings.files) != self.stamps


def shown_by(
    host: str, port: int, tls: Tls, timeout_ms: Millis = LOOK_TIMEOUT_MS
) -> Certificate | None:
    """What a server shows, None where it shows nothing in time that is a certificate."""
    timeout_s = timeout_ms / 1_000
    try:
        with (
            socket.create_connection((host, port), timeout_s) as opened,
            tls.looking.wrap_socket(opened, server_hostname=host) as secured,
        ):
            der = secured.getpeercert(binary_form=True)
            return None if der is None else Certificate.of(der)
    except (OSError, ValueError):
        return None


@contextmanager
def explaining(tls: Tls, host: str, port: int) -> Iterator[None]:
    """What is raised inside about a certificate is raised with whose it is, and until when.

    A server that ends the connection has refused our certificate where that has expired.
    """
    try:
        yield
    except OwnCertificateRefused as error:
        raise OwnCertificateRefused(f"{error} ({_ours(tls.own)})") from None
    except CertificateRefused as error:
        shown = shown_by(host, port, tls)
        raise CertificateRefused(
            f"{error} ({shown})" if shown is not None else str(error)
        ) from None
    except ConnectionFailed as error:
        own = tls.own
        if error.kind is Failure.CLOSED and own is not None and own.has_expired(_wall_ms()):
            raise OwnCertificateRefused(f"{error} ({_ours(own)})") from None
        raise


def _ours(own: Certificate | None) -> str:
    if own is None:
        return "no certificate is shown: ssl.keystore.location names none"
    if own.has_expired(_wall_ms()):
        return f"our certificate has expired, {own}"
    return f"ours is {own}"


def _wall_ms() -> Millis:
    return time.time_ns() // 1_000_000
