"""What consumers are told who stand at one place of the log, made once for all of them.

When something is committed, hundreds who tail the log ask for the same records in the same way. The
plan of the first one is every other's too, and so are the rows of its answer, as the same objects:
whoever encodes answers knows them by that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from attrs import define, field

from metaquorum.base.limits import SHARED_FETCH_ANSWERS
from metaquorum.fetch.plan import FetchPlan

if TYPE_CHECKING:  # a node without consumers does not load the codec
    from metaquorum.wire.generated.fetch_response import FetchableTopicResponse


@define(eq=False)
class SharedFetch:
    """A plan, and once one was told of it, the rows as every answer has them that tells all."""

    plan: FetchPlan
    topics: Sequence[FetchableTopicResponse] = ()


@define(eq=False)
class SharedFetches:
    """By what was asked, at one moment: ends of the log that readers may see, and who leads.

    Below the watermark nothing ever changes, so while those are equal, so is every plan.
    """

    _moment: Hashable = None
    _shared: dict[Hashable, SharedFetch] = field(factory=dict)

    def __len__(self) -> int:
        return len(self._shared)

    def find(self, moment: Hashable, asked: Hashable, plan: Callable[[], FetchPlan]) -> SharedFetch:
        """What is told who asks so now; ``plan`` is called if nobody has asked before."""
        if moment != self._moment:
            self._moment = moment
            self._shared.clear()
        shared = self._shared.get(asked)
        if shared is None:
            shared = SharedFetch(plan())
            if len(self._shared) < SHARED_FETCH_ANSWERS:
                self._shared[asked] = shared
        return shared
