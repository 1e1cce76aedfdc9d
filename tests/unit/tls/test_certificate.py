"""Whose a certificate is and until when it is good, as words and figures."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding

from metaquorum.testing.certificates import Authority, named
from metaquorum.tls.certificate import MAX_SUBJECT_CHARS, Certificate

DAY_MS = 86_400_000
KEY = ec.generate_private_key(ec.SECP256R1())


def der(name: str, begins: datetime, ends: datetime) -> bytes:
    subject = x509.Name([x509.NameAttribute(*one) for one in named(name)])
    builder = (
        x509.CertificateBuilder(subject, subject, KEY.public_key(), 1)
        .not_valid_before(begins)
        .not_valid_after(ends)
    )
    return builder.sign(KEY, hashes.SHA256()).public_bytes(Encoding.DER)


@pytest.mark.parametrize("year", [1950, 1999, 2026, 2049, 2050, 2999])
def test_times_are_read_in_both_forms(year: int) -> None:
    ends = datetime(year, 11, 26, 17, 49, 3, tzinfo=UTC)
    one = Certificate.of(der("c1", datetime(1950, 1, 1), ends))
    assert one.good_until_ms == round(ends.timestamp()) * 1_000
    assert str(one) == f"good until {year}-11-26T17:49:03Z: CN=c1"


def test_a_certificate_has_expired_after_its_last_second() -> None:
    one = Certificate.of(Authority().identity("c1").der)
    assert one.good_until_ms - one.good_from_ms == 31 * DAY_MS
    assert not one.has_expired(one.good_until_ms)
    assert one.has_expired(one.good_until_ms + 1)


def test_a_subject_of_anybody_stays_short_and_printable() -> None:
    one = Certificate.of(der("\x1b[2J", datetime(2026, 1, 1), datetime(2027, 1, 1)))
    assert one.subject == "CN=?[2J"
    more = [(x509.NameOID.ORGANIZATION_NAME, "o" * 60)] * 5
    long = Certificate.of(Authority().identity(more).der)
    assert len(long.subject) == MAX_SUBJECT_CHARS + len("...")


def test_no_certificate_is_told_by_an_error() -> None:
    whole = Authority().identity("c1").der
    for broken in (b"", b"0", whole[:20], whole[:120], b"\x30\x03\x30\x01\x00"):
        with pytest.raises(ValueError):
            Certificate.of(broken)
    late = der("c1", datetime(2026, 1, 1), datetime(2027, 1, 1))
    with pytest.raises(ValueError):
        Certificate.of(late.replace(b"270101000000Z", b"279901000000Z"))
