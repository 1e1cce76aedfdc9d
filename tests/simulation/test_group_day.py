"""Consumer groups for a day of virtual time: nothing is left out, and little is read twice."""

from __future__ import annotations

import pytest
from attrs import define, field

from metaquorum.groups.classic import ClassicGroups
from metaquorum.groups.consumer import ConsumerGroups
from tests.simulation.group_day import Client, Day, Wrong
from tests.simulation.group_members import ClassicMember, ConsumerMember

MINUTE_MS = 60_000
DAY_MS = 24 * 60 * MINUTE_MS
KINDS = {
    "first": ClassicMember,
    "second": ClassicMember,
    "third": ConsumerMember,
    "fourth": ConsumerMember,
}
MEMBERS = 4


Member = ClassicMember | ConsumerMember


@define(eq=False)
class ManyClients:
    """Members of some groups, who come and go until it is calm."""

    day: Day
    clients: dict[str, list[tuple[Client, Member]]] = field(factory=dict)

    def begin(self) -> None:
        for group in KINDS:
            self.clients[group] = []
            for _ in range(MEMBERS):
                self.one_more(group)
        self.day.at(20_000, self.turn_over)

    def one_more(self, group: str) -> None:
        member = KINDS[group](self.day, group, is_hasty=self.day.chance.random() < 0.5)
        client = Client(self.day, member.life)
        self.clients[group].append((client, member))
        self.day.at(self.day.chance.randrange(5_000), client.begin)

    def turn_over(self) -> None:
        """One goes, with or without a word, and another comes."""
        if self.day.is_calm:
            return
        chance = self.day.chance
        group = chance.choice(list(KINDS))
        client, member = self.clients[group].pop(chance.randrange(MEMBERS))
        client.end()
        if member.member and chance.random() < 0.5:
            Client(self.day, member.farewell()).begin()
        self.one_more(group)
        self.day.at(chance.choice([10_000, 60_000, 300_000]), self.turn_over)

    def owners(self, group: str) -> list[Member]:
        """Who reads now, as far as they know."""
        newest = self.day.journal(group).newest_term
        owner = self.day.journal(group).owners.get(newest)
        return [one for _, one in self.clients[group] if one.member == owner]


def lived(seed: int, for_ms: int) -> tuple[Day, ManyClients]:
    day = Day(seed)
    many_clients = ManyClients(day)
    many_clients.begin()
    day.run(for_ms)
    return day, many_clients


def assert_well(day: Day, many_clients: ManyClients, for_ms: int) -> None:
    """After a while of calm everybody has read all, and there was something to get wrong."""
    day.is_calm = True
    day.run(10 * MINUTE_MS)
    for group in KINDS:
        journal = day.journal(group)
        assert journal.read_until == day.log_end == journal.acknowledged, (group, journal)
        assert len(many_clients.owners(group)) == 1
        assert journal.rounds > for_ms // (10 * MINUTE_MS)
    assert day.counts["fail-overs"] > 0 and day.counts["hangs"] > 0
    assert sum(one.read_again for one in day.journals.values()) > 0


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_in_an_hour_no_record_is_missed_or_repeated_without_need(seed: int) -> None:
    day, many_clients = lived(seed, 60 * MINUTE_MS)
    assert_well(day, many_clients, 60 * MINUTE_MS)


@pytest.mark.slow
def test_the_same_seed_is_the_same_day() -> None:
    first, _ = lived(4, 20 * MINUTE_MS)
    again, _ = lived(4, 20 * MINUTE_MS)
    other, _ = lived(5, 20 * MINUTE_MS)
    assert first.counts == again.counts and first.coordinators.log == again.coordinators.log
    assert first.coordinators.log != other.coordinators.log


@pytest.mark.slow
@pytest.mark.parametrize(
    ("protocol", "check"), [(ClassicGroups, "check_commit"), (ConsumerGroups, "check_offsets")]
)
def test_a_commit_of_a_member_that_was_replaced_would_be_noticed(
    monkeypatch: pytest.MonkeyPatch, protocol: type, check: str
) -> None:
    monkeypatch.setattr(protocol, check, lambda *arguments, **fields: None)
    with pytest.raises(Wrong):
        for seed in range(1, 6):
            lived(seed, 2 * 60 * MINUTE_MS)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("seed", [7, 8])
def test_in_a_day_no_record_is_missed_or_repeated_without_need(seed: int) -> None:
    day, many_clients = lived(seed, DAY_MS)
    assert_well(day, many_clients, DAY_MS)
