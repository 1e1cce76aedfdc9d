"""The slow walk agrees with the decoders: what they refuse it refuses too, and says where."""

from __future__ import annotations

from random import Random

import pytest

from metaquorum.wire.errors import DecodeError
from metaquorum.wire.place import _Walk
from metaquorum.wire.registry import Codec
from metaquorum.wire.shape import read_shape
from tests.unit.wire.random_messages import Maker, all_codecs, versions_of

FLIPS = 24


def walks(codec: Codec, data: bytes, version: int) -> bool:
    shape = read_shape(codec.SHAPE)
    try:
        _Walk(data, version, shape).struct(shape.top, codec.NAME, 0)
    except DecodeError:
        return False
    return True


def check(codec: Codec, data: bytes, version: int) -> None:
    try:
        codec.decode(data, version)
    except DecodeError as error:
        assert not walks(codec, data, version), (version, data.hex(), str(error))
        assert error.path.startswith(codec.NAME)
        assert 0 <= error.at <= len(data)
        assert "cannot be decoded" not in error.why
    else:
        assert walks(codec, data, version), (version, data.hex())


@pytest.mark.parametrize("codec", all_codecs(), ids=lambda codec: codec.NAME)
def test_decoder_and_walk_agree_on_damaged_bytes(codec: Codec) -> None:
    random = Random(codec.NAME)
    maker = Maker(codec, random)
    for version in versions_of(codec):
        data = codec.encode(maker.message(version), version)
        check(codec, data, version)
        for _ in range(FLIPS):
            if not data:
                break
            at = random.randrange(len(data))
            check(codec, data[:at], version)
            changed = random.choice((0, 1, 127, 128, 255, data[at] ^ 1 << random.randrange(8)))
            check(codec, data[:at] + bytes([changed]) + data[at + 1 :], version)
            check(codec, data[:at] + data[at + 1 :], version)
            check(codec, data[:at] + b"\x80\x00" + data[at + 1 :], version)  # zero, too long
