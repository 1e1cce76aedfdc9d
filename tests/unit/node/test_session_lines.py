"""Lines about fetch sessions: with id and epoch, and never too many a second."""

from __future__ import annotations

from metaquorum.base.limits import SESSION_LINES_PER_SECOND
from metaquorum.fetch.session_cache import SessionCache, SessionEvent
from metaquorum.node.session_lines import SessionLines
from metaquorum.node.session_metrics import register_session_metrics
from metaquorum.observe.events import EventLog
from metaquorum.observe.metrics import Registry
from metaquorum.runtime.loop.chance import SeededChance
from metaquorum.testing.fake_services import SetClock

EVENT = SessionEvent("fetch-session-closed", 77, 5, {"reason": "asked for"})


def test_a_line_names_session_and_epoch_and_what_else_there_is():
    lines, clock = [], SetClock()
    SessionLines(EventLog(lines.append, clock.wall_ms), clock)(EVENT)
    assert lines[0].endswith(
        ' info fetch-session-closed session=77 session_epoch=5 reason="asked for"'
    )


def test_excess_session_lines_are_counted_and_left_out_each_second():
    lines, clock = [], SetClock()
    tell = SessionLines(EventLog(lines.append, clock.wall_ms), clock)
    for _ in range(SESSION_LINES_PER_SECOND + 30):
        tell(EVENT)
    assert len(lines) == SESSION_LINES_PER_SECOND
    clock.now += 1_000
    tell(EVENT)
    assert lines[-2].endswith(" fetch-session-lines-left-out count=30")
    assert len(lines) == SESSION_LINES_PER_SECOND + 2


def test_sessions_are_counted_under_kafkas_names():
    cache = SessionCache(1, SeededChance(1))
    registry = Registry()
    register_session_metrics(registry, cache)
    for now in (0, 200_000):
        cache.open((), is_privileged=False, uses_topic_ids=True, now_ms=now)
    read = {
        family.name: [sample.value for sample in family.samples] for family in registry.families()
    }
    bean = "kafka_server_fetchsessioncache_"
    assert read == {
        bean + "numincrementalfetchsessions": [1.0],
        bean + "numincrementalfetchpartitionscached": [0.0],
        bean + "incrementalfetchsessionevictions": [1.0],
        "metaquorum_fetch_sessions_held_bytes": [cache.held_bytes],
    }
