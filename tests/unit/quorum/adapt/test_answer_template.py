"""An answer that is written by the last one has the bytes that it would have had by itself."""

from __future__ import annotations

import random
from typing import Any

import pytest
from attrs import evolve

from metaquorum.base.limits import ENCODED_ANSWER_BYTES, LAST_FETCH_TRIES
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum import adapt
from metaquorum.quorum.adapt import fetch as adapt_fetch
from metaquorum.quorum.adapt.fetch import AnswerTemplate
from metaquorum.quorum.messages import FetchResponse, Hint, LogSlice, Refused
from metaquorum.quorum.types import Endpoint, SnapshotId
from metaquorum.wire.generated import fetch_request, fetch_response
from metaquorum.wire.slices import FileSlice, SliceChain

FETCH = 1
HINTS = (
    Hint(1, 5, (Endpoint("CONTROLLER", "localhost", 9093),)),
    Hint(2, 6, (Endpoint("CONTROLLER", "a-host-with-a-longer-name", 19_093),)),
    Hint(None, 6),
)
SIZES = (0, 1, 125, 126, 127, 128, 129, 16_381, 16_382, 16_383, 16_384, ENCODED_ANSWER_BYTES)


class Records:
    """What is found in the log: each slice is the bytes that stand under its first offset."""

    def __init__(self) -> None:
        self.found: dict[int, Any] = {}

    def put(self, found: Any) -> LogSlice:
        self.found[len(self.found)] = found
        return LogSlice(len(self.found) - 1, 1 << 40, 1 << 20)

    def resolve(self, piece: Any) -> Any:
        return self.found[piece.first]


class World:
    def __init__(self, version: int) -> None:
        self.version = version
        self.records = Records()
        self.context = adapt.AnswerContext("CONTROLLER", self.records.resolve)
        self.request = fetch_request.FetchRequest()
        self.last: AnswerTemplate = adapt.fetch_answer_template(version, self.context)

    def plainly(self, response: FetchResponse) -> bytes:
        """As everything else is encoded."""
        answer = adapt.write_response(FETCH, self.version, self.request, response, self.context)
        return fetch_response.encode(answer, self.version)

    def told(self, response: FetchResponse) -> bytes | None:
        body = self.last.body(response)
        if body is None:
            self.last.keep(response)
        return body


def drawn(chance: random.Random, records: Records) -> FetchResponse:
    """Mostly the same answer of a log that has grown."""
    size = chance.choice(SIZES)
    pieces = tuple(chance.randbytes(size // parts) for parts in (1, 2, 3)[: chance.randrange(1, 4)])
    if sum(map(len, pieces)) > ENCODED_ANSWER_BYTES:
        pieces = pieces[:1]
    response = FetchResponse(
        0,
        chance.choices(HINTS, (20, 2, 1))[0],
        high_watermark=chance.choice([-1, 0, 255, chance.randrange(1 << 62), (1 << 63) - 1]),
        log_start=0 if chance.random() < 0.9 else chance.randrange(1 << 40),
        records=None if chance.random() < 0.1 else records.put(SliceChain(pieces)),
    )
    match chance.randrange(30):
        case 0:
            return evolve(response, error=74, records=None)
        case 1:
            return evolve(response, diverging=OffsetAndEpoch(3, 4), records=None)
        case 2:
            return evolve(response, snapshot=SnapshotId(7, 2), records=None)
    return response


@pytest.mark.parametrize("version", (13, 15, 16, 17, 18))
def test_both_ways_write_the_same(version: int) -> None:
    chance, world, short = random.Random(version), World(version), 0
    for number in range(300):
        if number % 50 == 0:  # another connection, before this one is given up
            world = World(version)
        response = drawn(chance, world.records)
        body = world.told(response)
        if body is not None:
            assert body == world.plainly(response)
            short += 1
    assert short > 100


def test_what_is_not_in_memory_or_is_long_is_encoded_as_ever() -> None:
    world = World(18)
    plain = FetchResponse(0, HINTS[0], high_watermark=3, log_start=0)
    for found in (
        SliceChain((b"in memory", FileSlice(3, 0, 10))),
        SliceChain((bytes(ENCODED_ANSWER_BYTES), b"more")),
        FileSlice(3, 0, 10),
    ):
        assert world.told(plain) is not None or world.told(plain) is not None
        assert world.told(evolve(plain, records=world.records.put(found))) is None
    gone = evolve(plain, records=world.records.put(None))
    assert world.told(gone) == world.plainly(gone)
    assert world.told(Refused(3)) is None
    assert world.told(plain) is not None


def encoded_by(world: World, monkeypatch: pytest.MonkeyPatch) -> list[FetchResponse]:
    """What is encoded from now on."""
    encoded: list[FetchResponse] = []
    plainly = adapt_fetch.write_response

    def counted(version, request, response, context):
        encoded.append(response)
        return plainly(version, request, response, context)

    monkeypatch.setattr(adapt_fetch, "write_response", counted)
    return encoded


def test_records_in_files_cost_no_encoding_of_their_own(monkeypatch) -> None:
    world = World(18)
    plain = FetchResponse(0, HINTS[0], high_watermark=3, log_start=0)
    world.told(plain)
    encoded = encoded_by(world, monkeypatch)
    for _ in range(3):
        piece = world.records.put(SliceChain((FileSlice(3, 0, 10),)))
        assert world.told(evolve(plain, records=piece)) is None
    assert encoded == []


def test_a_follower_whose_answers_always_differ_is_given_up(monkeypatch) -> None:
    world = World(18)
    encoded = encoded_by(world, monkeypatch)
    for log_start in range(2 * LAST_FETCH_TRIES):
        world.told(FetchResponse(0, HINTS[0], high_watermark=3, log_start=log_start))
    assert len({one.log_start for one in encoded}) == LAST_FETCH_TRIES
