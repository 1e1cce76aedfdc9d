"""A header that is known by the one before it means what it would mean if it were read."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from metaquorum.base.limits import LAST_HEADER_BYTES
from metaquorum.server.contract.last_header import LastHeader
from metaquorum.wire.errors import DecodeError
from metaquorum.wire.headers import RequestHeader, put_request_header, read_request_header

# Version 0 of ControlledShutdown has no client id; ListGroups is flexible from version 3 on.
KINDS = [(7, 0), (7, 1), (16, 2), (16, 3), (49, 0), (49, 1)]


def frame_of(kind: tuple[int, int], correlation: int, name: str | None, tags, body: bytes) -> bytes:
    flexible = kind in ((16, 3), (49, 1))
    parts: list[bytes] = []
    header = RequestHeader(*kind, correlation, name, tags if flexible else ())
    put_request_header(parts, header)
    return b"".join(parts) + body


frames = st.builds(
    frame_of,
    st.sampled_from(KINDS),
    st.integers(-(1 << 31), (1 << 31) - 1),
    st.sampled_from([None, "", "a", "ab", "bench"]),
    st.sampled_from([(), ((1, b"x"),)]),
    st.sampled_from([b"", b"\x00", b"body"]),
)
cuts = st.one_of(st.just(0), st.integers(1, 16))


@given(st.lists(st.tuples(frames, cuts), max_size=12))
def test_what_is_found_again_is_what_reading_finds(sent):
    last = LastHeader()
    for whole, cut in sent:
        frame = whole[: len(whole) - cut]
        try:
            read = read_request_header(frame)
        except DecodeError:
            read = None
        found = last.again(frame)
        assert found is None or found == read
        if found is None and read is not None:
            last.keep(frame, *read)
            assert last.again(frame) == read


def test_the_same_head_is_found_again_whatever_its_number_and_its_body():
    last, first = LastHeader(), frame_of((49, 1), 1, "a", (), b"body")
    last.keep(first, *read_request_header(first))
    second = frame_of((49, 1), -2, "a", (), b"another")
    assert last.again(second) == (RequestHeader(49, 1, -2, "a"), len(second) - len(b"another"))
    assert last.again(frame_of((49, 0), 3, "a", (), b"")) is None
    assert last.again(frame_of((49, 1), 3, "b", (), b"")) is None


def test_a_long_head_is_read_each_time():
    last, frame = LastHeader(), frame_of((49, 1), 1, "a" * LAST_HEADER_BYTES, (), b"")
    last.keep(frame, *read_request_header(frame))
    assert last.again(frame) is None
