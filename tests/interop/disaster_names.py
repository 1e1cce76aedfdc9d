"""The twelve disasters that recovery is tested with on real clusters: a sentence each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

DISASTERS: Final[Mapping[str, str]] = {
    "majority-lost": "Two of three controllers' disks are gone for good, and the third was behind.",
    "all-controllers-lost": "All controllers' disks are gone; a broker's metadata log is left.",
    "endpoints-changed": "All controllers have other addresses at once.",
    "identities-lost": "`meta.properties` and `quorum-state` are gone on every controller.",
    "directory-ids-changed": "Two disks have directory ids that the voters do not know.",
    "rotten-segments": "Segments are rotten in different places on two disks, the third is gone.",
    "rotten-snapshot": "The latest snapshot on the only disk that is left is rotten.",
    "older-copies": "Two disks are older copies of themselves, the third is gone.",
    "two-histories": "A leader that was cut off has records that the new leader has not.",
    "logs-cut-short": "The ends of two logs are gone in the middle of a batch, and a disk is.",
    "static-voters-lost": "Two of three voters of `controller.quorum.voters` are gone for good.",
    "restored-from-backup": "Nothing is left of the controllers but a backup of a while ago.",
}
