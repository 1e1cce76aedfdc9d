"""A running ``metaquorum tail --follow``."""

from __future__ import annotations

import json
import signal
import subprocess
import threading
from typing import Any

from attrs import define, field

from tools.own_node import METAQUORUM

PATIENCE_S = 60.0


@define
class Following:
    """The process, and its lines as they come. A context manager: it is gone afterwards."""

    process: subprocess.Popen[str]
    lines: list[str] = field(factory=list)
    arrived: threading.Condition = field(factory=threading.Condition)
    reader: threading.Thread = field(init=False)

    @classmethod
    def start(cls, *arguments: str) -> Following:
        """Start following with JSON lines; ``arguments`` come before the options for that."""
        process = subprocess.Popen(
            [METAQUORUM, "tail", *arguments, "--follow", "-o", "json"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        )
        return cls(process)

    def __attrs_post_init__(self) -> None:
        self.reader = threading.Thread(target=self._collect, daemon=True)
        self.reader.start()

    def __enter__(self) -> Following:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self.reader.join(PATIENCE_S)

    def wait_for(self, text: str) -> None:
        """Until a line holds ``text``."""
        with self.arrived:
            came = self.arrived.wait_for(
                lambda: any(text in line for line in self.lines), PATIENCE_S
            )
        assert came, f"{text} never arrived; last: {self.lines[-1:]}"

    def interrupt(self) -> int:
        """Ctrl-C, and the exit code."""
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(PATIENCE_S)
        self.reader.join(PATIENCE_S)
        return code

    def rows(self) -> list[dict[str, Any]]:
        """The lines so far, parsed."""
        return [json.loads(line) for line in self.lines]

    def _collect(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self.arrived:
                self.lines.append(line)
                self.arrived.notify_all()
