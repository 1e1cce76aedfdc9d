"""The links between hosts: which of them are cut, and how late what they carry arrives.

Who carries messages asks here what becomes of each; all chance is drawn from one seeded source.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from random import Random

from attrs import define, field

LOST, DUPLICATED, RESET, HELD = "loss", "duplicate", "mid-frame", "held"
"""What may become of a message. One that is held arrives once the link is mended."""

Link = tuple[Hashable, Hashable]
"""From one host to another, in this direction."""


@define(eq=False)
class Links:
    """Every link has a latency about a mean, drawn for each message.

    ``cuts`` are the links on which nothing arrives, with what becomes of messages and the name
    under which each is counted; ``odds`` what may happen to a message, in thousandths, by name;
    ``extra_us`` how much later it may arrive, ``slower_us`` how much later it does on one link.
    ``fired`` counts by name, ``changed`` is called when what is held may arrive.
    """

    random: Random
    fired: Callable[[str], None]
    latency_us: int
    changed: Callable[[], None] = lambda: None
    cuts: dict[Link, tuple[str, str]] = field(factory=dict)
    odds: dict[str, int] = field(factory=dict)
    slower_us: dict[Link, int] = field(factory=dict)
    extra_us: int = 0
    reorders: bool = False
    _last_us: dict[Link, int] = field(factory=dict)

    def cut(self, links: Iterable[Link], name: str = "cut", fate: str = LOST) -> None:
        """Nothing arrives on these from now on."""
        for link in links:
            self.cuts[link] = (fate, name)

    def mend(self, links: Iterable[Link]) -> None:
        """These carry again, and no slower than others."""
        for link in links:
            self.cuts.pop(link, None)
            self.slower_us.pop(link, None)
        self.changed()

    def clear(self) -> None:
        """Every link is as it should be; what was held arrives."""
        self.cuts.clear()
        self.slower_us.clear()
        self.odds.clear()
        self.extra_us, self.reorders = 0, False
        self.changed()

    def fate(self, sender: Hashable, receiver: Hashable) -> str | None:
        """What becomes of one message; None if it arrives, once and whole."""
        if self.cuts:
            cut = self.cuts.get((sender, receiver))
            if cut is not None:
                self.fired(cut[1])
                return cut[0]
        if not self.odds:
            return None
        draw = self.random.randrange(1_000)
        for name, odds in self.odds.items():
            if draw < odds:
                if name == LOST:
                    self.fired(LOST)
                return name
            draw -= odds
        return None

    def delay_us(self, sender: Hashable, receiver: Hashable) -> int:
        """How long one message is under way."""
        mean = self.latency_us
        delay = mean // 2 + int(self.random.random() * (mean + 1))
        if self.extra_us:
            self.fired("delay")
            delay += self.random.randrange(self.extra_us)
        if self.slower_us:
            delay += self.slower_us.get((sender, receiver), 0)
        return delay

    def arrival_us(self, now_us: int, sender: Hashable, receiver: Hashable) -> int:
        """When one message arrives: after those before it, unless the links reorder."""
        due = now_us + self.delay_us(sender, receiver)
        link = (sender, receiver)
        last = self._last_us.get(link, 0)
        if due >= last:
            self._last_us[link] = due
        elif self.reorders:
            self.fired("reorder")
        else:
            due = last
        return due
