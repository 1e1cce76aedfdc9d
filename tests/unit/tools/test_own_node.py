"""A process of ours is ready once it leads and has told the cluster of itself, where it can."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.own_node import METAQUORUM, SERVER_VARIABLE, OwnNode, server_command


def test_the_environment_may_name_another_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(SERVER_VARIABLE, raising=False)
    assert server_command() == OwnNode(tmp_path).server == METAQUORUM
    monkeypatch.setenv(SERVER_VARIABLE, "/elsewhere/metaquorum")
    assert server_command() == OwnNode(tmp_path).server == Path("/elsewhere/metaquorum")


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
