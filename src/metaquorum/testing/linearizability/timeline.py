"""A verdict as text: one line an operation, with a bar where it ran."""

from __future__ import annotations

from metaquorum.testing.linearizability.history import Operation, Value
from metaquorum.testing.linearizability.verdict import (
    Linearizable,
    NotLinearizable,
    Undecided,
    Verdict,
)

WIDTH = 48
UNITS_PER_MS = 1_000_000
MOST_LINES = 40


def describe(verdict: Verdict, *, units_per_ms: int = UNITS_PER_MS) -> str:
    """What was found, for a person; several lines where something is wrong."""
    match verdict:
        case Linearizable():
            return f"linearizable: {verdict.operations} operations"
        case Undecided():
            return f"undecided: {verdict.open_orders} orders of {verdict.key} were open at once"
        case NotLinearizable():
            return _violation(verdict, units_per_ms)


def _violation(found: NotLinearizable, units_per_ms: int) -> str:
    stuck = found.stuck
    possible = ", ".join(_text(value) for value in found.possible)
    head = [
        f"not linearizable: nothing explains the {stuck.kind.value} of {_text(stuck.value)} "
        f"by {stuck.client}",
        f"while it ran, {found.key} may have held: {possible}",
    ]
    return "\n".join(head + draw(found.window, stuck, units_per_ms=units_per_ms))


def draw(
    window: tuple[Operation, ...], marked: Operation, *, units_per_ms: int = UNITS_PER_MS
) -> list[str]:
    """One line for each operation of a window, oldest first; ``marked`` with an arrow."""
    start = min(one.invoked_at for one in window)
    end = max(max(one.invoked_at, one.returned_at or 0) for one in window)
    span = max(end - start, 1)

    def column(moment: int) -> int:
        return (moment - start) * (WIDTH - 1) // span

    lines = []
    names = max(len(one.client) for one in window)
    words = max(len(_words(one)) for one in window)
    for one in window[-MOST_LINES:]:
        first = column(one.invoked_at)
        if one.returned_at is None:
            bar = " " * first + "|" + "-" * (WIDTH - 1 - first) + "?"
        elif (last := column(one.returned_at)) == first:
            bar = " " * first + "|"
        else:
            bar = " " * first + "|" + "-" * (last - first - 1) + "|"
        arrow = "->" if one is marked or one == marked else "  "
        when = (one.invoked_at - start) / units_per_ms
        line = f"{arrow} {when:9.3f} ms  {one.client:<{names}}  {_words(one):<{words}}  {bar}"
        lines.append(line.rstrip())
    return lines


def _words(one: Operation) -> str:
    return f"{one.kind.value} {_text(one.value)}"


def _text(value: Value) -> str:
    return "nothing" if value is None else f"{value:g}"
