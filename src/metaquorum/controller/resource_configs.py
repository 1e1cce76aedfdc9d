"""Settings of groups and of client metrics subscriptions: which are right.

Kafka's controller checks them against its own file: the bounds of a group's settings are broker
keys (``group.consumer.min.session.timeout.ms``), and each controller reads those in its file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.quoting import quoted
from metaquorum.config.client_metrics_keys import (
    CLIENT_METRICS_KEYS,
    CLIENT_PARTS,
    INTERVAL_MS,
    LEAST_INTERVAL_MS,
    MATCH,
    MOST_INTERVAL_MS,
)
from metaquorum.config.group_keys import AUTO_OFFSET_RESET, GROUP_KEYS
from metaquorum.config.key import BadValue, Key, Value
from metaquorum.config.keys import known_keys
from metaquorum.wire.generated import error_codes

_DURATION: Final = re.compile(
    r"\+?P(?=.)(?:\+?\d+D)?(?:T(?=.)(?:\+?\d+H)?(?:\+?\d+M)?(?:\+?\d+(?:\.\d{0,9})?S)?)?",
    re.IGNORECASE | re.ASCII,
)
_BY_DURATION: Final = "by_duration:"


def check_group(settings: Mapping[str, str], file: Mapping[str, str]) -> None:
    """RequestError INVALID_CONFIG unless a group can have these settings (KIP-848, KIP-932).

    ``file`` is the controller's own, by key.
    """
    values: dict[str, Value] = {}
    for name, text in settings.items():
        known = GROUP_KEYS.get(name)
        if known is None:
            raise _invalid(f"unknown group configuration {quoted(name)}")
        values[name] = _parsed(known.key, text)
    reset = settings.get(AUTO_OFFSET_RESET)
    if reset is not None and not _is_offset_reset(reset.strip()):
        raise _invalid(
            f"{AUTO_OFFSET_RESET}: {quoted(reset)} is neither earliest nor latest nor "
            f"{_BY_DURATION} and a duration such as PT1H"
        )
    for name, value in values.items():
        known = GROUP_KEYS[name]
        for bound, is_least in ((known.least, True), (known.most, False)):
            limit = None if bound is None else _of_broker(bound, file)
            if limit is None or not isinstance(value, int):
                continue
            if value < limit if is_least else value > limit:
                side = "greater" if is_least else "less"
                raise _invalid(
                    f"{name} must be {side} than or equal to {bound}, which is {limit}, and not "
                    f"{value}"
                )
    for kind in ("consumer", "share", "streams"):
        session, heartbeat = f"{kind}.session.timeout.ms", f"{kind}.heartbeat.interval.ms"
        session_ms = values.get(session) or _of_broker(GROUP_KEYS[session].follows, file)
        beat_ms = values.get(heartbeat) or _of_broker(GROUP_KEYS[heartbeat].follows, file)
        if isinstance(session_ms, int) and isinstance(beat_ms, int) and session_ms <= beat_ms:
            raise _invalid(
                f"{session} must be greater than {heartbeat}, which is {beat_ms}, and not "
                f"{session_ms}"
            )


def check_client_metrics(settings: Mapping[str, str], before: Mapping[str, str]) -> None:
    """RequestError unless a subscription can have these settings (KIP-714).

    ``before`` is what it had until now: its patterns are not looked at again.
    INVALID_REQUEST for an unknown one or an interval out of bounds, INVALID_CONFIG for the rest.
    """
    for name in settings:
        if name not in CLIENT_METRICS_KEYS:
            raise RequestError(
                error_codes.INVALID_REQUEST, f"unknown client metrics configuration {quoted(name)}"
            )
    values = {name: _parsed(CLIENT_METRICS_KEYS[name], text) for name, text in settings.items()}
    for name, value in values.items():
        if isinstance(value, tuple) and "" in value:
            raise _invalid(f"{name}: an element of the list is empty")
    interval_ms, patterns = values.get(INTERVAL_MS), values.get(MATCH)
    if isinstance(interval_ms, int) and not LEAST_INTERVAL_MS <= interval_ms <= MOST_INTERVAL_MS:
        raise RequestError(
            error_codes.INVALID_REQUEST,
            f"{INTERVAL_MS} is {interval_ms}; it must be from {LEAST_INTERVAL_MS} to "
            f"{MOST_INTERVAL_MS} milliseconds",
        )
    if isinstance(patterns, tuple) and settings.get(MATCH) != before.get(MATCH):
        for pattern in patterns:
            _check_pattern(pattern)


def _check_pattern(pattern: str) -> None:
    name, _, expression = pattern.partition("=")
    problem = None
    if name.strip() not in CLIENT_PARTS:
        problem = f"{quoted(name.strip())} is not one of {', '.join(sorted(CLIENT_PARTS))}"
    elif not expression or "=" in expression:
        problem = "it must be a name, '=' and a regular expression without '='"
    else:
        try:
            re.compile(expression.strip())
        except (re.error, OverflowError, RecursionError) as error:
            problem = str(error)
    if problem is not None:
        raise _invalid(f"{MATCH}: {quoted(pattern)} is no pattern of clients: {problem}")


def _is_offset_reset(text: str) -> bool:
    if text in ("earliest", "latest"):
        return True
    return text.startswith(_BY_DURATION) and bool(
        _DURATION.fullmatch(text.removeprefix(_BY_DURATION))
    )


def _of_broker(name: str, file: Mapping[str, str]) -> int | None:
    """What the controller's file, or Kafka's default, says for a broker's key."""
    key = known_keys().get(name)
    if key is None:
        return None
    try:
        value = key.parse(file[name]) if name in file else key.default_value()
    except BadValue:
        return None
    return value if isinstance(value, int) else None


def _parsed(key: Key, text: str) -> Value:
    try:
        return key.parse(text)
    except BadValue as error:
        raise _invalid(f"{key.name}: {error}") from None


def _invalid(reason: str) -> RequestError:
    return RequestError(error_codes.INVALID_CONFIG, reason)
