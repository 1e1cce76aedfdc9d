"""Rules of brokers: their lives, sessions and stops, and what they were told."""

from __future__ import annotations

from collections.abc import Sequence

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Offset
from metaquorum.testing.simulator.invariants.rule import broken, rule


@rule(
    "KIP-631, Broker Registration",
    "The epoch of a broker's new life is an offset of its registration, above that of any before.",
)
def broker_epochs_rise(broker: int, before: Offset, epoch: Offset, offset: Offset) -> None:
    if not before < epoch <= offset:
        broken(
            broker_epochs_rise,
            f"broker {broker} is registered at {offset} with epoch {epoch}, before it was {before}",
        )


@rule("KIP-631, Broker Epochs", "A broker with an older epoch changes nothing.")
def an_older_life_changes_nothing(broker: int, told: Offset, epoch: Offset, what: str) -> None:
    if told != epoch:
        broken(
            an_older_life_changes_nothing,
            f"{what} of broker {broker} with epoch {told}, it is registered with {epoch}",
        )


@rule(
    "KIP-631, Broker Session; KAFKA-18138",
    "A broker whose heartbeats come in time is not fenced, whichever controller leads.",
)
def a_broker_heard_in_time_is_not_fenced(
    broker: int, node: int, silent_ms: Millis, session_ms: Millis
) -> None:
    if silent_ms <= session_ms:
        broken(
            a_broker_heard_in_time_is_not_fenced,
            f"node {node} fences broker {broker}, which was silent for {silent_ms} ms at most, "
            f"the session is {session_ms} ms",
        )


@rule(
    "KIP-631, Broker Fencing",
    "A broker is unfenced when it has applied its own registration, and asked for it.",
)
def a_broker_is_unfenced_when_it_caught_up(
    broker: int, applied: Offset | None, registered: Offset
) -> None:
    if applied is None or applied < registered:
        broken(
            a_broker_is_unfenced_when_it_caught_up,
            f"broker {broker} is unfenced, it said {applied}, it is registered at {registered}",
        )


@rule(
    "KIP-841, Fenced Replicas",
    "A broker that becomes fenced leads nothing and is in no ISR, but for the last one in sync.",
)
def a_fenced_broker_leads_nothing(problem: str | None) -> None:
    if problem is not None:
        broken(a_fenced_broker_leads_nothing, problem)


@rule(
    "KIP-966, Unclean Shutdown",
    "A broker that may have lost records is in no ISR and no ELR when it is registered anew.",
)
def nobody_counts_with_an_unclean_restart(problem: str | None) -> None:
    if problem is not None:
        broken(nobody_counts_with_an_unclean_restart, problem)


@rule(
    "KIP-631, Controlled Shutdown",
    "A broker that is told to shut down was fenced since it asked, leads nothing, is in no ISR.",
)
def a_broker_told_to_stop_leads_nothing(problem: str | None) -> None:
    if problem is not None:
        broken(a_broker_told_to_stop_leads_nothing, problem)


@rule(
    "KIP-631, Controlled Shutdown; KAFKA-14292",
    "A broker may go when all others have applied that it leaves.",
)
def a_broker_goes_when_all_others_know(
    broker: int, other: int, applied: Offset, since: Offset
) -> None:
    if applied < since:
        broken(
            a_broker_goes_when_all_others_know,
            f"broker {broker} leaves since {since} and is let go, {other} has applied {applied}",
        )


@rule("KIP-858, Directory Failures", "Nobody leads from a log directory that was lost.")
def nobody_leads_from_a_lost_directory(problem: str | None) -> None:
    if problem is not None:
        broken(nobody_leads_from_a_lost_directory, problem)


@rule("KIP-730, Producer Ids", "No producer id is handed out twice.")
def producer_ids_are_given_once(first: int, count: int, given_below: int) -> None:
    if first < given_below:
        broken(
            producer_ids_are_given_once,
            f"{count} from {first} on are given, all below {given_below} were before",
        )


@rule(
    "KIP-595, High Watermark; KIP-631",
    "What a broker or an operator was told to be done is in the committed log.",
)
def acknowledged_changes_are_kept(what: str, is_there: bool) -> None:
    if not is_there:
        broken(acknowledged_changes_are_kept, f"{what} was acknowledged and is not there")


@rule("KIP-631, Broker Fencing", "In calm every live broker is unfenced at last.", "liveness")
def live_brokers_are_unfenced(brokers: Sequence[str], waited_ms: Millis) -> None:
    broken(live_brokers_are_unfenced, f"not after {waited_ms} ms: {'; '.join(brokers)}")


@rule("KIP-631, Broker Session", "In calm every dead broker is fenced at last.", "liveness")
def dead_brokers_are_fenced(brokers: Sequence[str], waited_ms: Millis) -> None:
    broken(dead_brokers_are_fenced, f"not after {waited_ms} ms: {'; '.join(brokers)}")


@rule(
    "KIP-631, Leader Election; KIP-966",
    "In calm every partition has a live leader that has a live candidate.",
    "liveness",
)
def partitions_with_a_candidate_have_a_leader(partitions: Sequence[str], waited_ms: Millis) -> None:
    broken(
        partitions_with_a_candidate_have_a_leader,
        f"not after {waited_ms} ms: {'; '.join(partitions)}",
    )
