"""A run as a picture in text: one line an event, one column a node.

A column shows what a node is when that changed, and what happened to it; a blank means that
nothing changed there. Times are milliseconds of the simulation.
"""

from __future__ import annotations

from attrs import define, field

from metaquorum.testing.simulator.world import World

WIDTH = 26
LETTERS = {
    "Unattached": "U",
    "Prospective": "P",
    "Candidate": "C",
    "Leader": "L",
    "Follower": "F",
    "Resigned": "R",
}
LEGEND = (
    "U unattached, P prospective, C candidate, L leader, F follower, R resigned; then the epoch, "
    "and high watermark / durable end / log end"
)


@define(eq=False)
class Picture:
    """Collects lines while a run goes on; hand ``see`` to ``run``. ``quiet`` drops log ends."""

    quiet: bool = False
    lines: list[str] = field(factory=list)
    _shown: dict[int, str] = field(factory=dict)

    def see(self, world: World, node_id: int, what: str, detail: str) -> None:
        """Something happened at a node: a line, unless nothing is new."""
        if not self.lines:
            ids = "".join(f"node {one}".ljust(WIDTH) for one in world.nodes)
            self.lines += [LEGEND, f"{'ms':>10}  {ids}".rstrip()]
        state = self._state(world, node_id)
        cell_text = f"{what} {detail}".strip()
        if not what and self._shown.get(node_id) == state:
            return
        self._shown[node_id] = state
        cell = f"{state} {cell_text}".strip() if what else state
        blank = "".join("." if one < node_id else "" for one in world.nodes)
        indent = (".".ljust(WIDTH)) * len(blank)
        self.lines.append(f"{world.agenda.now_us / 1_000:10.1f}  {indent}{cell}".rstrip())

    def _state(self, world: World, node_id: int) -> str:
        node = world.nodes[node_id]
        if node.node is None:
            return "held" if node.held else "down"
        replica = node.node.driver.replica
        letter = LETTERS.get(replica.role.name, "?")
        if self.quiet:
            return f"{letter}{replica.epoch}"
        log = replica.log
        mark = "-" if log.high_watermark is None else log.high_watermark
        return f"{letter}{replica.epoch} {mark}/{log.durable_end}/{log.end}"

    def text(self, last: int | None = None) -> str:
        """The picture, or its last lines."""
        if last is None or len(self.lines) <= last + 2:
            return "\n".join(self.lines)
        return "\n".join([*self.lines[:2], f"{'...':>10}", *self.lines[-last:]])
