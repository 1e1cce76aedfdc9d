"""Who leads a mixed quorum is asked by the load's threads while nodes come and go."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tools.mixed import quorum
from tools.mixed.node import OURS
from tools.mixed.quorum import MixedQuorum


def no_tool(*_: Any) -> Any:
    raise AssertionError("no tool is run here")


def test_a_node_that_leaves_meanwhile_ends_no_look_for_the_leader(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    some = MixedQuorum(tmp_path, (OURS, OURS, OURS), no_tool)
    nodes: Any = {one: SimpleNamespace(controller_port=one, answers=True) for one in (1, 2, 3)}
    some.nodes = nodes
    asked = []

    def described(host: str, port: int, timeout_ms: int) -> None:
        asked.append(port)
        nodes.pop(2, None)

    monkeypatch.setattr(quorum, "describe_partition", described)
    assert some.leader() is None
    assert some.leader_port() is None
    assert asked == [1, 3, 1, 3]
