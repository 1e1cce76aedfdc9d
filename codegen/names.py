"""From Kafka's spelling of names to ours, and to the spelling of its JSON form."""

from __future__ import annotations

import keyword
import re

_WORD_STARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def snake_case(name: str) -> str:
    """``LeaderEpoch`` as ``leader_epoch``; a Python keyword gets an underscore behind it.

    ``KRaft`` counts as one word.
    """
    snake = _WORD_STARTS.sub("_", name.replace("KRaft", "Kraft")).lower()
    return f"{snake}_" if keyword.iskeyword(snake) else snake


def camel_case(name: str) -> str:
    """``LeaderEpoch`` as ``leaderEpoch``, the spelling of keys in Kafka's JSON form."""
    return name[:1].lower() + name[1:]
