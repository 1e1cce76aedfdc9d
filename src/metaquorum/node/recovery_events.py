"""What opening the log found, as events: an operator should know of every repair."""

from __future__ import annotations

from metaquorum.observe.events import EventLog
from metaquorum.storage.recovery import RecoveryReport


def log_recovery(log: EventLog, report: RecoveryReport) -> None:
    """Say what was cut, rewritten or passed over; nothing after a clean stop."""
    torn = report.torn
    if torn is not None:
        log.warn(
            "torn-tail-cut",
            file=torn.path,
            offset=torn.offset,
            position=torn.position,
            bytes=torn.cut_bytes,
            why=torn.why,
        )
    for why in report.unusable_snapshots:
        log.warn("snapshot-unusable", why=why)
    if report.restarted_at is not None:
        log.warn("log-begun-at-snapshot", offset=report.restarted_at)
    if report.rewritten and report.batches:  # an empty log gets its first files, which is no repair
        log.info("rewritten-from-the-log", files=",".join(report.rewritten))
    if report.removed:
        log.info("leftovers-removed", files=",".join(report.removed))
