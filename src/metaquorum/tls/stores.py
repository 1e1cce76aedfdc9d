"""What key stores and trust stores hold, as PEM: read from PEM itself or from PKCS12.

Kafka's default type is JKS, under whose name Java opens PKCS12 files too, which ``keytool`` has
made since Java 9; so does this. Files that are JKS indeed are refused with the command that
converts them. PKCS12 takes the package ``cryptography`` (the extra ``tls``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from attrs import field, frozen

from metaquorum.config.key import BadValue
from metaquorum.config.tls_settings import PEM, Store, TlsSettings

_BLOCK = re.compile(r"-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \1-----", re.DOTALL)
_JKS_MAGIC: Final = (b"\xfe\xed\xfe\xed", b"\xce\xce\xce\xce")
_LINE_CHARS: Final = 64
MAX_STORE_BYTES: Final = 16_777_216  # a trust store of a whole system has a quarter of a MiB


@frozen
class KeyMaterial:
    """A private key with the chain of its certificate, as PEM; ``password`` opens the key."""

    pem: str = field(repr=False)
    password: str | None = field(default=None, repr=False)


@frozen
class Anchors:
    """Certificates that are trusted, as PEM, and revocation lists of their issuers beside them."""

    certificates: str
    revocations: str = ""


def read_key(settings: TlsSettings) -> KeyMaterial | None:
    """What one proves by, None without; BadValue says why it cannot be had."""
    store = settings.keystore
    if store is None:
        return None
    if store.type == PEM:
        blocks = list(_blocks(_pem_text(store)))
        keys = [text for kind, text in blocks if kind.endswith("PRIVATE KEY")]
        chain = [text for kind, text in blocks if kind == "CERTIFICATE"]
        if len(keys) != 1 or not chain:
            raise BadValue(
                f"{_place(store)} holds {len(keys)} private keys and {len(chain)} certificates; it "
                "needs one key and its certificate, followed by those of the issuers"
            )
        return KeyMaterial("".join(keys + chain), settings.key_password)
    own, others = _from_pkcs12(store)
    if own is None or not others:
        raise BadValue(f"{_place(store)} holds no private key with its certificate")
    return KeyMaterial("".join([own, *others]))


def read_anchors(settings: TlsSettings) -> Anchors | None:
    """Whom one trusts, None where the system's own list decides; BadValue as ``read_key``."""
    store = settings.truststore
    if store is None:
        return None
    if store.type == PEM:
        blocks = list(_blocks(_pem_text(store)))
        trusted = [text for kind, text in blocks if kind == "CERTIFICATE"]
        revoked = [text for kind, text in blocks if kind == "X509 CRL"]
    else:
        trusted, revoked = list(_from_pkcs12(store)[1]), []
    if not trusted:
        raise BadValue(f"{_place(store)} holds no certificate")
    return Anchors("".join(trusted), "".join(revoked))


def _place(store: Store) -> str:
    return f"{store.name}: {store.location}" if store.location is not None else store.name


def _pem_text(store: Store) -> str:
    if store.text is not None:
        return store.text
    try:
        return _file_bytes(store).decode("utf-8")
    except UnicodeDecodeError:
        raise BadValue(f"{_place(store)} is no PEM file") from None


def _file_bytes(store: Store) -> bytes:
    assert store.location is not None
    try:
        with open(store.location, "rb") as file:
            data = file.read(MAX_STORE_BYTES + 1)
    except OSError as error:
        raise BadValue(f"{_place(store)}: {error.strerror}") from None
    if len(data) > MAX_STORE_BYTES:
        raise BadValue(f"{_place(store)} has more than {MAX_STORE_BYTES} bytes")
    return data


def _blocks(text: str) -> Iterator[tuple[str, str]]:
    """Kind and text of each block; base64 that stands in one line is broken into lines."""
    for found in _BLOCK.finditer(text):
        kind, body = found[1], found[2]
        if ":" not in body:  # headers are lines of their own, and have to stay so
            packed = "".join(body.split())
            lines = [packed[at : at + _LINE_CHARS] for at in range(0, len(packed), _LINE_CHARS)]
            body = "\n" + "\n".join(lines) + "\n"
        yield kind, f"-----BEGIN {kind}-----{body}-----END {kind}-----\n"


def _from_pkcs12(store: Store) -> tuple[str | None, Sequence[str]]:
    """The private key, if there is one, and the certificates, its own first."""
    data = _file_bytes(store)
    if data[:4] in _JKS_MAGIC:
        raise BadValue(
            f"{_place(store)} is a JKS file, which is not read here; convert it with keytool "
            "-importkeystore -srckeystore FILE -destkeystore NEWFILE -deststoretype PKCS12"
        )
    if data.lstrip()[:10] == b"-----BEGIN":
        key = store.name.removesuffix("location") + "type"
        raise BadValue(f"{_place(store)} is a PEM file and the type is {store.type}; set {key}=PEM")
    try:
        from cryptography.hazmat.primitives.serialization import (
            Encoding,
            NoEncryption,
            PrivateFormat,
        )
        from cryptography.hazmat.primitives.serialization.pkcs12 import load_key_and_certificates
    except ImportError:
        raise BadValue(
            f"{_place(store)}: PKCS12 is read by the package cryptography; install "
            "metaquorum[tls], or convert the file: openssl pkcs12 -in FILE -out NEWFILE"
        ) from None
    password = None if store.password is None else store.password.encode()
    try:
        private, own, others = load_key_and_certificates(data, password)
    except ValueError:
        raise BadValue(
            f"{_place(store)} cannot be opened: it is no PKCS12 file, or its password is another"
        ) from None
    chain = [one for one in (own, *others) if one is not None]
    texts = [one.public_bytes(Encoding.PEM).decode() for one in chain]
    if private is None:
        return None, texts
    plain = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    return plain.decode(), texts
