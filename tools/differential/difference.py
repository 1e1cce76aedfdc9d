"""What differs between two forms, in lines: Kafka's above ours, without what is equal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def difference(theirs: object, ours: object) -> str:
    """Lines that show both, where they are not the same."""
    return "\n".join(_lines(theirs, ours, "  "))


def _lines(theirs: object, ours: object, place: str) -> list[str]:
    if theirs == ours:
        return []
    if isinstance(theirs, Mapping) and isinstance(ours, Mapping):
        return [
            line
            for key in dict.fromkeys((*theirs, *ours))
            for line in _lines(theirs.get(key), ours.get(key), f"{place}{key} ")
        ]
    if isinstance(theirs, tuple) and isinstance(ours, tuple) and len(theirs) == len(ours):
        return [
            line
            for number, (one, other) in enumerate(zip(theirs, ours, strict=True))
            for line in _lines(one, other, f"{place}{number} ")
        ]
    if isinstance(theirs, Sequence) and isinstance(ours, Sequence) and not isinstance(theirs, str):
        missing = [one for one in theirs if one not in ours]
        extra = [one for one in ours if one not in theirs]
        if len(missing) == len(extra) == 1:
            return _lines(missing[0], extra[0], place)
        if missing or extra:
            return [f"{place}Kafka {one}" for one in missing] + [
                f"{place}ours  {one}" for one in extra
            ]
    return [f"{place}Kafka {theirs}", f"{place}ours  {ours}"]
