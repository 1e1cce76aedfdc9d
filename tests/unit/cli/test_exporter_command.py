"""``metaquorum exporter``: what its command line refuses, and that it tells where."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from metaquorum.cli.main import run

CONTROLLER = ("exporter", "--bootstrap-controller", "localhost:9093")


@pytest.mark.parametrize(
    ("more", "named"),
    [
        (("--listen", "nowhere"), "--listen"),
        (("--interval-ms", "5"), "--interval-ms"),
        (("--min-insync-replicas", "0"), "--min-insync-replicas"),
        (("--command-config", "missing.properties"), "missing.properties"),
    ],
)
def test_what_cannot_be_used_is_named(
    more: tuple[str, ...], named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*CONTROLLER, *more]) != 0
    assert named in capsys.readouterr().err


def test_a_bootstrap_list_without_a_port_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["exporter", "--bootstrap-controller", "localhost"]) == 1
    assert "localhost" in capsys.readouterr().err


def test_wrong_client_properties_are_refused_before_it_serves(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    properties = tmp_path / "client.properties"
    properties.write_text("security.protocol=SECRET\n")
    assert run([*CONTROLLER, "--command-config", str(properties)]) == 1
    assert "security.protocol" in capsys.readouterr().err


def test_an_address_that_is_taken_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        place = f"127.0.0.1:{taken.getsockname()[1]}"
        assert run([*CONTROLLER, "--listen", place]) == 1
    assert f"--listen cannot listen on {place}" in capsys.readouterr().err
