"""Where the simulator finds each bug of ``testing/broker_mutants.py``: seed and rule."""

from __future__ import annotations

from metaquorum.testing import broker_mutants as bugs
from metaquorum.testing.mutants import Mutant

_EARLY = "a broker is unfenced when it caught up"
_OLDER = "an older life changes nothing"
_DEAD = "dead brokers are fenced"
_UNCLEAN = "nobody counts with an unclean restart"
_LOST = "nobody leads from a lost directory"
_GROWTH = "an isr grows as its leader asked"
_ACTIVE = "only active brokers come into the isr"
_REMOVED = "a removed replica raises the leader epoch"

BROKER_MUTANTS: tuple[tuple[str, Mutant, int, str], ...] = (
    ("ISR kept", bugs.isr_kept_when_fenced, 0, "a fenced broker leads nothing"),
    ("ISR kept later", bugs.earlier_changes_count, 1, "a fenced broker leads nothing"),
    ("leader epoch", bugs.leader_epoch_is_not_raised, 0, _REMOVED),
    ("partition epoch", bugs.partition_epoch_is_not_raised, 0, "a partition epoch counts changes"),
    ("ELR forgotten", bugs.elr_is_forgotten, 0, "nobody complete is forgotten"),
    ("ELR kept", bugs.elr_does_not_end, 1, "an elr ends when the isr is large enough"),
    ("fenced chosen", bugs.fenced_brokers_are_chosen, 0, _ACTIVE),
    ("fenced from the start", bugs.new_partitions_count_with_everybody, 16, _ACTIVE),
    ("follower's epoch", bugs.older_epochs_of_followers_are_taken, 2, _GROWTH),
    ("partition epoch not checked", bugs.partition_epochs_are_not_checked, 17, _GROWTH),
    (
        "earlier life heard",
        bugs.earlier_lives_are_heard,
        12,
        "a broker is unfenced when it caught up",
    ),
    (
        "earlier life writes",
        bugs.earlier_lives_get_producer_ids,
        38,
        "an older life changes nothing",
    ),
    ("producer ids", bugs.producer_ids_overlap, 0, "acknowledged changes are kept"),
    ("sessions", bugs.sessions_are_not_begun_anew, 0, "a broker heard in time is not fenced"),
    (
        "silent for ever",
        bugs.silent_brokers_are_forgotten_with_the_term,
        12,
        "dead brokers are fenced",
    ),
    ("shutdown", bugs.shutdown_is_granted_too_early, 0, "a broker goes when all others know"),
    ("unclean", bugs.unclean_leaders_are_elected_anywhere, 1, "unclean elections are allowed"),
    (
        "unclean restart",
        bugs.unclean_restarts_stay_eligible,
        0,
        "nobody counts with an unclean restart",
    ),
    (
        "unfenced early",
        bugs.unfenced_before_it_caught_up,
        1,
        "a broker is unfenced when it caught up",
    ),
    ("removed replica", bugs.removed_replicas_keep_the_epoch, 0, _REMOVED),
    ("lost directory", bugs.lost_directories_go_on, 12, _LOST),
    ("nobody takes up", bugs.nobody_takes_up, 0, "partitions with a candidate have a leader"),
    ("no recovery", bugs.unclean_leaders_do_not_recover, 0, "an unclean leader recovers"),
)
"""Name, bug, the first seed of ``storms.fleets`` that broke with it, and the rule that it broke."""
