"""Feature levels by release: what a new cluster finalizes, and what depends on what (KIP-1022).

Facts of Kafka 4.4.0. The release that ``storage format`` takes by default is the newest of which
every part, broker and tools, can be had: a cluster that a broker of that release can join.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.metadata.tables.features import KRAFT_VERSION, METADATA_VERSION
from metaquorum.metadata.versions import (
    DEPENDENCIES,
    KRAFT_VERSION_1_FROM,
    LATEST_PRODUCTION,
    LEVEL_NAMES,
    MINIMUM,
)

DEFAULT_RELEASE: Final = 30  # 4.3-IV0

# Feature, then for each level from 1 on the metadata.version from which it is the default.
_LEVELS: Final[dict[str, tuple[int, ...]]] = {
    KRAFT_VERSION: (KRAFT_VERSION_1_FROM,),
    "transaction.version": (24, 24),
    "group.version": (22,),
    "eligible.leader.replicas.version": (26,),
    "share.version": (28, 31),
    "streams.version": (29,),
}


@frozen
class Release:
    """A metadata.version by level, and by the name that the operator gave it, if any."""

    level: int
    called: str | None = None

    @property
    def name(self) -> str:
        """Kafka's name of the level, as ``4.3-IV0``."""
        return LEVEL_NAMES[self.level]


def feature_names() -> tuple[str, ...]:
    """The features beside metadata.version, in Kafka's order."""
    return tuple(_LEVELS)


def parse_release(text: str) -> Release:
    """``4.3-IV0`` for that level; ``4.3``, ``4.3.1``, ``4.3.0-SNAPSHOT`` for the last one of 4.3.

    As Kafka's ``MetadataVersion.fromVersionString`` only the first two numbers count where there
    are more: ``3.7.1-IV2`` is 3.7 and its last level. OperatorError lists the releases.
    """
    parts = text.rstrip(".").split(".")  # Java's split drops empty parts at the end
    name = ".".join(parts[:2]) if len(parts) > 2 else text
    levels = range(MINIMUM, LATEST_PRODUCTION + 1)
    for level in reversed(levels):
        if name in (LEVEL_NAMES[level], LEVEL_NAMES[level].partition("-")[0]):
            return Release(level, text)
    known = ", ".join(LEVEL_NAMES[level] for level in levels)
    raise OperatorError(f"{text!r} is no release that is known here; it must be one of {known}")


def parse_feature(text: str) -> tuple[str, int]:
    """One ``feature=level``, blanks around either aside; OperatorError for any other form."""
    name, sign, level = (part.strip() for part in text.partition("="))
    if not sign or not name or not (level.isascii() and level.isdigit()) or int(level) > 32767:
        raise OperatorError(f"{text!r} is not FEATURE=LEVEL, such as group.version=1")
    return name, int(level)


def default_level(feature: str, release: Release) -> int:
    """The level that a new cluster of this release has of a feature, 0 for none."""
    starts = _LEVELS[feature]
    return max((n for n, start in enumerate(starts, 1) if start <= release.level), default=0)


def is_known_level(feature: str, level: int) -> bool:
    """Whether the feature can be set to this level."""
    return 0 <= level <= len(_LEVELS[feature])


def dependencies(feature: str, level: int) -> Mapping[str, int]:
    """The other features, and their least levels, that this level needs."""
    return dict(DEPENDENCIES.get((feature, level), ()))


def dependency_lines(feature: str, level: int) -> list[str]:
    """What ``feature-dependencies`` prints; OperatorError for an unknown feature or level."""
    if feature == METADATA_VERSION:
        if level not in LEVEL_NAMES or level < MINIMUM:
            raise OperatorError(f"metadata.version {level} is not known here")
    elif feature not in _LEVELS:
        raise OperatorError(f"{feature!r} is no feature that is known here")
    elif not is_known_level(feature, level):
        raise OperatorError(f"{feature} has no level {level}")
    line = f"{feature}={level}{_named(feature, level)}"
    needed = dependencies(feature, level)
    if not needed:
        return [f"{line} has no dependencies."]
    return [
        f"{line} requires:",
        *(f"    {other}={least}{_named(other, least)}" for other, least in needed.items()),
    ]


def feature_levels(release: Release, asked: Mapping[str, int]) -> dict[str, int]:
    """All levels of a new cluster, metadata.version first, the others by name.

    ``asked`` takes the place of the release's defaults. kraft.version is among them, because its
    own record is written from here. OperatorError for an unknown feature or level, and for a
    dependency that is not met.
    """
    for feature, level in asked.items():
        if feature not in _LEVELS:
            known = ", ".join(sorted(_LEVELS))
            raise OperatorError(f"{feature!r} is no feature that can be set; known are {known}")
        if not is_known_level(feature, level):
            raise OperatorError(
                f"{feature} has no level {level}; it must be from 0 to {len(_LEVELS[feature])}"
            )
    levels = {METADATA_VERSION: release.level}
    for feature in sorted(_LEVELS):
        levels[feature] = asked.get(feature, default_level(feature, release))
    for feature, level in levels.items():
        for other, least in dependencies(feature, level).items():
            if levels[other] < least:
                raise OperatorError(
                    f"{feature} {level} needs {other} of at least {least}"
                    f"{_named(other, least)}, and it would be {levels[other]}"
                )
    return levels


def _named(feature: str, level: int) -> str:
    return f" ({LEVEL_NAMES[level]})" if feature == METADATA_VERSION else ""
