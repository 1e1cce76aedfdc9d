"""When the log is looked at for what may go, and letting it go (KIP-630)."""

from __future__ import annotations

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.offsets import Offset
from metaquorum.quorum.effects import DropPrefix, Effect, MeasureLog
from metaquorum.quorum.events import LogMeasured
from metaquorum.quorum.retention import followers_start, kafkas_start, leaders_start
from metaquorum.quorum.roles.follower import Follower
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.state import ReplicaState


def cleaning_deadline(replica: ReplicaState) -> Millis:
    """When the log is looked at next; never while nothing may go, or without a rule."""
    if replica.config.retention is None or not replica.log.snapshots:
        return NEVER
    return replica.cleaned_ms + replica.config.cleaning_interval_ms


def look_for_old_parts(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    """Have the host measure the log; what follows from it comes with ``LogMeasured``."""
    if replica.config.retention is not None:
        replica.cleaned_ms = now
        out.append(MeasureLog())


def on_log_measured(
    replica: ReplicaState, event: LogMeasured, now: Millis, out: list[Effect]
) -> None:
    """Let go of what the rule no longer keeps."""
    rule, log, role = replica.config.retention, replica.log, replica.role
    if rule is None:
        return
    if rule.start_lag_max_ms is None:
        start = kafkas_start(rule, log.start, log.snapshots, event.measured)
    elif isinstance(role, Leader):
        start = leaders_start(
            rule.start_lag_max_ms,
            log.start,
            log.snapshots,
            _live_ends(replica, role, now),
            event.measured,
        )
    else:
        return
    drop_prefix(replica, start, out)


def follow_leaders_start(replica: ReplicaState, leaders: Offset, out: list[Effect]) -> None:
    """A leader said where its log starts: by KIP-630's rule ours may start there as well."""
    rule, log = replica.config.retention, replica.log
    if rule is None or rule.start_lag_max_ms is None or not isinstance(replica.role, Follower):
        return
    drop_prefix(replica, followers_start(log.start, leaders, log.snapshots), out)


def drop_prefix(replica: ReplicaState, before: Offset, out: list[Effect]) -> None:
    """Start the log at ``before``, unless that is no news or not known to be committed yet.

    After a start the watermark has to be heard again before anything goes (KAFKA-14238).
    """
    committed = replica.log.high_watermark
    if committed is not None and replica.log.start < before <= committed:
        replica.log = replica.log.dropped(before)
        out.append(DropPrefix(replica.next_ticket(), before))


def _live_ends(replica: ReplicaState, role: Leader, now: Millis) -> list[Offset]:
    """The log ends of everybody who fetched lately, observers too.

    Voters that this leader has not heard since it was elected count as live, with nothing
    replicated, for as long: it cannot know yet that they are gone.
    """
    expiry_ms = replica.config.observer_expiry_ms
    heard = role.progress.replicas.values()
    ends = [one.end for one in heard if now - one.last_fetch_ms < expiry_ms]
    if now - replica.since_ms < expiry_ms:
        others = (one for one in replica.voters.latest if not one.key.covers(replica.config.key))
        ends += [0 for one in others if role.progress.of_voter(one.key) is None]
    return ends
