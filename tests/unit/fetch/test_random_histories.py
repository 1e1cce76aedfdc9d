"""Sessions against full fetches, and against a second, simpler telling of the rules."""

from __future__ import annotations

from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from metaquorum.base.limits import FETCH_SESSION_EVICTION_MS
from tests.unit.fetch.fetch_world import (
    IDS,
    NAMES,
    FetchWorld,
    Place,
    Row,
    fetch_request,
    rows_of,
)

PLACES: list[Place] = [("a", 0), ("a", 1), ("b", 0), ("c", 0)]
place = st.sampled_from(PLACES)
offset = st.integers(0, 4)
wanted = st.dictionaries(place, offset, max_size=4)
version = st.sampled_from([NAMES, IDS])
limit = st.sampled_from([0, 100, 170, 1 << 20])

change = st.one_of(
    st.tuples(st.just("append"), place, st.booleans()),
    st.tuples(st.just("truncate"), place, offset),
    st.tuples(st.just("vanish"), place, st.none()),
    st.tuples(st.just("fetch"), wanted, st.tuples(st.lists(place, max_size=1), limit)),
)


def apply(world: FetchWorld, kind: str, where: Place, what: object) -> None:
    """Something that happens to a log."""
    if kind == "append":
        world.append(where, b"some words", commit=bool(what))
    elif kind == "vanish":
        world.logs.pop(where, None)
    elif where in world.logs and isinstance(what, int):
        log = world.logs[where]
        log.start_offset = max(log.start_offset, min(what, log.high_watermark))


@settings(max_examples=80, deadline=None)
@given(wanted, version, st.lists(change, max_size=12))
def test_incremental_fetches_give_the_same_state_as_full_fetches(first, version, changes):
    """Records come at once, never later; all else is as told last where it is not told again."""
    world = FetchWorld()
    for one in PLACES[:3]:
        world.append(one, b"some words")
    opened = world.fetch(fetch_request(0, 0, first, version=version), version)
    session_id, epoch, wants = opened.session_id, 1, dict(first)
    known = {one: row[:3] for one, row in rows_of(opened)}
    for kind, what, more in changes:
        if kind != "fetch":
            apply(world, kind, what, more)
            continue
        forgotten, max_bytes = more
        wants.update(what)
        wants = {one: at for one, at in wants.items() if one not in forgotten}
        if not wants:
            return
        request = fetch_request(
            session_id, epoch, what, forgotten, version=version, max_bytes=max_bytes
        )
        told = rows_of(world.fetch(request, version))
        full = fetch_request(0, -1, wants, version=version, max_bytes=max_bytes)
        whole = dict(rows_of(world.fetch(full, version)))
        known = {one: row for one, row in known.items() if one in wants}
        known |= {one: row[:3] for one, row in told}
        assert known == {one: row[:3] for one, row in whole.items()}
        assert {one: row[3] for one, row in told if row[3]} == {
            one: row[3] for one, row in whole.items() if row[3]
        }
        brought = [one for one, row in told if row[3]]
        wants = {one: at for one, at in wants.items() if one not in brought} | {
            one: wants[one] for one in brought
        }
        epoch += 1


@define
class ToldSession:
    """The model of a session: lists and dicts, walked from end to end."""

    epoch: int
    is_replica: bool
    version: int
    created: int
    used: int
    wants: dict[Place, int]
    told: dict[Place, Row | None] = field(factory=dict)


SLOTS = 3


class Sessions(RuleBasedStateMachine):
    """Clients of every kind, honest and not, against a cache of three slots."""

    def __init__(self) -> None:
        super().__init__()
        self.world = FetchWorld(slots=SLOTS)
        self.model: dict[int, ToldSession] = {}
        self.gone: list[int] = [17]
        self.evictions = 0
        for one in PLACES[:3]:
            self.world.append(one, b"some words")

    def rows_now(self, wants: dict[Place, int], version: int) -> list[tuple[Place, Row]]:
        return rows_of(self.world.fetch(fetch_request(0, -1, wants, version=version), version))

    def drop(self, session_id: int) -> None:
        if self.model.pop(session_id, None) is not None:
            self.gone.append(session_id)

    def room_for(self, is_replica: bool, size: int) -> bool:
        """The rules of the KIP, one after the other."""
        if len(self.model) < SLOTS:
            return True
        now = self.world.now
        idle = min(self.model, key=lambda one: (self.model[one].used,))
        if now - self.model[idle].used > FETCH_SESSION_EVICTION_MS:
            self.drop(idle)
            self.evictions += 1
            return True
        least: tuple[bool, int, int] | None = None
        for session_id, old in self.model.items():
            is_old = now - old.created > FETCH_SESSION_EVICTION_MS
            if is_old or (is_replica and not old.is_replica):
                mark = (old.is_replica, len(old.wants), session_id)
                least = mark if least is None else min(least, mark)
        if least is None or least[:2] >= (is_replica, size):
            return False
        self.drop(least[2])
        self.evictions += 1
        return True

    @rule(wants=wanted, version=version, is_replica=st.booleans(), old=st.integers(0, 9))
    def full(self, wants: dict[Place, int], version: int, is_replica: bool, old: int) -> None:
        """A full request, perhaps in place of a session that was or is another's."""
        self.world.now += 1
        ids = [0, *self.model, *self.gone]
        closing = ids[old % len(ids)]
        self.drop(closing)
        rows = self.rows_now(wants, version)
        is_preallocated = self.room_for(is_replica, len(wants))
        request = fetch_request(closing, 0, wants, version=version)
        answer = self.world.fetch(request, version, is_replica=is_replica)
        assert answer.error_code == 0
        assert rows_of(answer) == rows
        assert (answer.session_id > 0) == is_preallocated
        if is_preallocated:
            assert answer.session_id not in self.model
            now = self.world.now
            session = ToldSession(1, is_replica, version, now, now, dict(wants))
            session.told = {one: _remembered(row) for one, row in rows}
            self.model[answer.session_id] = session

    @precondition(lambda self: self.model)
    @rule(which=st.integers(0, 9), wants=wanted, forgotten=st.lists(place, max_size=1))
    def incremental(self, which: int, wants: dict[Place, int], forgotten: list[Place]) -> None:
        """The next request of a session, as it ought to be."""
        self.world.now += 1
        session_id = list(self.model)[which % len(self.model)]
        session = self.model[session_id]
        request = fetch_request(
            session_id, session.epoch, wants, forgotten, version=session.version
        )
        session.epoch, session.used = session.epoch + 1, self.world.now
        session.wants.update(wants)
        for one in forgotten:
            session.wants.pop(one, None)
            session.told.pop(one, None)
        answer = self.world.fetch(request, session.version)
        assert answer.error_code == 0
        if not session.wants:
            self.drop(session_id)
            assert (answer.session_id, [one for one, _ in rows_of(answer)]) == (0, list(wants))
            return
        assert answer.session_id == session_id
        now = self.rows_now(session.wants, session.version)
        news = [
            (one, row)
            for one, row in now
            if row[0] or row[3] or session.told.get(one) != _remembered(row)
        ]
        assert rows_of(answer) == news
        for one, row in news:
            session.told[one] = _remembered(row)
            if row[3]:
                session.wants[one] = session.wants.pop(one)

    @rule(which=st.integers(0, 9), shift=st.sampled_from([-2, -1, 1, 7]))
    def lie_about_the_epoch(self, which: int, shift: int) -> None:
        """Refused, and the session is none the worse for it."""
        ids = [*self.model, *self.gone]
        session_id = ids[which % len(ids)]
        session = self.model.get(session_id)
        epoch = 5 if session is None else session.epoch + shift
        if epoch in (0, -1):
            return
        answer = self.world.fetch(fetch_request(session_id, epoch, {PLACES[0]: 0}))
        assert answer.error_code == (70 if session is None else 71)
        assert (answer.session_id, list(answer.responses)) == (0, [])

    @precondition(lambda self: self.model)
    @rule(which=st.integers(0, 9))
    def speak_in_the_other_family(self, which: int) -> None:
        """Names where there are ids, or ids where there are names."""
        session_id = list(self.model)[which % len(self.model)]
        session = self.model[session_id]
        other = NAMES if session.version == IDS else IDS
        answer = self.world.fetch(fetch_request(session_id, session.epoch, version=other), other)
        assert (answer.error_code, answer.session_id) == (106, 0)

    @rule(which=st.integers(0, 9))
    def close(self, which: int) -> None:
        """By any client that knows the id; twice is no matter."""
        ids = [*self.model, *self.gone]
        session_id = ids[which % len(ids)]
        self.drop(session_id)
        answer = self.world.fetch(fetch_request(session_id, -1))
        assert (answer.error_code, answer.session_id) == (0, 0)

    @rule(kind=st.sampled_from(["append", "truncate", "vanish"]), where=place, what=offset)
    def log_changes(self, kind: str, where: Place, what: int) -> None:
        """Logs grow, lose their beginnings, disappear and come back."""
        apply(self.world, kind, where, what)

    @rule(pause=st.sampled_from([1_000, 60_000, FETCH_SESSION_EVICTION_MS]))
    def time_passes(self, pause: int) -> None:
        """Sessions grow idle and old."""
        self.world.now += pause

    @invariant()
    def the_books_agree(self) -> None:
        """The same sessions, of the same size, in the same epochs; so many evictions."""
        cache = self.world.cache
        cache.check()
        assert len(cache) == len(self.model)
        assert cache.evictions == self.evictions
        for session_id, told in self.model.items():
            session = cache.find(session_id)
            assert session is not None
            assert (session.epoch, len(session)) == (told.epoch, len(told.wants))


def _remembered(row: Row) -> Row | None:
    """What a session keeps of a row: nothing of an error."""
    return None if row[0] else (*row[:3], b"")


TestSessions = Sessions.TestCase
TestSessions.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
