"""A process of ours is ready once it leads and has told the cluster of itself, where it can."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.own_node import OwnNode


@pytest.mark.parametrize(("release", "registers"), [("3.6-IV2", False), ("3.7-IV0", True)])
def test_ready_waits_for_the_registration_of_releases_that_have_one(
    tmp_path: Path, release: str, registers: bool
) -> None:
    node = OwnNode(tmp_path)
    node.format("--release-version", release)
    node.start()
    try:
        node.wait_ready(timeout_s=10)
        assert node.leads()
        assert node.is_registered() is registers
    finally:
        node.kill()
