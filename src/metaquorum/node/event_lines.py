"""Where the lines of a node go and how they look, as its configuration has it (decision 227)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from metaquorum.base.errors import OperatorError
from metaquorum.config.node_config import NodeConfig
from metaquorum.observe.events import FORMS, EventLog, Level
from metaquorum.runtime.loop.clock import TrioClock
from metaquorum.runtime.loop.line_file import LineFile
from metaquorum.runtime.loop.line_writer import standard_error_lines

_FAILED = 1


@contextmanager
def event_log(config: NodeConfig) -> Iterator[EventLog]:
    """The event log of a node, and all of ``sys.stderr`` in the same place and form.

    OperatorError is raised when its file cannot be written.
    """
    form, wall_ms = FORMS[config.log_format], TrioClock().wall_ms
    file = None
    if config.log_file is not None:
        file = LineFile.opened(config.log_file, config.log_file_max_bytes, config.log_files_max)

    def dropped(count: int) -> str:
        return form(wall_ms(), Level.WARN, "log-lines-dropped", {"count": count})

    def printed(line: str) -> str:
        return form(wall_ms(), Level.ERROR, "standard-error", {"line": line})

    write = None if file is None else file.write
    as_printed = printed if config.log_format == "json" else str
    with standard_error_lines(dropped, write, as_printed) as lines:
        yield EventLog(lines.put, wall_ms, dropped=lambda: lines.dropped, form=form)


def refusals_logged(config: NodeConfig, log: EventLog, run: Callable[[], int]) -> int:
    """The exit code of ``run``, whose OperatorError is in the log as well where a program reads it.

    Where lines are text on standard error, the message of the command says it already.
    """
    if config.log_format == "text" and config.log_file is None:
        return run()
    try:
        return run()
    except OperatorError as error:
        log.error("not-started", why=str(error))
        if config.log_file is not None:
            raise
        return _FAILED
