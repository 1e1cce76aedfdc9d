"""What is shown when one looks into a topic, a broker, a replica or a record: lines of plain text.

They are made of the committed state in the words of ``metadata cat``, and bounded.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from heapq import nsmallest
from itertools import islice
from typing import Any, Final

from metaquorum.base.ids import NodeId, uuid_text
from metaquorum.base.limits import MAX_SCREEN_ROWS, MAX_TOPICS_LOOKED_AT
from metaquorum.base.quoting import printable
from metaquorum.cli.metadata_shell import origin_text
from metaquorum.cli.metadata_text import plain_value
from metaquorum.cli.top.change_words import HIDDEN, is_secret
from metaquorum.cli.top.sight import ReplicaRow
from metaquorum.cli.top.texts import UNKNOWN, ids_text, time_text
from metaquorum.client.log_record import LogRecord
from metaquorum.client.record_text import time_text as date_text
from metaquorum.config.resource_keys import BROKER, TOPIC
from metaquorum.metadata.origin import Origin
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.topics import NO_LEADER, Partition, Topic

MAX_VALUE_CHARS: Final = 2_000  # of one value; a batch may hold one of megabytes
_SECRET_FIELDS: Final = frozenset(("salt", "storedKey", "serverKey", "hmac"))


def topics_like(view: StateView, begun: str) -> list[str]:
    """The first topics, by name, that begin with this text; of so many that are looked at."""
    names = (one for one in islice(_names(view), MAX_TOPICS_LOOKED_AT) if one.startswith(begun))
    return nsmallest(MAX_SCREEN_ROWS, names)


def _names(view: StateView) -> Iterator[str]:
    return (name for name, _ in view.topic_ids.items())


def topic_lines(view: StateView, name: str) -> list[str]:
    """A topic: its settings and its partitions. The first line says when there is none."""
    topic_id = view.topic_ids.get(name)
    topic = None if topic_id is None else view.topics.get(topic_id)
    if topic is None:
        return [f"there is no topic {printable(name)}"]
    lines = [
        f"  id          {uuid_text(topic.topic_id)}",
        f"  partitions  {topic.partition_count:,}",
        f"  record      {_origin(topic.origin)}",
        "",
        *_settings(view, (TOPIC, name)),
        "",
    ]
    return [*lines, *_partition_lines(view, topic)]


def _partition_lines(view: StateView, topic: Topic) -> list[str]:
    head = ("PARTITION", "LEADER", "EPOCH", "ISR", "REPLICAS", "ADDING", "REMOVING", "ELR")
    rows: list[tuple[str, ...]] = [head]
    for number in range(min(topic.partition_count, MAX_SCREEN_ROWS)):
        found = view.partitions.get((topic.topic_id, number))
        if found is not None:
            rows.append(_partition_cells(number, found))
    widths = [max(len(row[at]) for row in rows) for at in range(len(head))]
    lines = [
        "  ".join(cell.ljust(wide) for cell, wide in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
    if topic.partition_count > MAX_SCREEN_ROWS:
        lines.append(f"and {topic.partition_count - MAX_SCREEN_ROWS:,} more")
    return lines


def _partition_cells(number: int, one: Partition) -> tuple[str, ...]:
    return (
        str(number),
        "none" if one.leader == NO_LEADER else str(one.leader),
        str(one.leader_epoch),
        ids_text(one.isr),
        ids_text(one.replicas),
        ids_text(one.adding_replicas),
        ids_text(one.removing_replicas),
        ids_text(one.elr),
    )


def broker_lines(view: StateView, broker_id: NodeId) -> list[str]:
    """A broker: its registration, and its settings."""
    broker = view.brokers.get(broker_id)
    if broker is None:
        return [f"there is no broker {broker_id}"]
    return [
        f"  record  {_origin(broker.origin)}",
        f"  leads   {view.led_by(broker_id):,} partitions",
        *_fields(plain_value(broker)),
        "",
        *_settings(view, (BROKER, str(broker_id))),
    ]


def replica_lines(view: StateView, row: ReplicaRow) -> list[str]:
    """A voter or observer: what its leader says of it, and its registration."""
    behind = UNKNOWN if row.behind_ms is None else time_text(row.behind_ms)
    asked = UNKNOWN if row.since_fetch_ms is None else f"{time_text(row.since_fetch_ms)} before"
    lines = [
        f"  answers         {'yes' if row.answers else 'no'}",
        f"  caught up       {'yes' if row.is_caught_up else 'no'}",
        f"  log end offset  {UNKNOWN if row.log_end_offset is None else row.log_end_offset}",
        f"  lag             {UNKNOWN if row.lag is None else row.lag}",
        f"  behind          {behind}",
        f"  asked           {asked}",
        f"  end point       {printable(row.end_point) or UNKNOWN}",
    ]
    controller = view.controllers.get(row.id)
    if controller is not None:
        lines += ["", f"registration, {_origin(controller.origin)}"]
        lines += _fields(plain_value(controller))
    broker = view.brokers.get(row.id)
    if broker is not None:
        lines += ["", f"broker {row.id}", *broker_lines(view, row.id)]
    return lines


def record_lines(record: LogRecord | None, offset: int, words: str) -> list[str]:
    """A record with all its fields, as Kafka names them; but for secrets."""
    if record is None:
        return [printable(words), "", f"the record at offset {offset} is not kept any more"]
    lines = [
        f"{record.type}" + ("" if record.control else f" version {record.version}"),
        f"  offset  {record.offset}",
        f"  epoch   {record.epoch}",
        f"  time    {date_text(record.timestamp_ms)}",
        f"  says    {printable(words)}",
        "",
    ]
    if record.problem is not None:
        lines += [f"it cannot be read: {printable(record.problem)}", ""]
    return lines + _fields(_without_secrets(record.fields))


def _without_secrets(fields: dict[str, Any]) -> dict[str, Any]:
    hides_value = is_secret(str(fields.get("name", "")))
    return {
        name: HIDDEN if name in _SECRET_FIELDS or (hides_value and name == "value") else value
        for name, value in fields.items()
    }


def _settings(view: StateView, resource: tuple[int, str]) -> list[str]:
    settings = view.configs.get(resource)
    if settings is None:
        return ["settings: none of its own"]
    shown = ((key, HIDDEN if is_secret(key) else value) for key, value in settings.items())
    return [
        "settings",
        *(f"  {printable(key)} = {_cut(str(value))}" for key, value in sorted(shown)),
    ]


def _fields(value: Any) -> list[str]:
    """JSON in lines, so that lists of structures can be read."""
    if not isinstance(value, dict):
        return [f"  {_cut(json.dumps(value))}"]
    lines = []
    for name, one in value.items():
        if isinstance(one, list) and one and isinstance(one[0], dict):
            lines.append(f"  {name}")
            lines += [f"    {_cut(json.dumps(row))}" for row in one[:MAX_SCREEN_ROWS]]
        else:
            lines.append(f"  {name} = {_cut(one if isinstance(one, str) else json.dumps(one))}")
    return lines


def _cut(text: str) -> str:
    if len(text) > MAX_VALUE_CHARS:
        more = len(text) - MAX_VALUE_CHARS
        return f"{printable(text[:MAX_VALUE_CHARS])}... ({more:,} more characters)"
    return printable(text)


def _origin(origin: Origin) -> str:
    return origin_text(origin) if origin.offset >= 0 else UNKNOWN
