"""The kinds of faults: what switches each on, what proves that it fired, or who else does it.

``python -m metaquorum.testing.simulator.faults`` writes the tables of docs/reference/simulator.md.
"""

from __future__ import annotations

from attrs import frozen

from metaquorum.testing.simulator.invariants import RULES

CORES = "cores"
ELSEWHERE = "elsewhere"

STANDING = (5, 19, 36, 84, 137, 139, 150, 171, 175, 241, 302, 1510)
"""Seeds of ``STANDING_SECONDS`` that are run in every test: together they meet every kind."""

STANDING_SECONDS = 12


SEEDS: dict[str, tuple[int, ...]] = {
    "message loss": (5, 139, 241),
    "message delay": (5, 84, 137),
    "message duplication": (19, 171, 241),
    "message reordering": (139, 302),
    "two-way cut": (5, 84, 150),
    "one-way cut": (5, 137, 171),
    "half-open connection": (84, 137),
    "mid-frame cut": (84, 175),
    "crash with unsynced writes lost": (19, 36, 84),
    "torn write": (19, 36, 150),
    "bit rot at rest": (84,),
    "bit rot on read": (5, 36, 84),
    "misdirected write": (84, 150, 175),
    "lost write": (139,),
    "fsync error": (84, 171, 175),
    "full disk and short write": (84, 150, 171),
    "lost rename": (139, 241),
    "wiped replica": (36, 241),
    "stale disk back": (36, 137),
    "pause": (137, 171),
    "clock jump and drift": (5, 36, 84),
    "slow disk": (137, 175),
    "voter change under fault": (19, 36),
    "damage while voters change": (36,),
    "snapshot install under fault": (5, 84, 150),
    "snapshot on a disk that fails": (1510,),
    "crash while a snapshot is written": (1510,),
    "crash while a snapshot is installed": (175,),
    "another leader amid a download": (5, 150),
    "prefix gone while others lag": (5, 19, 150),
    "torn snapshot": (5,),
    "questions served together": (36, 137, 150),
    "mixed versions": (171, 241),
    "hostile requests": (171, 241),
    "endpoint change": (302,),
    "operator error": (171,),
    "exhausted descriptors": (241, 302),
    "exhausted memory": (241,),
    "whole-cluster crash": (19, 302),
    "false report that the leader is gone": (5, 137, 302),
}
"""The standing seeds, three at most, that met each kind when the table was written last."""


@frozen
class Fault:
    """One kind: ``switch`` are happenings of a scenario, or its numbers; ``counter`` counts it.

    ``where`` is cores (this simulator) or elsewhere (``note`` names the tests).
    """

    name: str
    switch: str
    counter: str
    where: str = CORES
    note: str = ""


FAULTS: tuple[Fault, ...] = (
    Fault("message loss", "loss", "loss"),
    Fault("message delay", "delay", "delay"),
    Fault("message duplication", "duplicate", "duplicate"),
    Fault("message reordering", "reorder", "reorder"),
    Fault("two-way cut", "cut", "cut"),
    Fault("one-way cut", "one-way-cut", "one-way-cut"),
    Fault("half-open connection", "half-open", "half-open"),
    Fault("mid-frame cut", "mid-frame", "mid-frame"),
    Fault("crash with unsynced writes lost", "crash", "crash-loses-unsynced"),
    Fault("torn write", "crash", "torn-write"),
    Fault("bit rot at rest", "rot-at-rest", "rot-at-rest"),
    Fault("bit rot on read", "rot-read", "rot-read"),
    Fault("misdirected write", "misdirected-write", "misdirected-write"),
    Fault("lost write", "lost-write", "lost-write"),
    Fault("fsync error", "fsync-error", "fsync-error"),
    Fault("full disk and short write", "full-disk", "full-disk"),
    Fault("lost rename", "lost-rename", "lost-rename"),
    Fault("wiped replica", "wiped", "wiped"),
    Fault("stale disk back", "stale-disk", "stale-disk"),
    Fault("pause", "pause", "pause"),
    Fault("clock jump and drift", "clock", "clock-jump"),
    Fault("slow disk", "slow-disk", "slow-disk"),
    Fault("voter change under fault", "voter-change", "voter-change"),
    Fault("damage while voters change", "voter-change, wiped", "damage-amid-changes"),
    Fault("snapshot install under fault", "snapshot, wiped", "snapshot-install"),
    Fault("snapshot on a disk that fails", "snapshot_bytes, fsync-error", "snapshot-failed"),
    Fault("crash while a snapshot is written", "snapshot_bytes, crash", "snapshot-cut-short"),
    Fault("crash while a snapshot is installed", "snapshot_bytes, crash", "install-cut-short"),
    Fault("another leader amid a download", "part_bytes, crash", "download-anew"),
    Fault("prefix gone while others lag", "retention_bytes, cut", "prefix-drop"),
    Fault("torn snapshot", "torn-snapshot", "torn-snapshot"),
    Fault("questions served together", "batch_us", "served-together"),
    Fault("mixed versions", "old", "mixed-versions"),
    Fault(
        "mixed implementations",
        "",
        "",
        ELSEWHERE,
        "tests/interop/mixed has ours and Kafka's controllers in one quorum of real processes, "
        "either side leading, killed, paused, wiped, added and removed; tools/recorder plays a "
        "recorded run to our nodes again",
    ),
    Fault("hostile requests", "hostile", "hostile"),
    Fault("endpoint change", "move", "endpoint-change"),
    Fault("operator error", "operator-error", "operator-error"),
    Fault(
        "cancellation at every await",
        "",
        "",
        ELSEWHERE,
        "the cores await nothing; tests/server/test_cancellation.py cancels the server's awaits",
    ),
    Fault("exhausted descriptors", "no-descriptors", "no-descriptors"),
    Fault("exhausted memory", "little-memory", "little-memory"),
    Fault("whole-cluster crash", "blackout", "blackout"),
    Fault("false report that the leader is gone", "false-alarm", "false-alarm"),
)


def fault_table() -> str:
    """The kinds of faults as a table of Markdown."""
    lines = [
        "| Fault | Happenings and numbers of a scenario | Counter | Seeds | Where |",
        "|---|---|---|---|---|",
    ]
    for fault in FAULTS:
        switch = ", ".join(f"`{one}`" for one in fault.switch.split(", ") if one)
        counter = f"`{fault.counter}`" if fault.counter else ""
        where = fault.where if not fault.note else f"*{fault.where}*: {fault.note}"
        seeds = ", ".join(str(one) for one in SEEDS.get(fault.name, ()))
        lines.append(f"| {fault.name} | {switch} | {counter} | {seeds} | {where} |")
    return "\n".join(lines)


def rule_table() -> str:
    """The rules as a table of Markdown."""
    lines = ["| Rule | Source | In our words |", "|---|---|---|"]
    lines += [f"| {rule.name} | {rule.source} | {rule.sentence} |" for rule in RULES.values()]
    return "\n".join(lines)


def mutant_table() -> str:
    """The planted bugs as a table of Markdown."""
    from metaquorum.testing.simulator.mutants import MUTANTS

    lines = ["| Planted bug | Seeds it took | Rule that broke |", "|---|---|---|"]
    for planted in MUTANTS:
        doc = (planted.mutant.__doc__ or "").strip().splitlines()[0].rstrip(".")
        lines.append(f"| {planted.name}: {doc} | {planted.seed + 1} | {planted.rule} |")
    return "\n".join(lines)


TABLES = {"faults": fault_table, "rules": rule_table, "mutants": mutant_table}


def filled(text: str) -> str:
    """A page with its tables written anew, each between its two marks."""
    for name, table in TABLES.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, _, rest = text.partition(begin)
        _, _, after = rest.partition(end)
        text = f"{before}{begin}\n{table()}\n{end}{after}"
    return text


def main(page: str) -> None:
    """Write the tables into a page."""
    from pathlib import Path

    path = Path(page)
    path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    import sys

    main(sys.argv[1])
