"""Finalized features: what the whole cluster has agreed to use (KIP-584)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from attrs import field, frozen

from metaquorum.base.offsets import NO_OFFSET, Offset
from metaquorum.metadata.origin import NO_ORIGIN, Origin

METADATA_VERSION: Final = "metadata.version"
ELIGIBLE_LEADER_REPLICAS_VERSION: Final = "eligible.leader.replicas.version"
KRAFT_VERSION: Final = "kraft.version"


def label_of(name: str) -> str:
    """A feature's name as Kafka's metrics spell it: ``metadataVersion`` (KIP-1180)."""
    first, *others = name.split(".")
    return first + "".join(word.capitalize() for word in others)


@frozen
class FinalizedFeatures:
    """All levels as one value, because one number says how new they are together.

    ``epoch`` is the offset of the record that changed them last: of the FeatureLevel record, or
    of the EndTransaction that made it valid; -1 while nothing was ever finalized (KIP-1170).
    Levels are above 0 and sorted by name; kraft.version is not among them, the voters keep it.
    """

    levels: tuple[tuple[str, int], ...] = ()
    epoch: Offset = NO_OFFSET
    origins: Mapping[str, Origin] = field(factory=dict, eq=False, repr=False)

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return iter(self.levels)

    def level(self, name: str) -> int:
        """The finalized level of ``name``, 0 when it is not in use."""
        for known, level in self.levels:
            if known == name:
                return level
        return 0

    @property
    def metadata_version(self) -> int:
        """The level of metadata.version, 0 while there is none."""
        return self.level(METADATA_VERSION)

    def origin(self, name: str) -> Origin:
        """The record that set the level of ``name``."""
        return self.origins.get(name, NO_ORIGIN)

    def changed(self, name: str, level: int, origin: Origin) -> FinalizedFeatures:
        """These features after a FeatureLevel record; level 0 takes the feature away."""
        others: Iterable[tuple[str, int]] = (pair for pair in self.levels if pair[0] != name)
        added = ((name, level),) if level else ()
        levels = tuple(sorted((*others, *added)))
        origins = {**self.origins, name: origin}
        return FinalizedFeatures(levels, origin.offset, {key: origins[key] for key, _ in levels})

    def confirmed(self, begin: Offset, end: Offset) -> FinalizedFeatures:
        """These features after a transaction from ``begin`` ended at ``end``."""
        return FinalizedFeatures(self.levels, end, self.origins) if self.epoch > begin else self


NO_FEATURES: Final = FinalizedFeatures()
