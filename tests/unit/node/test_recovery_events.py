"""Every repair is told once; a clean start says nothing."""

from __future__ import annotations

from metaquorum.node.recovery_events import log_recovery
from metaquorum.observe.events import EventLog
from metaquorum.storage.recovery import RecoveryReport, TornTail


def told(report: RecoveryReport) -> list[str]:
    lines: list[str] = []
    log_recovery(EventLog(lines.append, lambda: 0), report)
    return [line.removeprefix("1970-01-01T00:00:00.000Z ") for line in lines]


def test_a_clean_start_says_nothing() -> None:
    assert told(RecoveryReport(batches=5, segments=1)) == []


def test_a_torn_tail_is_told_with_file_offset_position_and_reason() -> None:
    torn = TornTail(path="/d/0.log", position=91, cut_bytes=17, offset=1, why="17 bytes are left")

    assert told(RecoveryReport(torn=torn)) == [
        'warn torn-tail-cut file=/d/0.log offset=1 position=91 bytes=17 why="17 bytes are left"'
    ]


def test_other_repairs_are_told_each_in_a_line() -> None:
    report = RecoveryReport(
        batches=3,
        rewritten=["0.index", "0.timeindex"],
        removed=["0.log.deleted"],
        unusable_snapshots=["/d/5.checkpoint, byte 0: the file is empty"],
        restarted_at=70,
    )

    assert told(report) == [
        'warn snapshot-unusable why="/d/5.checkpoint, byte 0: the file is empty"',
        "warn log-begun-at-snapshot offset=70",
        "info rewritten-from-the-log files=0.index,0.timeindex",
        "info leftovers-removed files=0.log.deleted",
    ]


def test_the_first_files_of_an_empty_log_are_no_repair() -> None:
    assert told(RecoveryReport(rewritten=["leader-epoch-checkpoint"])) == []
