"""Answers and records in a form that two controllers share: without their own ids and epochs."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from metaquorum.base.ids import parse_uuid
from metaquorum.metadata.origin import NO_ORIGIN
from metaquorum.metadata.sharing import Sharing
from metaquorum.metadata.snapshot_writer import snapshot_values
from metaquorum.metadata.tables.topics import Partition, PartitionKey, partition_after
from metaquorum.records.metadata_record import MetadataRecord, decode_metadata_record
from metaquorum.wire.generated.index import record_codec, response_codec
from metaquorum.wire.json_form import to_json
from tools.differential.side import Side

PARTITION_CHANGE = 5
# Ids and incarnations of controllers differ; a snapshot of Kafka's may tell of no migration.
OF_THE_NODE = {"NoOpRecord", "RegisterControllerRecord", "ZkMigrationStateRecord"}
WORDS = ("errorMessage", "message")
MOMENTS = ("partitionEpoch", "leaderEpoch")
TOKEN_RECORDS = ("DelegationTokenRecord", "RemoveDelegationTokenRecord")
TOKEN_APIS = (38, 39, 40)
LATER_MS = 600_000  # times of tokens are told in so many ms: both are asked within less
RULE_RECORDS = ("AccessControlEntryRecord", "RemoveAccessControlEntryRecord")

Known = tuple[str, int]
"""A partition by its topic's name and its number."""


def answer_form(side: Side, api_key: int, version: int, answer: Any) -> object:
    """What an answer says, once ``side`` follows its log up to it."""
    if isinstance(answer, int):
        return answer
    codec = response_codec(api_key)
    if api_key in TOKEN_APIS:
        return _token(side, to_json(codec, answer, version))
    return _plain(side, to_json(codec, answer, version))


def record_forms(side: Side, records: Iterable[MetadataRecord]) -> list[object]:
    """The records, with neighbours of one type in an order of their own.

    Kafka keeps partitions of a broker, settings and features in hash tables.
    """
    told = [
        (name, form)
        for one in records
        if (name := _name(one)) not in OF_THE_NODE
        for form in [_record(side, one)]
    ]
    found: list[object] = []
    for name, group in groupby(told, key=lambda one: one[0]):
        found += [(name, form) for _, form in sorted(group, key=repr)]
    return found


def state_forms(side: Side) -> list[str]:
    """Every record that a snapshot of the state would have, sorted."""
    values = map(decode_metadata_record, snapshot_values(side.view))
    forms = sorted(
        f"{_name(one)} {_record(side, one)}"
        for one in values
        if _name(one) not in OF_THE_NODE and _name(one) not in TOKEN_RECORDS
    )
    # When tokens end was compared when it was written; it is not the same moment for both.
    return forms + sorted(
        f"{side.token_name(one.token_id)} of {one.owner}, {one.requester}, {one.renewers}"
        for _, one in side.view.tokens.items()
    )


def partition_forms(side: Side) -> dict[Known, object]:
    """Every partition, without what counts its changes."""
    return {
        (side.topic_name(topic_id), number): _partition(one)
        for (topic_id, number), one in side.view.partitions.items()
    }


def changed_partitions(
    side: Side, before: Mapping[PartitionKey, Partition], records: Iterable[MetadataRecord]
) -> dict[Known, object]:
    """What the PartitionChange records make of the partitions that they change.

    Kafka keeps replicas that were taken away as eligible ones until a later change, and writes two
    records where a directory is lost (decisions 233 and 234).
    """
    now = dict(before)
    for one in records:
        key = (bytes(one.message.topic_id), one.message.partition_id)
        now[key] = partition_after(now[key], one.message, NO_ORIGIN, Sharing())
    return {
        (side.topic_name(key[0]), key[1]): _partition(one)
        for key, one in now.items()
        if _partition(one) != _partition(before[key])
    }


def keeps_removed_replicas(one: Partition) -> bool:
    """Whether one that is no replica is eligible to lead: so it is with Kafka alone."""
    return not set(one.elr) <= set(one.replicas)


def _partition(one: Partition) -> object:
    return (
        *(one.replicas, one.directories, one.isr, one.removing_replicas, one.adding_replicas),
        *(tuple(sorted(set(one.elr).intersection(one.replicas))), one.last_known_elr),
        *(one.leader, one.leader_recovery_state, one.leader_epoch),
    )


def _name(record: MetadataRecord) -> str:
    return record_codec(record.type).NAME


def _record(side: Side, record: MetadataRecord) -> object:
    codec = record_codec(record.type)
    data = to_json(codec, record.message, record.known_version)
    if codec.NAME in TOKEN_RECORDS:
        return (record.version, _token(side, data))
    if codec.NAME in RULE_RECORDS:
        return side.rules.get(bytes(record.message.id), "an unknown rule")
    return (record.version, _plain(side, data))


def _token(side: Side, data: Mapping[str, Any]) -> object:
    """What an answer or a record says of a token: its name for its id and HMAC, and rough times.

    ``Timestamp`` of records and ``TimestampMs`` of answers mean the same.
    """
    told = {key.removesuffix("Ms"): one for key, one in data.items()}
    token_id = told.pop("tokenId", "")
    name = side.token_name(token_id) if token_id else "no token"
    if "hmac" in told:
        told["hmac"] = told["hmac"] == b64encode(side.token_hmac(name)).decode()
    issued_ms, last_ms = told.get("issueTimestamp", -1), told.get("maxTimestamp", -1)
    lasts = {last_ms, *(one.max_timestamp_ms for _, one in side.view.tokens.items())} - {-1}
    for key in ("expiryTimestamp", "expirationTimestamp"):
        if (until_ms := told.get(key, -1)) > 0:
            left = round((until_ms - time.time() * 1_000) / LATER_MS)
            told[key] = "as late as can be" if until_ms in lasts else f"{left} spans"
    if issued_ms > 0:
        told |= {"issueTimestamp": "some", "maxTimestamp": last_ms - issued_ms}
    return told | {"token": name}


def _plain(side: Side, value: object, broker_id: int | None = None) -> object:
    if isinstance(value, Mapping):
        broker_id = value.get("brokerId", broker_id)
        return {
            key: _field(side, key, one, broker_id) for key, one in value.items() if key not in WORDS
        }
    if isinstance(value, Sequence) and not isinstance(value, str):
        items = [_plain(side, one, broker_id) for one in value]
        return sorted(items, key=repr) if items and isinstance(items[0], dict) else items
    return value


def _field(side: Side, key: str, value: object, broker_id: int | None) -> object:
    if key == "topicId":
        return side.topic_name(parse_uuid(str(value)))
    if key in ("brokerEpoch", "epoch") and isinstance(value, int):
        return _moment(value, None if broker_id is None else side.broker_epoch(broker_id))
    if key in MOMENTS and isinstance(value, int):
        return "some" if value > 0 else value
    return _plain(side, value, broker_id)


def _moment(epoch: int, current: int | None) -> object:
    if epoch < 0:
        return epoch
    return "current" if epoch == current else "another"
