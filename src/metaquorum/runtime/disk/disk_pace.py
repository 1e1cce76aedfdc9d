"""Whether the disk is so quick of late that to wait for it is less than to have it waited for."""

from __future__ import annotations

from attrs import define

from metaquorum.base.limits import QUICK_SYNC_US, QUICK_SYNCS_IN_A_ROW


@define(eq=False)
class DiskPace:
    """Told how long each write and sync took, by whichever thread made them, one at a time.

    One that was slow makes the disk slow until enough quick ones have followed it.
    """

    _quick: int = 0

    def took(self, seconds: float) -> None:
        """One more write and its sync."""
        self._quick = self._quick + 1 if seconds * 1e6 <= QUICK_SYNC_US else 0

    @property
    def is_quick(self) -> bool:
        """Whether the last ``QUICK_SYNCS_IN_A_ROW`` all were."""
        return self._quick >= QUICK_SYNCS_IN_A_ROW
