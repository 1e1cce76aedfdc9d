"""Uuids in Kafka's text, and which of them are never handed out."""

import pytest

from metaquorum.base.ids import is_never_drawn, is_reserved, parse_uuid, random_uuid, uuid_text


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
    assert is_reserved(bytes(8) + b"\xff" * 8)  # below zero, as Java reads it


def test_an_id_with_a_dash_in_front_is_valid_and_never_drawn() -> None:
    dashed = b"\xf8" + bytes(15)
    assert uuid_text(dashed).startswith("-")
    assert is_never_drawn(dashed) and not is_reserved(dashed)
    assert is_never_drawn(bytes(16))
