"""The wheel alone, on each Python: no tree beside it, an empty home, nothing else installed."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.packages.environments import Environment
from tools.kafka.ports import LOOPBACK, free_ports
from tools.process import until

CONFIG = """\
process.roles=controller
node.id=1
controller.quorum.bootstrap.servers={address}
controller.listener.names=CONTROLLER
listeners=CONTROLLER://{address}
listener.security.protocol.map=CONTROLLER:PLAINTEXT
log.dirs={data}
"""
STOP_TIMEOUT_S = 30
IMPORT_ALL = """
import importlib, json, pkgutil, sys
failed = {}
for top in ("metaquorum", "pyspark_metaquorum"):
    for module in pkgutil.walk_packages(importlib.import_module(top).__path__, top + "."):
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            failed[module.name] = error.name.split(".")[0]
print(json.dumps(failed))
"""
OF_EXTRAS = {"boto3", "cramjam", "cryptography", "dpkt", "matplotlib", "pandas", "pyarrow"}
OF_EXTRAS |= {"pyspark", "py4j", "numpy", "re2", "textual"}


@contextlib.contextmanager
def started(environment: Environment, home: Path, *words: str | Path) -> Iterator[None]:
    """A node for the length of a ``with``; its end by SIGTERM has to be a clean one."""
    with (home / "node.log").open("wb") as log:
        node = subprocess.Popen(
            [environment.metaquorum, "server", *words],
            cwd=home,
            env=environment.variables(home),
            stdout=log,
            stderr=log,
        )
        try:
            yield
            node.send_signal(signal.SIGTERM)
            assert node.wait(STOP_TIMEOUT_S) == 0, (home / "node.log").read_text()
        finally:
            node.kill()
            node.wait()


def tailed_types(environment: Environment, home: Path, address: str) -> list[str]:
    """The types of the committed records; a node that just leads has few."""
    tail = environment.run(
        home, "metaquorum", "tail", "--bootstrap-controller", address, "-o", "json"
    )
    assert tail.exit_code == 0, tail.stderr
    return [json.loads(line)["type"] for line in tail.stdout.splitlines()]


def test_a_node_is_formatted_started_tailed_and_looked_at(
    environment: Environment, home: Path
) -> None:
    address = f"{LOOPBACK}:{free_ports(1)[0]}"
    config = home / "server.properties"
    config.write_text(CONFIG.format(address=address, data=home / "data"))
    drawn = environment.run(home, "metaquorum", "storage", "random-uuid").stdout.strip()
    formatted = environment.run(
        home, "metaquorum", "storage", "format", "-t", drawn, "-c", config, "--standalone"
    )
    assert formatted.exit_code == 0, formatted.stderr
    with started(environment, home, "start", config):
        until(lambda: "FeatureLevelRecord" in tailed_types(environment, home, address))
        looked = environment.run(
            home, "metaquorum", "metadata", "ls", "/image", "--bootstrap-controller", address
        )
        assert looked.exit_code == 0, looked.stderr
        assert "features" in looked.stdout


def test_the_development_node_needs_a_directory_and_no_more(
    environment: Environment, home: Path
) -> None:
    port, controller_port = free_ports(2)
    ports = ("--port", str(port), "--controller-port", str(controller_port))
    address = f"localhost:{controller_port}"
    ends = []
    for words in (ports, ()):  # the second start takes what the first has left
        with started(environment, home, "dev", "quorum", *words):
            tail = environment.run(
                home, "metaquorum", "tail", "--bootstrap-controller", address, "-o", "json"
            )
            assert tail.exit_code == 0, tail.stderr
            ends.append(tail.stdout.splitlines())
    assert ends[1][: len(ends[0])] == ends[0]


@pytest.mark.parametrize(
    "words",
    [("pipeline", "--help"), ("pipeline", "run", "--help"), ("tail", "--help"), ("tier", "--help")],
    ids=" ".join,
)
def test_help_needs_no_extra(environment: Environment, home: Path, words: tuple[str, ...]) -> None:
    done = environment.run(home, "metaquorum", *words)
    assert done.exit_code == 0
    assert "Examples:" in done.stdout


def test_a_command_without_its_extra_says_which_to_install(
    environment: Environment, home: Path
) -> None:
    done = environment.run(home, "metaquorum", "pipeline", "run", "--from", "a:1", "--to", "x")
    assert done.exit_code == 1
    assert done.stderr == (
        "metaquorum: pyspark is not installed: pip install 'metaquorum[spark]'\n"
    )


def test_every_module_is_whole_but_for_what_extras_bring(
    environment: Environment, home: Path
) -> None:
    done = environment.run(home, "python", "-c", IMPORT_ALL)
    assert done.exit_code == 0, done.stderr
    missing = json.loads(done.stdout)
    assert set(missing.values()) <= OF_EXTRAS, missing
    needs_spark = [name for name in missing if not name.startswith("pyspark_metaquorum")]
    assert all(name.startswith("metaquorum.") for name in needs_spark)


def test_the_version_is_that_of_the_metadata(environment: Environment, home: Path) -> None:
    told = environment.run(home, "metaquorum", "--version").stdout.split()
    asked = "import importlib.metadata as m; print(m.version('metaquorum'))"
    assert told == ["metaquorum", environment.run(home, "python", "-c", asked).stdout.strip()]
