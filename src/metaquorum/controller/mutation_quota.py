"""How many partitions a client may still create and delete (KIP-599).

A token bucket as Kafka's: it fills by the quota's rate, up to eleven seconds of it, and what is
taken may leave it below zero. While it is below zero nothing more can be taken. It is soft state of
one node, which nothing in the log tells.
"""

from __future__ import annotations

from typing import Final

from attrs import define

from metaquorum.base.clock import Millis
from metaquorum.base.errors import RequestError
from metaquorum.wire.generated import error_codes

BURST_S: Final = 11  # Kafka's controller.quota.window.num windows of a second
LONGEST_PAUSE_MS: Final[Millis] = (1 << 31) - 1  # what an answer can say


@define(eq=False)
class TokenBucket:
    """The partitions that are left; it begins full, at the first rate that it is asked with."""

    _tokens: float | None = None
    _filled_ms: Millis = 0

    def left(self, rate: float, now: Millis) -> float:
        """Fill it with what came since the last time, and say what is in it."""
        most = BURST_S * rate
        if self._tokens is None:
            self._tokens = most
        else:
            came = rate * max(0, now - self._filled_ms) / 1_000
            self._tokens = min(most, self._tokens + came)
        self._filled_ms = now
        return self._tokens

    def take(self, partitions: int, rate: float, now: Millis) -> float:
        """Take so many, whatever is in it, and say what is left."""
        self._tokens = self.left(rate, now) - partitions
        return self._tokens


@define(eq=False)
class MutationQuota:
    """The quota of the client of one request, ``rate`` partitions a second.

    ``is_strict``: the client knows THROTTLING_QUOTA_EXCEEDED. Of any other nothing is refused; its
    answer only says for how long it has to pause.

    A plan takes from it while it goes through the topics of the request. This is the only thing
    that a plan changes. What it took stays taken if the records are not written, as in Kafka.
    """

    bucket: TokenBucket
    rate: float
    is_strict: bool
    pause_ms: Millis = 0

    def take(self, partitions: int, now: Millis) -> None:
        """Creating or deleting so many partitions counts.

        RequestError THROTTLING_QUOTA_EXCEEDED where nothing is left, and then it does not count.
        """
        left = self.bucket.left(self.rate, now)
        if left < 0 and self.is_strict:
            self.pause_ms = self._until_refilled_ms(left)
            raise RequestError(
                error_codes.THROTTLING_QUOTA_EXCEEDED,
                f"the quota of {self.rate:g} partitions a second is used up "
                f"for {self.pause_ms} ms (controller_mutation_rate)",
            )
        left = self.bucket.take(partitions, self.rate, now)
        if left < 0 and not self.is_strict:
            self.pause_ms = self._until_refilled_ms(left)

    def _until_refilled_ms(self, left: float) -> Millis:
        if self.rate <= 0:
            return LONGEST_PAUSE_MS
        return min(round(-left / self.rate * 1_000), LONGEST_PAUSE_MS)
