"""What a client says of certificates that are not good, to servers that speak TLS."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from metaquorum.client.certificates import shown_by
from metaquorum.client.connection import (
    CertificateRefused,
    ConnectionFailed,
    OwnCertificateRefused,
)
from metaquorum.client.security import Security
from metaquorum.config.tls_settings import TlsSettings
from metaquorum.testing.certificates import Authority, Identity, written
from metaquorum.tls.context import server_context

AUTHORITY = Authority()
GOOD = AUTHORITY.identity("server")
EXPIRED = AUTHORITY.identity("server", from_days=-9, to_days=-2)
LOOPBACK = "127.0.0.1"


def until(own: Identity) -> str:
    return f"good until {own.certificate.not_valid_after_utc:%Y-%m-%dT%H:%M:%SZ}"


def keys(directory: Path, own: Identity | None) -> dict[str, str]:
    """Kafka's keys for TLS, of a client and of a server alike."""
    trusted = written(directory / "trusted.pem", AUTHORITY.pem)
    found = {
        "security.protocol": "SSL",
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(trusted),
    }
    if own is not None:
        store = directory / f"{own.certificate.serial_number}.pem"
        found["ssl.keystore.type"] = "PEM"
        found["ssl.keystore.location"] = str(written(store, own.pem()))
    return found


@contextmanager
def served(directory: Path, own: Identity, **more: str) -> Iterator[int]:
    """The port of a server that makes TLS of each connection, and then hangs up."""
    given = keys(directory, own) | {name.replace("_", "."): text for name, text in more.items()}
    context = server_context(TlsSettings.read(given.get))
    listener = socket.create_server((LOOPBACK, 0))

    def serve() -> None:
        while True:
            try:
                opened, _ = listener.accept()
            except OSError:
                return
            try:
                with context.wrap_socket(opened, server_side=True) as secured:
                    secured.recv(1_000)
            except (OSError, ssl.SSLError):
                opened.close()

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        thread.join()


@pytest.mark.parametrize("protocol", ["TLSv1.2", "TLSv1.3"])
def test_an_expired_server_is_told_by_whose_and_until_when(tmp_path: Path, protocol: str) -> None:
    security = Security.read(keys(tmp_path, None))
    with served(tmp_path, EXPIRED, ssl_enabled_protocols=protocol) as port:
        with pytest.raises(CertificateRefused) as refused:
            security.open(LOOPBACK, port)
    told = f"{LOOPBACK}:{port}: certificate has expired ({until(EXPIRED)}: CN=server)"
    assert str(refused.value) == told


@pytest.mark.parametrize("protocol", ["TLSv1.2", "TLSv1.3"])
def test_an_own_certificate_that_expired_is_told_as_ours(tmp_path: Path, protocol: str) -> None:
    own = AUTHORITY.identity("watcher", from_days=-9, to_days=-2)
    security = Security.read(keys(tmp_path, own))
    more = {"ssl_enabled_protocols": protocol, "ssl_client_auth": "required"}
    with served(tmp_path, GOOD, **more) as port, pytest.raises(OwnCertificateRefused) as refused:
        security.open(LOOPBACK, port)
    told = str(refused.value)
    assert told.startswith(f"{LOOPBACK}:{port}: ")
    assert f"(our certificate has expired, {until(own)}: CN=watcher)" in told


def test_no_own_certificate_where_one_is_wanted_is_told(tmp_path: Path) -> None:
    security = Security.read(keys(tmp_path, None))
    with served(tmp_path, GOOD, ssl_client_auth="required") as port:
        with pytest.raises(OwnCertificateRefused, match=r"ssl\.keystore\.location names none"):
            security.open(LOOPBACK, port)


def test_a_server_that_hangs_up_is_no_trouble_of_certificates(tmp_path: Path) -> None:
    security = Security.read(keys(tmp_path, AUTHORITY.identity("watcher")))
    with served(tmp_path, GOOD) as port, pytest.raises(ConnectionFailed, match="closed"):
        security.open(LOOPBACK, port)


def test_a_certificate_is_shown_whether_it_is_good_or_not(tmp_path: Path) -> None:
    foreign = Authority("foreign").identity("stranger")
    tls = Security.read(keys(tmp_path, None)).tls
    assert tls is not None
    for own in (GOOD, EXPIRED, foreign):
        with served(tmp_path, own) as port:
            shown = shown_by(LOOPBACK, port, tls)
            assert shown is not None
            assert until(own) in str(shown)
    assert shown_by(LOOPBACK, port, tls) is None


def test_files_with_another_content_make_tls_outdated(tmp_path: Path) -> None:
    own = AUTHORITY.identity("watcher")
    given = keys(tmp_path, own)
    tls = Security.read(given).tls
    assert tls is not None
    assert not tls.is_outdated()
    written(Path(given["ssl.keystore.location"]), own.pem() + AUTHORITY.pem)
    assert tls.is_outdated()
