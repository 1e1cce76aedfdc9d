"""Uuids in Kafka's text, and which of them are never handed out."""

import pytest

from metaquorum.base.ids import is_reserved, parse_uuid, random_uuid, uuid_text


def test_a_uuid_survives_its_text():
    raw = bytes(range(16))
    assert uuid_text(raw) == "AAECAwQFBgcICQoLDA0ODw"
    assert parse_uuid(uuid_text(raw)) == raw


@pytest.mark.parametrize("text", ["", "short", "AAECAwQFBgcICQoLDA0ODw==extra", "ä" * 22])
def test_what_is_no_uuid_is_named(text: str):
    with pytest.raises(ValueError, match="uuid"):
        parse_uuid(text)


def test_a_random_uuid_is_of_version_four():
    raw = random_uuid(b"\xff" * 16)
    assert raw[6] >> 4 == 4 and raw[8] >> 6 == 0b10


def test_reserved_ids_and_those_like_an_option_are_drawn_again():
    assert is_reserved(bytes(16))
    assert is_reserved(bytes(15) + b"\x63")
    assert not is_reserved(bytes(15) + b"\x64")
    assert is_reserved(b"\xf8" + bytes(15))
