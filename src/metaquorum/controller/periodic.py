"""What nobody asks for, done from time to time or once in rounds: how often, and how."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from metaquorum.base.clock import Millis
from metaquorum.controller.agenda import Work
from metaquorum.controller.config import ControllerConfig
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import InTurns, Turns
from metaquorum.records.metadata_record import MetadataRecord

Round = Callable[[PlanContext, int], Iterator[Sequence[MetadataRecord]]]


ROUNDS: Final = (
    *(Work.PREFERRED_ELECTIONS, Work.UNCLEAN_ELECTIONS, Work.OFFLINE_ELECTIONS),
    Work.EXPIRED_TOKENS,
)


def intervals_ms(config: ControllerConfig) -> Mapping[Work, Millis]:
    """How long after the end of one round the next one begins, for each kind that is repeated.

    Partitions without a leader are looked at once, when a controller becomes active.
    """
    found = {Work.UNCLEAN_ELECTIONS: config.unclean_leader_election_interval_ms}
    if config.leader_rebalance_enable:
        found[Work.PREFERRED_ELECTIONS] = config.leader_imbalance_check_interval_ms
    if config.token_secret is not None:
        found[Work.EXPIRED_TOKENS] = config.token_expiry_check_interval_ms
    return found


def round_of(work: Work, context: PlanContext) -> InTurns:
    """One round, over all partitions or tokens. Where all is well no partition is looked at."""
    from metaquorum.controller.managers import delegation_tokens, leader_elections

    rounds: Final[dict[Work, Round]] = {
        Work.PREFERRED_ELECTIONS: leader_elections.preferred_elections,
        Work.UNCLEAN_ELECTIONS: leader_elections.unclean_elections,
        Work.OFFLINE_ELECTIONS: leader_elections.offline_elections,
        Work.EXPIRED_TOKENS: delegation_tokens.removals_of_expired,
    }

    def turns() -> Turns:
        yield from rounds[work](context, context.view.partition_counts.all)
        return None

    return InTurns(turns())
