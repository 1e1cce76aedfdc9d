"""Answers that are found by their questions."""

from __future__ import annotations

from metaquorum.server.contract.known_answers import KnownAnswers

HEAD, BODY = b"\x00\x12\x00\x04", b"the rest of the question"


def question(correlation: int, body: bytes = BODY) -> bytes:
    return HEAD + correlation.to_bytes(4, "big") + body


def framed(frame: bytes) -> bytes:
    return len(frame).to_bytes(4, "big") + frame


def answer(correlation: int) -> bytes:
    return framed(correlation.to_bytes(4, "big") + b"the answer")


def test_an_answer_is_found_for_any_correlation_id_and_bears_the_new_one():
    known, features = KnownAnswers(), object()
    known.keep(question(1), features, answer(1))
    assert known.find(framed(question(77)), features) == answer(77)


def test_another_question_or_other_features_are_not_known():
    known, features = KnownAnswers(), object()
    known.keep(question(1), features, answer(1))
    assert known.find(framed(question(1, b"another")), features) is None
    assert known.find(framed(question(1)), object()) is None


def test_a_frame_whose_size_says_otherwise_is_not_known():
    known, features = KnownAnswers(), object()
    known.keep(question(1), features, answer(1))
    frame = question(1)
    for size in (0, len(frame) - 1, len(frame) + 1):
        assert known.find(size.to_bytes(4, "big") + frame, features) is None
    for cut in range(len(frame) + 4):
        assert known.find(framed(frame)[:cut], features) is None


def test_it_holds_no_more_than_so_many_and_no_long_question():
    known, features = KnownAnswers(), object()
    for number in range(1_000):
        known.keep(question(1, str(number).encode()), features, answer(1))
        assert len(known) <= 64
    known = KnownAnswers()
    known.keep(question(1, bytes(1_000)), features, answer(1))
    assert len(known) == 0
