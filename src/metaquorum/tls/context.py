"""Contexts of the standard library's ``ssl``, made from settings in Kafka's words.

``ssl`` reads keys from files only. What stood elsewhere, or was protected, is handed over through a
file in memory where the system has such (Linux), else through one that only we can read and that is
gone at once.
"""

from __future__ import annotations

import os
import ssl
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

from metaquorum.config.key import BadValue
from metaquorum.config.tls_settings import NONE, REQUIRED, TlsSettings
from metaquorum.tls.certificate import Certificate
from metaquorum.tls.stores import Anchors, KeyMaterial, read_anchors, read_key

_VERSIONS: Final = {"TLSv1.2": ssl.TLSVersion.TLSv1_2, "TLSv1.3": ssl.TLSVersion.TLSv1_3}
_BEGIN: Final = "-----BEGIN CERTIFICATE-----"
_END: Final = "-----END CERTIFICATE-----"
_OF_13: Final = (
    "TLS_AES_128_GCM_SHA256",
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
)


def server_context(settings: TlsSettings) -> ssl.SSLContext:
    """What a listener serves with; BadValue says why it cannot.

    Sessions are not resumed: who a client is, is proven each time by a certificate that is good
    at that time.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _set_up(context, settings)
    context.options |= ssl.OP_NO_TICKET | ssl.OP_CIPHER_SERVER_PREFERENCE
    context.num_tickets = 0
    if settings.client_auth != NONE:
        required = settings.client_auth == REQUIRED
        context.verify_mode = ssl.CERT_REQUIRED if required else ssl.CERT_OPTIONAL
        _trust(context, read_anchors(settings), ssl.Purpose.CLIENT_AUTH)
    return context


def client_context(settings: TlsSettings) -> ssl.SSLContext:
    """What one dials with: the server is always verified, by name too unless that is turned off."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    _set_up(context, settings)
    context.check_hostname = settings.checks_names
    _trust(context, read_anchors(settings), ssl.Purpose.SERVER_AUTH)
    return context


def looking_context(settings: TlsSettings) -> ssl.SSLContext:
    """What one looks with at the certificate of a server, good or not: nothing is ever sent."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    _set_up(context, settings)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def own_certificate(settings: TlsSettings) -> Certificate | None:
    """What one proves by, None without; BadValue says why it cannot be had."""
    material = read_key(settings)
    if material is None:
        return None
    begins = material.pem.index(_BEGIN)
    ends = material.pem.index(_END, begins) + len(_END)
    return Certificate.of(ssl.PEM_cert_to_DER_cert(material.pem[begins:ends]))


def _set_up(context: ssl.SSLContext, settings: TlsSettings) -> None:
    protocols = _restrict(context, settings)
    context.minimum_version = min(_VERSIONS[one] for one in protocols)
    context.maximum_version = max(_VERSIONS[one] for one in protocols)
    context.options |= ssl.OP_NO_RENEGOTIATION | ssl.OP_NO_COMPRESSION
    material = read_key(settings)
    if material is not None:
        _load_key(context, material, settings)


def _restrict(context: ssl.SSLContext, settings: TlsSettings) -> Sequence[str]:
    """Allow the suites that are named, and return the protocols that have any of them."""
    named, protocols = settings.cipher_suites, settings.protocols
    if not named:
        return protocols
    of_13 = [one for one in named if one in _OF_13]
    of_12 = [one for one in named if one not in _OF_13]
    left = [one for one in protocols if (of_13 if one == "TLSv1.3" else of_12)]
    if not left:
        raise BadValue("ssl.cipher.suites: none of them belongs to one of ssl.enabled.protocols")
    if "TLSv1.3" in left and len(of_13) < len(_OF_13):
        raise BadValue(
            "ssl.cipher.suites: those of TLSv1.3 are offered together or not at all; name "
            f"{', '.join(_OF_13)}, or none of them"
        )
    if "TLSv1.2" in left:
        for one in of_12:
            try:
                context.set_ciphers(_openssl_name(one))
            except ssl.SSLError:
                raise BadValue(f"ssl.cipher.suites: {one} is not known here") from None
        context.set_ciphers(":".join(map(_openssl_name, of_12)))
    return left


def _openssl_name(suite: str) -> str:
    """OpenSSL's name of a suite of TLS 1.2, for Java's and the standards' or its own."""
    if not suite.startswith("TLS_"):
        return suite
    exchange, _, cipher = suite.removeprefix("TLS_").partition("_WITH_")
    cipher = (
        cipher.replace("AES_", "AES").replace("_CBC", "").replace("POLY1305_SHA256", "POLY1305")
    )
    named = cipher if exchange == "RSA" else f"{exchange}_{cipher}"
    return named.replace("_", "-")


def _load_key(context: ssl.SSLContext, material: KeyMaterial, settings: TlsSettings) -> None:
    def password() -> str:  # without one OpenSSL would ask the terminal
        return material.password or ""

    try:
        with _as_file(material.pem) as path:
            context.load_cert_chain(path, password=password)
    except (ssl.SSLError, ValueError) as error:
        assert settings.keystore is not None
        name = settings.keystore.name
        mismatch = "KEY_VALUES_MISMATCH" in str(getattr(error, "reason", ""))
        why = (
            "the certificate is not that of the private key"
            if mismatch
            else "the private key or its certificate cannot be read; is ssl.key.password right?"
        )
        raise BadValue(f"{name}: {why}") from None


def _trust(context: ssl.SSLContext, anchors: Anchors | None, purpose: ssl.Purpose) -> None:
    """Trust what the store holds, as Java does: any certificate in it is the end of a chain.

    A store with revocation lists has them asked for the certificate that the other side shows.
    """
    if anchors is None:
        context.load_default_certs(purpose)
        return
    context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    try:
        with _as_file(anchors.certificates + anchors.revocations) as path:
            context.load_verify_locations(path)
    except ssl.SSLError:
        raise BadValue("ssl.truststore.location: one of its certificates cannot be read") from None
    if anchors.revocations:
        context.verify_flags |= ssl.VERIFY_CRL_CHECK_LEAF


@contextmanager
def _as_file(text: str) -> Iterator[str]:
    if hasattr(os, "memfd_create"):
        descriptor = os.memfd_create("tls")
        try:
            os.write(descriptor, text.encode())
            yield f"/proc/self/fd/{descriptor}"
        finally:
            os.close(descriptor)
    else:
        with tempfile.NamedTemporaryFile() as file:
            file.write(text.encode())
            file.flush()
            yield file.name
