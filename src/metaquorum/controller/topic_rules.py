"""Which settings a topic can have: each by itself, and held against each other (KIP-405, 950).

As with a controller of Kafka, what a topic does not set itself counts as what the controller's file
says, in every rule: a topic with a retention below the local retention of that file is refused.
What records say of brokers does not count (decision 268).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from metaquorum.base.limits import MAX_QUOTED_CHARS
from metaquorum.base.quoting import printable, quoted
from metaquorum.config.key import BadValue, Value
from metaquorum.config.topic_keys import TOPIC_KEYS
from metaquorum.controller.context import PlanContext
from metaquorum.controller.topic_configs import of_file

REMOTE_STORAGE: Final = "remote.storage.enable"
DELETE_ON_DISABLE: Final = "remote.log.delete.on.disable"
COPY_DISABLE: Final = "remote.log.copy.disable"
RETENTION_MS: Final = "retention.ms"
OF_RETENTION: Final = -2  # as local retention: what the retention is
NO_LIMIT: Final = -1

# Clients know these by their words; Kafka's tests of clients hold them against the same.
NO_TIERED_STORAGE: Final = (
    "Tiered Storage functionality is disabled in the broker. "
    "Topic cannot be configured with remote log storage."
)
REMOTE_DATA_WOULD_STAY: Final = (
    "It is invalid to disable remote storage without deleting remote data. If you want to keep the "
    f"remote data and turn to read only, please set `{REMOTE_STORAGE}=true,{COPY_DISABLE}=true`. "
    "If you want to disable remote storage and delete all remote data, please set "
    f"`{REMOTE_STORAGE}=false,{DELETE_ON_DISABLE}=true`."
)

_THROTTLED: Final = (
    "follower.replication.throttled.replicas",
    "leader.replication.throttled.replicas",
)
_DEFAULTS: Final[Mapping[str, Value]] = {
    name: key.default_value() for name, key in TOPIC_KEYS.items()
}


class TopicRules:
    """The rules of one controller, whose file is read when the first topic is looked at."""

    def __init__(self, context: PlanContext) -> None:
        self._context = context
        self._inherited: Mapping[str, Value] | str | None = None

    def problem_of(
        self, settings: Mapping[str, str | None], before: Mapping[str, str] | None = None
    ) -> str | None:
        """Why a topic cannot have these settings, which were ``before``; None if it can."""
        if self._inherited is None:
            self._inherited = inherited_values(of_file(self._context))
        if isinstance(self._inherited, str):
            return self._inherited
        return problem_of(
            settings,
            before=before,
            inherited=self._inherited,
            has_remote_storage=self._context.config.has_remote_storage,
        )


def inherited_values(texts: Iterable[tuple[str, str]]) -> Mapping[str, Value] | str:
    """What topics inherit, by name; why not, where a node's setting is none for topics.

    A node may have settings that no topic can have, such as a log.flush.scheduler.interval.ms below
    0. With those no topic's settings are right.
    """
    values = dict(_DEFAULTS)
    for name, text in texts:
        key = TOPIC_KEYS[name]
        shown = text
        if name == RETENTION_MS and text.strip().startswith("-"):
            shown = str(NO_LIMIT)  # any number below 0 is none for a node
        try:
            values[name] = key.parse(shown)
        except BadValue as error:
            return f"{name}, as the controller's file has it: {error}"
    return values


def problem_of(
    settings: Mapping[str, str | None],
    *,
    before: Mapping[str, str] | None = None,
    inherited: Mapping[str, Value] = _DEFAULTS,
    has_remote_storage: bool = False,
) -> str | None:
    """Why a topic cannot have these settings; None if it can.

    ``before`` is what it had until now, ``inherited`` every setting that it has without them.
    ``has_remote_storage``: this controller's file enables tiered storage (KIP-405).
    """
    values: dict[str, Value] = {}
    for name, text in settings.items():
        key = TOPIC_KEYS.get(name)
        if key is None:
            return f"Unknown topic config name: {printable(name[:MAX_QUOTED_CHARS])}"
        if text is None:
            return f"null is no value of {name}"
        try:
            values[name] = key.parse(text)
        except BadValue as error:
            return f"{name}: {error}"
        if name in _THROTTLED and not _are_throttled(text):
            return f"{name}: {quoted(text)} is neither * nor a list of partition:broker"
    return _across({**inherited, **values}, before or {}, has_remote_storage)


def _are_throttled(text: str) -> bool:
    pairs = [one.strip() for one in text.split(",")]
    return pairs == ["*"] or all(
        len(parts) == 2 and all(part.isascii() and part.isdigit() for part in parts)
        for parts in (one.split(":") for one in pairs if one)
    )


def _across(
    values: Mapping[str, Value], before: Mapping[str, str], has_remote_storage: bool
) -> str | None:
    """What is wrong between settings, each of which is right by itself."""
    least_ms, most_ms = (_number(values, f"{end}.compaction.lag.ms") for end in ("min", "max"))
    if least_ms > most_ms:
        return f"min.compaction.lag.ms is {least_ms}, above max.compaction.lag.ms, {most_ms}"
    if values[REMOTE_STORAGE] is not True:
        # Of the text from before, Kafka takes a blank for a part of the value.
        had = before.get(REMOTE_STORAGE, "").lower() == "true"
        return REMOTE_DATA_WOULD_STAY if had and values[DELETE_ON_DISABLE] is not True else None
    if not has_remote_storage:
        return NO_TIERED_STORAGE
    policy = values["cleanup.policy"]
    if isinstance(policy, tuple) and "compact" in policy:
        return f"{REMOTE_STORAGE}: a topic with cleanup.policy=compact has no tiered storage"
    return (
        _local_retention(values, "bytes")
        or _local_retention(values, "ms")
        or _retention_without_copies(values, "bytes")
        or _retention_without_copies(values, "ms")
    )


def _local_retention(values: Mapping[str, Value], unit: str) -> str | None:
    """A broker keeps no more on its own disk than there is in all."""
    local, whole = _number(values, f"local.retention.{unit}"), _number(values, f"retention.{unit}")
    if whole < 0 or local == OF_RETENTION:
        return None
    if local == NO_LIMIT:
        return f"local.retention.{unit} has no limit, retention.{unit} is {whole}"
    if local > whole:
        return (
            f"Invalid value {local} for configuration local.retention.{unit}: Value must not be "
            f"more than retention.{unit} property value: {whole}"
        )
    return None


def _retention_without_copies(values: Mapping[str, Value], unit: str) -> str | None:
    """Once nothing is copied any more, the local segments are all that will come (KIP-950)."""
    local, whole = _number(values, f"local.retention.{unit}"), _number(values, f"retention.{unit}")
    if values[COPY_DISABLE] is not True or local in (OF_RETENTION, whole):
        return None
    return (
        f"When `{COPY_DISABLE}` is set to true, the `local.retention.{unit}` and "
        f"`retention.{unit}` must be set to the identical value because there will be no more logs "
        "copied to the remote storage."
    )


def _number(values: Mapping[str, Value], name: str) -> int:
    found = values[name]
    return found if isinstance(found, int) else 0
