"""Keys of SCRAM credentials, beside the example of RFC 7677 and Kafka's own tool."""

from __future__ import annotations

from base64 import b64decode

from metaquorum.metadata.scram_keys import SCRAM_MECHANISMS

SHA_256, SHA_512 = SCRAM_MECHANISMS


def test_the_user_of_rfc_7677_has_the_keys_that_everybody_derives() -> None:
    salted = SHA_256.salted_password(b"pencil", b64decode("W22ZaJ0SNY7soEsUEjb6gQ=="), 4096)
    assert SHA_256.stored_key(salted) == b64decode("WG5d8oPm3OtcPnkdi4Uo7BkeZkBFzpcXkuLmtbsT4qY=")
    assert SHA_256.server_key(salted) == b64decode("wfPLwcE6nTWhTAmQ7tl2KeoiWGPlZqQxSrmfPwDl2dU=")


def test_the_other_hash_gives_what_kafkas_tool_gives() -> None:
    assert SHA_512.stored_key(b"\x60\x21").hex() == (
        "7176a349f91eb2e11d99e95730813516f2f64573dfc25ae618acaae9a8bfd66c"
        "ba1a74019002d38837e3f1bcac880015b32b23775e71a56dac1226a9a4b3b1bd"
    )
    assert SHA_512.server_key(b"\x60\x21").hex() == (
        "4c617c0eddee5ac6585f2fbf501b7ce95b470d6bf01f1b549c263c18a1b5406e"
        "a6b85f48d3c7d9dcc43472ea70459dae63a28af4835a6478b83b11c20f060c07"
    )


def test_mechanisms_have_the_numbers_of_their_records() -> None:
    assert [(one.number, one.name) for one in SCRAM_MECHANISMS] == [
        (1, "SCRAM-SHA-256"),
        (2, "SCRAM-SHA-512"),
    ]
