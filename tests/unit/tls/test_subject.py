"""Names of certificates in Java's words."""

from __future__ import annotations

import pytest
from cryptography import x509
from cryptography.x509.oid import NameOID

from metaquorum.testing.certificates import Authority
from metaquorum.tls.subject import subject_text

AUTHORITY = Authority()


@pytest.mark.parametrize(
    ("names", "text"),
    [
        ([(NameOID.COMMON_NAME, "Duke")], "CN=Duke"),
        (
            [
                (NameOID.COUNTRY_NAME, "US"),
                (NameOID.STATE_OR_PROVINCE_NAME, "CA"),
                (NameOID.ORGANIZATION_NAME, "Org, Inc."),
                (NameOID.ORGANIZATIONAL_UNIT_NAME, "a+b=c"),
                (NameOID.COMMON_NAME, " Dük#e "),
            ],
            r"CN=\ Dük\#e\ ,OU=a\+b\=c,O=Org\, Inc.,ST=CA,C=US",
        ),
        (
            [(NameOID.DOMAIN_COMPONENT, "org"), (NameOID.USER_ID, "u"), (NameOID.COMMON_NAME, "x")],
            "CN=x,UID=u,DC=org",
        ),
        (
            [(NameOID.COMMON_NAME, "x"), (NameOID.EMAIL_ADDRESS, "a@b")],
            "1.2.840.113549.1.9.1=#1603614062,CN=x",
        ),
        ([], ""),
    ],
)
def test_the_last_name_comes_first_and_what_is_special_is_escaped(
    names: list[tuple[x509.ObjectIdentifier, str]], text: str
) -> None:
    assert subject_text(AUTHORITY.identity(names).der) == text


def test_what_breaks_off_is_an_error() -> None:
    der = AUTHORITY.identity("x").der
    for length in range(0, 120, 7):
        with pytest.raises(ValueError, match="ends too early"):
            subject_text(der[:length])
