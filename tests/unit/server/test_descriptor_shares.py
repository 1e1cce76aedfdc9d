"""How file descriptors are shared out, and who makes way when connections have all of theirs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import LEAST_CONNECTION_DESCRIPTORS, UNPROVEN_VOTER_MS
from metaquorum.server.sockets.descriptors import LEAST_DESCRIPTORS, Descriptors, DescriptorShares
from metaquorum.server.sockets.voter_connections import VoterConnections


@pytest.mark.parametrize("limit", [LEAST_DESCRIPTORS, 256, 1_024, 4_096, 65_536])
def test_files_links_metrics_and_voters_have_a_part_of_every_limit(limit):
    shares = DescriptorShares.of(limit)
    assert shares.reserved + shares.connections == limit
    assert shares.connections - shares.voters >= LEAST_CONNECTION_DESCRIPTORS
    assert min(shares.files, shares.links, shares.voters) >= 32 and shares.metrics >= 8


def test_a_limit_that_is_too_low_is_named_with_the_one_that_is_needed():
    with pytest.raises(OperatorError, match=f"is 159, and a node needs {LEAST_DESCRIPTORS} at"):
        DescriptorShares.of(LEAST_DESCRIPTORS - 1)


def test_a_log_of_many_segments_takes_descriptors_from_connections():
    shares = DescriptorShares.of(1_024)
    assert shares.connections_beside(100) == shares.connections
    assert shares.connections_beside(400) == shares.connections - (400 + 48 - shares.files)
    assert shares.connections_beside(5_000) == 0
    shares.check(400)
    with pytest.raises(OperatorError, match="with 900 open files of logs and snapshots needs"):
        shares.check(900)


def test_clients_may_not_take_the_part_of_the_voters():
    files = [10]
    descriptors = Descriptors(DescriptorShares.of(256), lambda: files[0])
    assert descriptors.connections - descriptors.client_connections == 32
    files[0] = 1_000
    assert descriptors.client_connections == 0


class Host:
    """As much of a connection's host as is looked at."""

    def __init__(self, last_active: int) -> None:
        self.connection = SimpleNamespace(last_active=last_active)


def host(last_active: int = 0) -> Any:
    return Host(last_active)


def test_the_oldest_connection_that_is_not_a_voters_is_closed_first():
    kept = VoterConnections()
    voter, stranger, later = host(), host(), host()
    for now, one in enumerate((voter, stranger, later)):
        kept.add(one, "10.0.0.1", now)
    kept.spoke_as_voter(voter, "10.0.0.1")
    assert kept.next_to_go() == (stranger, 1)
    kept.left(stranger, "10.0.0.1", is_voter=False)
    assert kept.next_to_go() == (later, 2)


def test_who_comes_from_where_a_voter_is_goes_after_strangers():
    kept = VoterConnections()
    voter, beside, stranger = host(), host(), host()
    kept.add(voter, "10.0.0.1", 0)
    kept.spoke_as_voter(voter, "10.0.0.1")
    kept.add(beside, "10.0.0.1", 1)
    kept.add(stranger, "10.0.0.2", 2)
    assert kept.next_to_go() == (stranger, 2)
    kept.left(stranger, "10.0.0.2", is_voter=False)
    assert kept.next_to_go() == (beside, 1)


def test_among_those_that_spoke_as_voters_the_most_silent_goes():
    kept = VoterConnections()
    busy, silent = host(last_active=900), host(last_active=5)
    for one in (busy, silent):
        kept.add(one, "10.0.0.1", 0)
        kept.spoke_as_voter(one, "10.0.0.1")
    assert kept.next_to_go() == (silent, 5)


def test_who_just_came_has_a_moment_to_say_who_it_is():
    kept = VoterConnections()
    assert kept.pause(100) == 0
    kept.add(host(), "10.0.0.1", 100)
    assert kept.pause(105) == UNPROVEN_VOTER_MS - 5
    assert kept.pause(100 + UNPROVEN_VOTER_MS) == 0


def test_once_there_is_room_for_clients_nobody_has_to_go():
    kept = VoterConnections()
    kept.add(host(), "10.0.0.1", 0)
    kept.keep_all()
    assert kept.next_to_go() is None
