"""A TLS record of which only a part has come: nobody but the socket knows how much."""

from __future__ import annotations

from random import Random

import pytest

from metaquorum.server.sockets.tls_socket import RecordInPart
from tests.unit.server.tls_talk import TlsContexts, TlsTalk

HEAD_BYTES = 5


@pytest.fixture(scope="module")
def contexts(tmp_path_factory):
    return TlsContexts.made_in(tmp_path_factory.mktemp("keys"))


def test_bytes_of_a_record_in_part_are_counted(contexts):
    talk, plain = TlsTalk(contexts), bytes(range(256)) * 150
    sent = talk.enciphered(plain)
    first = HEAD_BYTES + int.from_bytes(sent[3:5], "big")
    assert talk.ours.undeciphered_bytes == 0
    talk.theirs.send(sent[: first + 600])
    read = talk.read_by_server()
    assert 0 < len(read) < first
    assert talk.ours.undeciphered_bytes == 600
    talk.theirs.send(sent[first + 600 :])
    assert read + talk.read_by_server() == plain
    assert talk.ours.undeciphered_bytes == 0


@pytest.mark.parametrize("most", [1, 2, 5, 7, 30, 400])
def test_records_may_come_in_pieces_of_any_size(most):
    random, part = Random(most), RecordInPart()
    sizes = [random.randrange(100) for _ in range(200)]
    stream = b"".join(b"\x17\x03\x03" + size.to_bytes(2, "big") + bytes(size) for size in sizes)
    ends = {0}
    for size in sizes:
        ends.add(max(ends) + HEAD_BYTES + size)
    at = 0
    while at < len(stream):
        piece = stream[at : at + random.randint(1, most)]
        part.feed(piece)
        at += len(piece)
        assert part.came_bytes == at - max(end for end in ends if end <= at)
