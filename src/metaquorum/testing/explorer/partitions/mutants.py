"""Where the explorer finds planted bugs of the controller: scope, rule, and how soon."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import frozen

from metaquorum.controller.core import ControllerCore
from metaquorum.controller.managers import brokers
from metaquorum.controller.partitions import facts
from metaquorum.testing import broker_mutants as bugs
from metaquorum.testing.mutants import Mutant, Patched, replaced


def restart_before_the_fencing() -> Patched:
    """Who says that it stopped in order is registered, fenced, and leads what it led."""

    def none_to_leave(view: Any, known: Any, *, is_clean: bool) -> bool:
        return not is_clean and view.partition_counts.all > 0

    return replaced(brokers, "_has_partitions_to_leave", none_to_leave)


def nobody_looks_after_a_fail_over() -> Patched:
    """A new controller leaves partitions without a leader as they are."""
    honest = ControllerCore._begin_rounds

    def hold(core: Any, term: Any, now: int, out: Any) -> None:
        with replaced(facts.Facts, "can_lead", lambda *told: False):
            honest(core, term, now, out)

    return replaced(ControllerCore, "_begin_rounds", hold)


def lost_directories_count_until_the_last_turn() -> Patched:
    """What a broker says of its directories counts when its registration says so too."""
    return replaced(facts.Facts, "can_lead", _by_registration)


def _by_registration(one: Any, broker_id: int, directory: bytes) -> bool:
    broker = one._active[broker_id]
    return broker is not None and facts.is_online(broker, directory)


@frozen
class PartitionsPlanted:
    """A bug, the scope that finds it, the rule that it breaks, and in how many steps at most."""

    name: str
    mutant: Mutant
    scope: str
    breaks: str
    steps: int


def _all() -> Iterator[PartitionsPlanted]:
    fenced, unclean = "a fenced broker leads nothing", "nobody counts with an unclean restart"
    growth, led = "an isr grows as its leader asked", "partitions with a candidate have a leader"
    killed, late, over = "killed-brokers", "late-isr-changes", "fail-over-between-turns"
    for row in (
        ("ISR kept", bugs.isr_kept_when_fenced, killed, fenced, 2),
        ("ISR kept later", bugs.earlier_changes_count, "stopping-brokers", fenced, 3),
        ("leader epoch", bugs.leader_epoch_is_not_raised, killed, "its epoch", 2),
        ("partition epoch", bugs.partition_epoch_is_not_raised, late, "counts changes", 4),
        ("ELR forgotten", bugs.elr_is_forgotten, killed, "nobody complete is forgotten", 4),
        ("ELR kept", bugs.elr_does_not_end, killed, "an elr ends when", 4),
        ("fenced chosen", bugs.fenced_brokers_are_chosen, late, fenced, 5),
        ("follower's epoch", bugs.older_epochs_of_followers_are_taken, late, growth, 12),
        ("unclean", bugs.unclean_leaders_are_elected_anywhere, killed, "are allowed", 12),
        ("unclean restart", bugs.unclean_restarts_stay_eligible, killed, unclean, 5),
        ("no recovery", bugs.unclean_leaders_do_not_recover, "unclean-elections", "recovers", 10),
        ("restart", restart_before_the_fencing, "stopping-brokers", fenced, 3),
        ("nobody looks", nobody_looks_after_a_fail_over, over, led, 4),
        (
            *("directories", lost_directories_count_until_the_last_turn),
            *("lost-directories", "nobody leads from a lost directory", 8),
        ),
        ("nobody takes up", bugs.nobody_takes_up, killed, led, 8),
    ):
        yield PartitionsPlanted(*row)


PARTITIONS_MUTANTS: tuple[PartitionsPlanted, ...] = tuple(_all())
