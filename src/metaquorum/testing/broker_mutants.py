"""Known bugs of what controllers do with brokers and partitions, planted one by one.

They are shared: the explorer plants them over a few partitions, the simulator in whole clusters.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any
from unittest import mock

from attrs import evolve

from metaquorum.controller import core
from metaquorum.controller.agenda import Work
from metaquorum.controller.commands import AllocateProducerIds
from metaquorum.controller.context import PlanContext
from metaquorum.controller.managers import (
    alter_partition,
    brokers,
    heartbeats,
    producer_ids,
)
from metaquorum.controller.outcome import Outcome
from metaquorum.controller.partitions import change, facts, new, of_brokers
from metaquorum.controller.partitions.change import Election
from metaquorum.controller.plans import PLANS
from metaquorum.metadata.origin import NO_ORIGIN
from metaquorum.metadata.sharing import Sharing
from metaquorum.metadata.tables import topics as tables
from metaquorum.testing.mutants import Patched, all_of, replaced
from metaquorum.wire.generated import error_codes


def isr_kept_when_fenced() -> Patched:
    """A broker is fenced, and its partitions stay as they were."""

    def stays(context: Any, broker_id: int, **_: bool) -> Iterator[Any]:
        return iter(())

    return replaced(heartbeats, "leaves_isrs", stays)


def earlier_changes_count() -> Patched:
    """Who was taken out of its ISRs earlier in the epoch is not looked for again."""
    honest = of_brokers.leaves_isrs

    def leaves(context: Any, broker_id: int, **how: bool) -> Iterator[Any]:
        if context.contacts.left_whole(broker_id):
            return iter(())
        return honest(context, broker_id, **how)

    return replaced(heartbeats, "leaves_isrs", leaves)


def leader_epoch_is_not_raised() -> Patched:
    """A partition gets another leader in the same leader epoch."""
    honest = tables.partition_after

    def after(old: Any, *told: Any) -> Any:
        return evolve(honest(old, *told), leader_epoch=old.leader_epoch)

    return all_of(replaced(tables, "partition_after", after), _answered("leader_epoch", after))


def partition_epoch_is_not_raised() -> Patched:
    """A change that only an ISR takes leaves the partition epoch."""
    honest = tables.partition_after

    def after(old: Any, record: Any, *told: Any) -> Any:
        found = honest(old, record, *told)
        return evolve(found, partition_epoch=old.partition_epoch + (record.leader != -2))

    return all_of(replaced(tables, "partition_after", after), _answered("partition_epoch", after))


def _answered(field: str, after: Any) -> Patched:
    """AlterPartition is answered with that field as it is after the faulty change."""
    honest = alter_partition._answer

    def answer(number: int, sender: int, old: Any, record: Any) -> Any:
        found = honest(number, sender, old, record)
        if record is not None and found.error_code == error_codes.NONE:
            new = after(old, record.message, NO_ORIGIN, Sharing())
            setattr(found, field, getattr(new, field))
        return found

    return replaced(alter_partition, "_answer", answer)


def elr_is_forgotten() -> Patched:
    """Who leaves an ISR that is too small is not eligible (KIP-966 left out)."""
    return replaced(change, "_eligible", lambda *told: ())


def elr_does_not_end() -> Patched:
    """Replicas stay eligible while the ISR is large enough to go on without them."""
    honest = change._eligible

    def kept(
        topic_id: Any, old: Any, isr: Any, replicas: Any, conditions: Any, unclean: Any
    ) -> Any:
        large = evolve(conditions, settings_of=lambda _: change.TopicSettings(len(replicas)))
        return honest(topic_id, old, isr, replicas, large, unclean)

    return replaced(change, "_eligible", kept)


def fenced_brokers_are_chosen() -> Patched:
    """Any registered broker may lead, fenced or not."""

    def known(context: PlanContext, broker_id: int) -> bool:
        return context.view.brokers.get(broker_id) is not None

    return replaced(PlanContext, "is_active", known)


def new_partitions_count_with_everybody() -> Patched:
    """All replicas of a new partition are in sync, fenced ones too (KAFKA-13083)."""
    honest = new.NewPartitions.of

    def of(made: Any, topic_id: Any, first: int, placed: Any) -> Any:
        records = honest(made, topic_id, first, placed)
        for record in records:
            record.message.isr = record.message.replicas
        return records

    return replaced(new.NewPartitions, "of", of)


def older_epochs_of_followers_are_taken() -> Patched:
    """A follower comes into the ISR with the epoch of an earlier life (KIP-903 left out)."""
    honest = alter_partition._is_eligible

    def eligible(context: Any, replica: tuple[int, int]) -> bool:
        return honest(context, (replica[0], -1))

    return replaced(alter_partition, "_is_eligible", eligible)


def partition_epochs_are_not_checked() -> Patched:
    """A leader may change an ISR that it does not know (KIP-497 left out)."""
    honest = alter_partition._refusal

    def refusal(
        context: Any, sender: int, key: Any, old: Any, asked: Any, *about_epochs: Any
    ) -> int:
        if old is not None:
            asked = copy(asked)
            asked.partition_epoch = old.partition_epoch
        return honest(context, sender, key, old, asked, *about_epochs)

    return replaced(alter_partition, "_refusal", refusal)


def earlier_lives_are_heard() -> Patched:
    """The heartbeat of an earlier process counts for the one that is registered."""
    return replaced(heartbeats, "check_broker_epoch", lambda *told: None)


def earlier_lives_get_producer_ids() -> Patched:
    """A process that is not registered any more gets producer ids."""
    return replaced(producer_ids, "check_broker_epoch", lambda *told: None)


def producer_ids_overlap() -> Patched:
    """The record names less than was handed out."""
    honest = producer_ids.plan_allocate

    def plan(context: Any, command: Any) -> Outcome:
        outcome = honest(context, command)
        outcome.records[0].message.next_producer_id -= 1
        return outcome

    return mock.patch.dict(PLANS, {AllocateProducerIds: plan})


def sessions_are_not_begun_anew() -> Patched:
    """A new active controller takes all brokers for as silent as its own epoch is young."""
    honest = core.ControllerCore._ready

    def ready(controller: Any, term: Any, now: int) -> None:
        honest(controller, term, now)
        timeout_ms = controller.config.broker_session_timeout_ms
        for broker_id, broker in controller.state.live().brokers.items():
            if not broker.fenced:
                term.contacts.heard_from(broker_id, broker.epoch, now - timeout_ms - 1)

    return replaced(core.ControllerCore, "_ready", ready)


def silent_brokers_are_forgotten_with_the_term() -> Patched:
    """A new active controller waits for a first word of each broker, for ever (KAFKA-18138)."""
    honest = core.ControllerCore._ready

    def ready(controller: Any, term: Any, now: int) -> None:
        honest(controller, term, now)
        for broker_id, _ in controller.state.live().brokers.items():
            term.contacts.forget(broker_id)

    return replaced(core.ControllerCore, "_ready", ready)


def shutdown_is_granted_too_early() -> Patched:
    """A broker may go as soon as it leads nothing, even if others do not know (KAFKA-14292)."""

    def may_go(context: Any, broker: Any) -> bool:
        return not of_brokers.leads_any(context, broker.broker_id)

    return replaced(heartbeats, "_may_go", may_go)


def unclean_leaders_are_elected_anywhere() -> Patched:
    """Whether the topic allows unclean elections is not asked."""
    honest = facts.Facts._settings_of

    def settings(one: Any, topic_id: Any) -> Any:
        return evolve(honest(one, topic_id), election=Election.UNCLEAN)

    return replaced(facts.Facts, "_settings_of", settings)


def unclean_restarts_stay_eligible() -> Patched:
    """A broker that was killed is as eligible as one that stopped in order (KIP-966)."""
    honest = of_brokers.leaves_isrs

    def leaves(context: Any, broker_id: int, *, is_unclean: bool = False) -> Iterator[Any]:
        return honest(context, broker_id)

    return replaced(brokers, "leaves_isrs", leaves)


def unfenced_before_it_caught_up() -> Patched:
    """A broker is unfenced though it has not read its own registration (KAFKA-13959)."""
    honest = heartbeats.next_state

    def state(context: Any, broker: Any, request: Any) -> Any:
        return honest(context, evolve(broker, registered_offset=-1), request)

    return replaced(heartbeats, "next_state", state)


def removed_replicas_keep_the_epoch() -> Patched:
    """A replica is taken away and may go on fetching (KAFKA-15021 turned round)."""
    return replaced(change, "_needs_new_epoch", lambda *told: False)


def lost_directories_go_on() -> Patched:
    """A broker loses a log directory, and its replicas there stay in sync (KIP-858)."""

    def nothing(context: Any, broker_id: int, directories: Any) -> Iterator[Any]:
        return iter(())

    return replaced(heartbeats, "loses_directories", nothing)


def nobody_takes_up() -> Patched:
    """A broker is unfenced, and partitions without a leader stay so."""
    return all_of(
        replaced(heartbeats, "takes_up", lambda context, broker_id: iter(())),
        replaced(core, "intervals_ms", lambda config: {Work.UNCLEAN_ELECTIONS: 1 << 40}),
    )


def unclean_leaders_do_not_recover() -> Patched:
    """After an unclean election nothing tells the leader that records may be lost (KIP-704)."""
    return replaced(change, "RECOVERING", 0)
