"""Certificates for tests, made when they run: an authority, and who it vouches for."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path
from typing import Final

from attrs import define, field, frozen
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    pkcs12,
)
from cryptography.x509.oid import NameOID

_DAY: Final = timedelta(days=1)
HOSTS: Final = ("127.0.0.1", "localhost")
Names = Sequence[tuple[x509.ObjectIdentifier, str]]


def named(name: str) -> Names:
    """A subject of a common name alone."""
    return [(NameOID.COMMON_NAME, name)]


@frozen
class Identity:
    """A key and its certificate."""

    key: ec.EllipticCurvePrivateKey = field(repr=False)
    certificate: x509.Certificate

    @property
    def der(self) -> bytes:
        """The certificate as it travels."""
        return self.certificate.public_bytes(Encoding.DER)

    @property
    def certificate_pem(self) -> str:
        """The certificate alone."""
        return self.certificate.public_bytes(Encoding.PEM).decode()

    def key_pem(self, password: str | None = None) -> str:
        """The private key alone, protected where there is a password."""
        encryption = NoEncryption() if password is None else _protected(password)
        return self.key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, encryption).decode()

    def pem(self, password: str | None = None) -> str:
        """Both, as ``ssl.keystore.location`` takes them."""
        return self.key_pem(password) + self.certificate_pem

    def pkcs12(self, password: str, *others: Identity) -> bytes:
        """Both, as ``keytool`` would keep them."""
        more = [one.certificate for one in others] or None
        return pkcs12.serialize_key_and_certificates(
            b"own", self.key, self.certificate, more, _protected(password)
        )


def _protected(password: str) -> BestAvailableEncryption:
    return BestAvailableEncryption(password.encode())


@define
class Authority:
    """Who signs. ``pem`` is what a trust store holds."""

    name: str = "authority"
    own: Identity = field(init=False)
    _serial: int = 1_000

    def __attrs_post_init__(self) -> None:
        key = ec.generate_private_key(ec.SECP256R1())
        subject = _name(named(self.name))
        usage = x509.KeyUsage(
            digital_signature=False,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            key_cert_sign=True,
            crl_sign=True,
            encipher_only=False,
            decipher_only=False,
        )
        builder = (
            _begun(subject, subject, key, key, 1, -1, 3650)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(usage, critical=True)
        )
        self.own = Identity(key, builder.sign(key, hashes.SHA256()))

    @property
    def pem(self) -> str:
        """Its certificate."""
        return self.own.certificate_pem

    def identity(
        self,
        names: Names | str,
        *,
        hosts: Sequence[str] = HOSTS,
        from_days: int = -1,
        to_days: int = 30,
    ) -> Identity:
        """A key with a certificate for these hosts, good between two days from now."""
        key = ec.generate_private_key(ec.SECP256R1())
        self._serial += 1
        subject = _name(named(names) if isinstance(names, str) else names)
        issuer = self.own.certificate.subject
        builder = _begun(subject, issuer, key, self.own.key, self._serial, from_days, to_days)
        if hosts:
            places = x509.SubjectAlternativeName([_place(one) for one in hosts])
            builder = builder.add_extension(places, critical=False)
        return Identity(key, builder.sign(self.own.key, hashes.SHA256()))

    def revocations(self, *revoked: Identity) -> str:
        """A list that takes certificates back, as PEM."""
        now = datetime.now(UTC)
        builder = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self.own.certificate.subject)
            .last_update(now - _DAY)
            .next_update(now + 30 * _DAY)
        )
        for one in revoked:
            row = x509.RevokedCertificateBuilder().serial_number(one.certificate.serial_number)
            builder = builder.add_revoked_certificate(row.revocation_date(now - _DAY).build())
        made = builder.sign(self.own.key, hashes.SHA256())
        return made.public_bytes(Encoding.PEM).decode()

    def trust_pkcs12(self, password: str) -> bytes:
        """A trust store of this authority, as PKCS12 that Java reads too."""
        row = pkcs12.PKCS12Certificate(self.own.certificate, b"authority")
        return pkcs12.serialize_java_truststore([row], _protected(password))


def written(path: Path, text: str) -> Path:
    """A file with that text."""
    path.write_text(text)
    return path


def _name(names: Names) -> x509.Name:
    return x509.Name([x509.NameAttribute(kind, value) for kind, value in names])


def _place(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _begun(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePrivateKey,
    signing_key: ec.EllipticCurvePrivateKey,
    serial: int,
    from_days: int,
    to_days: int,
) -> x509.CertificateBuilder:
    now = datetime.now(UTC)
    signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(signing_key.public_key())
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(serial)
        .not_valid_before(now + from_days * _DAY)
        .not_valid_after(now + to_days * _DAY)
        # Clients that check as RFC 5280 says, as Python's do since 3.13, refuse one without these.
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(signer, critical=False)
    )
