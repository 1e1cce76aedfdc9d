"""A broker that is told to shut down: what the simulator holds against its controllers."""

from __future__ import annotations

import pytest

from metaquorum.records.builder import build_batch
from metaquorum.records.metadata_record import MetadataRecord, encode_metadata_record
from metaquorum.testing.every_record import made, uuid
from metaquorum.testing.simulator.cluster_log import ClusterLog
from metaquorum.testing.simulator.invariants.rule import Violation

BROKER, EPOCH, NODE, SESSION_MS = 101, 0, 1, 9_000
LIFE = (BROKER, EPOCH)
FENCE, UNFENCE = 1, -1


class Log:
    """The committed log of one controller, with one broker in service."""

    def __init__(self) -> None:
        self.log = ClusterLog(SESSION_MS)
        self.log.contacts.leads(NODE, 0)
        self.end = self.now_ms = 0
        self.log.asks_to_register(BROKER, uuid("life"), -1)
        self.commit(
            made(
                *("RegisterBroker", 4),
                broker_id=BROKER,
                incarnation_id=uuid("life"),
                broker_epoch=EPOCH,
                fenced=True,
            )
        )
        self.log.contacts.asked(LIFE, self.end, leaves=False, wants_fence=False)
        self.change(fenced=UNFENCE)

    def commit(self, record: MetadataRecord) -> None:
        value = encode_metadata_record(record.type, record.message, record.version)
        self.log.contacts.written(self.end, NODE, self.now_ms)
        batch = build_batch([(None, value)], timestamp_ms=1, base_offset=self.end)
        self.end += 1
        self.log.commit(self.end - 1, batch, self.end)

    def change(self, **fields: int) -> None:
        given = {"broker_id": BROKER, "broker_epoch": EPOCH}
        self.commit(made("BrokerRegistrationChange", 1, **given, **fields))

    def asks_to_stop(self) -> None:
        self.log.contacts.asked(LIFE, self.end, leaves=True, wants_fence=False)

    def told_to_stop(self) -> None:
        self.log.told_to_stop(*LIFE)


def test_a_broker_in_service_may_not_be_told_to_stop() -> None:
    log = Log()
    log.asks_to_stop()
    with pytest.raises(Violation, match=f"broker {BROKER} was not fenced"):
        log.told_to_stop()


def test_a_fencing_from_before_it_asked_is_none() -> None:
    log = Log()
    log.now_ms = SESSION_MS + 1
    log.change(fenced=FENCE)  # its session has expired
    log.change(fenced=UNFENCE)
    log.asks_to_stop()
    with pytest.raises(Violation):
        log.told_to_stop()


def test_one_that_was_fenced_may_be_told_though_it_was_unfenced_since() -> None:
    log = Log()
    log.asks_to_stop()
    log.change(in_controlled_shutdown=1)
    log.change(fenced=FENCE)
    log.told_to_stop()
    log.change(fenced=UNFENCE)  # by a heartbeat that it had sent before it asked
    log.told_to_stop()
