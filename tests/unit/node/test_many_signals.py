"""However often a node is told to stop, it ends in order."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tools.own_node import OwnNode


@pytest.mark.slow
def test_signals_that_come_while_a_node_ends_do_not_kill_it(tmp_path: Path) -> None:
    node = OwnNode(tmp_path)
    node.format()
    node.start()
    try:
        node.wait_ready(timeout_s=10)
        while (pid := node.pid) is not None:
            os.kill(pid, signal.SIGTERM)
            node.log_tail(1)
        assert node.stop() == 0
        assert " stopped " in node.log_tail(1)
    finally:
        node.kill()
