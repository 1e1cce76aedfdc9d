"""Contexts: what a request is about by session id and epoch, and what its answer lists."""

from __future__ import annotations

import pytest

from tests.unit.fetch.fetch_world import IDS, NAMES, FetchWorld, Place, fetch_request, rows_of

A, B, C = ("a", 0), ("b", 0), ("b", 1)
LAST = (1 << 31) - 1


def world_of(*places: Place) -> FetchWorld:
    world = FetchWorld()
    for place in places or (A, B, C):
        world.append(place, b"first")
    return world


def opened(world: FetchWorld, wanted: dict[Place, int], version: int = IDS, **more: bool) -> int:
    response = world.fetch(fetch_request(0, 0, wanted, version=version), version, **more)
    assert response.error_code == 0
    return response.session_id


def places(response) -> list[Place]:
    return [place for place, _ in rows_of(response)]


@pytest.mark.parametrize("version", [7, NAMES, 13, IDS])
def test_zero_and_a_final_epoch_is_a_full_fetch_without_a_session(version):
    world = world_of()
    response = world.fetch(fetch_request(0, -1, {A: 0, B: 0}, version=version), version)
    assert (response.error_code, response.session_id, places(response)) == (0, 0, [A, B])
    assert len(world.cache) == 0


@pytest.mark.parametrize("version", [7, NAMES, 13, IDS])
def test_zero_and_zero_is_a_full_fetch_that_opens_a_session(version):
    world = world_of()
    response = world.fetch(fetch_request(0, 0, {A: 0, B: 0}, version=version), version)
    assert (response.error_code, places(response)) == (0, [A, B])
    session = world.cache.find(response.session_id)
    assert (session.epoch, len(session)) == (1, 2)


def test_without_a_slot_the_full_answer_has_id_zero():
    world = FetchWorld(slots=0)
    world.append(A, b"x")
    response = world.fetch(fetch_request(0, 0, {A: 0}))
    assert (response.session_id, places(response)) == (0, [A])


def test_an_id_with_epoch_zero_closes_that_session_and_opens_another():
    world = world_of()
    first = opened(world, {A: 0})
    response = world.fetch(fetch_request(first, 0, {A: 1, C: 1}))
    assert places(response) == [A, C]
    assert world.cache.find(first) is None
    assert len(world.cache.find(response.session_id)) == 2
    assert world.cache.evictions == 0


@pytest.mark.parametrize("session_id", [17, -1, -(1 << 31), LAST])
@pytest.mark.parametrize("epoch", [0, -1])
def test_full_requests_never_fail_whatever_id_they_name(session_id, epoch):
    response = world_of().fetch(fetch_request(session_id, epoch, {A: 0}))
    assert (response.error_code, places(response)) == (0, [A])
    assert (response.session_id > 0) == (epoch == 0)


def test_an_id_with_a_final_epoch_closes_that_session():
    world = world_of()
    session_id = opened(world, {A: 0})
    response = world.fetch(fetch_request(session_id, -1))
    assert (response.error_code, response.session_id, places(response)) == (0, 0, [])
    assert len(world.cache) == 0


@pytest.mark.parametrize("version", [NAMES, IDS])
def test_without_news_an_incremental_fetch_gets_an_empty_response(version):
    world = world_of()
    session_id = opened(world, {A: 1, B: 1}, version)
    for epoch in range(1, 6):
        response = world.fetch(fetch_request(session_id, epoch), version)
        assert (response.error_code, response.session_id, places(response)) == (0, session_id, [])


def test_a_new_watermark_is_told_once():
    world = world_of()
    session_id = opened(world, {A: 1, B: 1})
    world.append(A, b"more", commit=False)
    assert places(world.fetch(fetch_request(session_id, 1))) == []
    world.append(A)
    assert rows_of(world.fetch(fetch_request(session_id, 2)))[0][0] == A
    world.fetch(fetch_request(session_id, 3, {A: 2}))
    assert places(world.fetch(fetch_request(session_id, 4))) == []


def test_a_new_log_start_is_told_once():
    world = world_of()
    session_id = opened(world, {A: 1})
    world.logs[A].start_offset = 1
    (place, (_, _, log_start, _)) = rows_of(world.fetch(fetch_request(session_id, 1)))[0]
    assert (place, log_start) == (A, 1)
    assert places(world.fetch(fetch_request(session_id, 2))) == []


def test_records_come_again_until_another_offset_is_named():
    world = world_of()
    session_id = opened(world, {A: 0})
    assert places(world.fetch(fetch_request(session_id, 1))) == [A]
    assert places(world.fetch(fetch_request(session_id, 2))) == [A]
    assert places(world.fetch(fetch_request(session_id, 3, {A: 1}))) == []


def test_naming_a_partition_again_is_no_reason_to_list_it():
    world = world_of()
    session_id = opened(world, {A: 1, B: 1})
    assert places(world.fetch(fetch_request(session_id, 1, {A: 1}))) == []


def test_of_a_partition_named_twice_the_last_word_counts():
    world = world_of()
    session_id = opened(world, {A: 1})
    twice = [(A, 0), (A, 1)]
    assert places(world.fetch(fetch_request(session_id, 1, twice))) == []
    assert places(world.fetch(fetch_request(0, -1, twice))) == [A]


def test_added_partitions_are_told_of_and_forgotten_ones_no_longer():
    world = world_of()
    session_id = opened(world, {A: 1})
    assert places(world.fetch(fetch_request(session_id, 1, {B: 1}))) == [B]
    world.append(A, b"more")
    world.append(B, b"more")
    assert places(world.fetch(fetch_request(session_id, 2, {}, [A]))) == [B]


def test_an_error_is_in_every_response_and_its_end_in_one_more():
    world = world_of(A)
    session_id = opened(world, {A: 1, B: 0})
    for epoch in (1, 2):
        assert [row[:2] for row in rows_of(world.fetch(fetch_request(session_id, epoch)))] == [
            (B, (3, -1, -1, b""))
        ]
    world.append(B)
    assert rows_of(world.fetch(fetch_request(session_id, 3))) == [(B, (0, 0, 0, b""))]
    assert places(world.fetch(fetch_request(session_id, 4))) == []


def test_an_offset_out_of_range_is_such_an_error():
    world = world_of()
    session_id = opened(world, {A: 5})
    assert rows_of(world.fetch(fetch_request(session_id, 1)))[0][1][0] == 1
    assert rows_of(world.fetch(fetch_request(session_id, 2, {A: 1})))[0] == (A, (0, 1, 0, b""))
    assert places(world.fetch(fetch_request(session_id, 3))) == []


@pytest.mark.parametrize("session_id", [0, 17, -1, -(1 << 31), LAST, 0x7FFFFFF8])
@pytest.mark.parametrize("epoch", [1, 5, LAST, -2, -(1 << 31)])
def test_an_unknown_session_is_refused_without_partitions(session_id, epoch):
    response = world_of().fetch(fetch_request(session_id, epoch, {A: 0}))
    assert (response.error_code, response.session_id, list(response.responses)) == (70, 0, [])


@pytest.mark.parametrize("epoch", [2, 7, LAST, -2, -(1 << 31)])
def test_a_wrong_epoch_is_refused_and_the_session_stays_as_it_was(epoch):
    world = world_of()
    session_id = opened(world, {A: 1, B: 1})
    response = world.fetch(fetch_request(session_id, epoch, {C: 0}, [A]))
    assert (response.error_code, response.session_id, list(response.responses)) == (71, 0, [])
    assert world.fetch(fetch_request(session_id, 1)).error_code == 0
    assert len(world.cache.find(session_id)) == 2


def test_a_request_sent_twice_is_noticed():
    world = world_of()
    session_id = opened(world, {A: 1})
    assert world.fetch(fetch_request(session_id, 1)).error_code == 0
    assert world.fetch(fetch_request(session_id, 1)).error_code == 71


@pytest.mark.parametrize(("began", "came"), [(NAMES, 13), (7, IDS), (13, NAMES), (IDS, 7)])
def test_names_and_ids_do_not_mix_in_a_session(began, came):
    world = world_of()
    session_id = opened(world, {A: 1}, began)
    response = world.fetch(fetch_request(session_id, 1, version=came), came)
    assert (response.error_code, response.session_id, list(response.responses)) == (106, 0, [])
    assert world.fetch(fetch_request(session_id, 1, version=began), began).error_code == 0


def test_the_id_is_looked_at_first_then_the_epoch_then_the_family():
    world = world_of()
    session_id = opened(world, {A: 1}, NAMES)
    assert world.fetch(fetch_request(session_id + 1, 9), IDS).error_code == 70
    assert world.fetch(fetch_request(session_id, 9), IDS).error_code == 71
    assert world.fetch(fetch_request(session_id, 1), IDS).error_code == 106


@pytest.mark.parametrize(("began", "came"), [(7, NAMES), (IDS, 13)])
def test_within_its_family_the_version_may_change(began, came):
    world = world_of()
    session_id = opened(world, {A: 1}, began)
    assert world.fetch(fetch_request(session_id, 1, version=came), came).error_code == 0


def test_after_the_largest_epoch_comes_one():
    world = world_of()
    session_id = opened(world, {A: 1})
    world.cache.find(session_id).epoch = LAST
    assert world.fetch(fetch_request(session_id, LAST)).error_code == 0
    assert world.fetch(fetch_request(session_id, 1)).error_code == 0
    assert world.fetch(fetch_request(session_id, 2)).error_code == 0


def test_a_session_that_nothing_is_left_of_is_closed():
    world = world_of()
    session_id = opened(world, {A: 1})
    response = world.fetch(fetch_request(session_id, 1, {}, [A]))
    assert (response.error_code, response.session_id, list(response.responses)) == (0, 0, [])
    assert len(world.cache) == 0
    assert world.cache.evictions == 0


def test_a_partition_listed_and_forgotten_is_answered_only_if_last():
    world = world_of()
    session_id = opened(world, {A: 1})
    response = world.fetch(fetch_request(session_id, 1, {A: 0}, [A]))
    assert (response.session_id, places(response)) == (0, [A])
    session_id = opened(world, {A: 1, B: 1})
    response = world.fetch(fetch_request(session_id, 1, {A: 0}, [A]))
    assert (response.session_id, places(response)) == (session_id, [])


def test_an_empty_full_fetch_opens_a_session_that_the_next_one_closes():
    world = world_of()
    session_id = opened(world, {})
    assert session_id > 0
    assert world.fetch(fetch_request(session_id, 1)).session_id == 0
    assert len(world.cache) == 0


def test_an_empty_session_may_be_filled_by_its_first_request():
    world = world_of()
    session_id = opened(world, {})
    assert places(world.fetch(fetch_request(session_id, 1, {A: 0}))) == [A]


def test_an_overtaken_request_is_refused_with_its_session_id():
    world = world_of()
    session_id = opened(world, {A: 1})
    slow = world.begin(fetch_request(session_id, 1))
    assert world.fetch(fetch_request(session_id, 2)).error_code == 0
    response = world.end(slow)
    assert (response.error_code, response.session_id) == (71, session_id)
    assert list(response.responses) == []


def test_what_was_never_answered_was_never_told():
    world = world_of()
    session_id = opened(world, {A: 1})
    world.append(A)
    world.logs[A].start_offset = 1
    world.begin(fetch_request(session_id, 1))
    assert places(world.fetch(fetch_request(session_id, 2))) == [A]


def test_partitions_with_records_move_to_the_end_so_all_take_turns():
    world = world_of()
    session_id = opened(world, {A: 1, B: 1, C: 1})
    for place in (A, B, C):
        world.append(place, b"x" * 40)
    seen = []
    for epoch in range(1, 7):
        response = world.fetch(fetch_request(session_id, epoch, max_bytes=1))
        seen += [place for place, row in rows_of(response) if row[3]]
    assert seen == [A, B, C, A, B, C]


def test_a_partition_with_a_new_high_watermark_only_keeps_its_place():
    world = world_of()
    session_id = opened(world, {A: 1, B: 1})
    world.append(A, b"x" * 40)
    world.append(B, b"x" * 40)
    assert places(world.fetch(fetch_request(session_id, 1, max_bytes=1))) == [A, B]
    assert rows_of(world.fetch(fetch_request(session_id, 2, max_bytes=1)))[0][0] == B


def test_a_replica_opens_a_privileged_session():
    world = world_of()
    assert world.cache.find(opened(world, {A: 1}, is_replica=True)).is_privileged
    assert not world.cache.find(opened(world, {A: 1})).is_privileged


def test_a_session_that_grows_too_large_is_not_found_from_then_on():
    world = world_of()
    session_id = opened(world, {A: 1})
    many = {("many", index): 0 for index in range(2_001)}
    assert world.fetch(fetch_request(session_id, 1, many)).error_code == 70
    assert world.fetch(fetch_request(session_id, 2)).error_code == 70
    assert len(world.cache) == 0


def test_refusals_are_told_with_id_and_epoch():
    world = world_of()
    events = []
    world.cache.tell = events.append
    session_id = opened(world, {A: 1})
    world.fetch(fetch_request(session_id, 4))
    world.fetch(fetch_request(99, 4))
    told = [(one.name, one.session_id, one.epoch, one.details.get("error")) for one in events[1:]]
    assert told == [
        ("fetch-session-refused", session_id, 4, "INVALID_FETCH_SESSION_EPOCH"),
        ("fetch-session-refused", 99, 4, "FETCH_SESSION_ID_NOT_FOUND"),
    ]
