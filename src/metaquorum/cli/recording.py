"""What ``metaquorum record --to`` does, imported only when it records."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from metaquorum.cli.target import parse_bootstrap, renewed_security
from metaquorum.exporter.readers import wall_ms
from metaquorum.flight.recorder import RecorderOptions, run
from metaquorum.observe.events import EventLog
from metaquorum.runtime.loop.line_writer import standard_error_lines


@frozen
class RecordingOptions:
    """The command line as it was given."""

    directory: str
    bootstrap: str
    command_config: str | None
    interval_ms: int
    timeout_ms: int
    retention_bytes: int
    retention_ms: int
    with_brokers: bool


def run_recorder(options: RecordingOptions) -> None:
    """Record until SIGTERM or SIGINT; OperatorError says what is wrong or went wrong."""
    places = parse_bootstrap(options.bootstrap)
    security = renewed_security(options.command_config)

    with standard_error_lines(_dropped) as writer:
        lines = EventLog(writer.put, wall_ms, dropped=lambda: writer.dropped)
        run(
            RecorderOptions(
                Path(options.directory),
                places,
                security,
                options.interval_ms,
                options.timeout_ms,
                options.retention_bytes,
                options.retention_ms,
                options.with_brokers,
            ),
            lines,
            lambda: lines.info("recorder-started", to=options.directory),
        )
        lines.info("recorder-stopped", to=options.directory)


def _dropped(count: int) -> str:
    return f"{count} lines were dropped"
