"""``python -m tools.kafka``: the real Kafka from the command line.

fetch [VERSION]              all jars of a release into build/kafka (prints the directory)
message-jars [VERSION]       the jars that hold message definitions (prints their paths)
clients [VERSION]            kafka-clients of any version and what it needs
tool NAME [ARGUMENT ...]     run a tool: a short name (see TOOL_CLASSES) or a class
cluster DIRECTORY            format and run controllers and a broker until Ctrl-C
"""

from __future__ import annotations

import argparse
import contextlib
import signal
import subprocess
import sys
from pathlib import Path

if __package__ in (None, ""):  # `python tools/kafka ...` puts this directory on the path, not ours
    sys.path[0] = str(Path(__file__).resolve().parents[2])

from tools.kafka import jars, jvm
from tools.kafka.cluster import KafkaCluster
from tools.kafka.tool import TOOL_CLASSES, run_tool

ROOT = Path(__file__).resolve().parents[2]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="tools.kafka", description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("fetch", "message-jars", "clients"):
        command = commands.add_parser(name)
        command.add_argument("version", nargs="?", default=jars.KAFKA_VERSION)
    tool = commands.add_parser("tool")
    tool.add_argument("--version", default=jars.KAFKA_VERSION)
    tool.add_argument("name", help=", ".join(TOOL_CLASSES))
    tool.add_argument("arguments", nargs=argparse.REMAINDER)
    commands.add_parser("conform")
    cluster = commands.add_parser("cluster")
    cluster.add_argument("directory", type=Path)
    cluster.add_argument("--controllers", type=int, default=3)
    cluster.add_argument("--brokers", type=int, default=1)
    cluster.add_argument("--version", default=jars.KAFKA_VERSION)
    chosen = parser.parse_args(arguments)
    try:
        return run(chosen)
    except (jvm.JavaMissing, jars.FetchFailed) as why:
        print(why, file=sys.stderr)
        return 1


def run(chosen: argparse.Namespace) -> int:
    if chosen.command == "fetch":
        print(jars.libs(chosen.version))
    elif chosen.command == "clients":
        print(jars.clients_libs(chosen.version))
    elif chosen.command == "message-jars":
        print("\n".join(str(jar) for jar in jars.message_jars(chosen.version)))
    elif chosen.command == "conform":
        return conform()
    elif chosen.command == "tool":
        done = run_tool(chosen.name, *chosen.arguments, version=chosen.version)
        sys.stdout.write(done.stdout)
        sys.stderr.write(done.stderr)
        return done.exit_code
    else:
        with KafkaCluster(
            chosen.directory.resolve(), chosen.controllers, chosen.brokers, chosen.version
        ) as running:
            print(f"--bootstrap-controller {running.bootstrap_controllers}")
            print(f"--bootstrap-server {running.bootstrap_servers}", flush=True)
            until_interrupted()
    return 0


def conform() -> int:
    """Our schemas beside those of the newest release, and of the last with the oldest versions.

    Then what still older clients can send.
    """
    found = [jar for version in jars.CONFORM_VERSIONS for jar in jars.message_jars(version)]
    schemas = subprocess.run(
        [sys.executable, "-m", "codegen", "--complete", "--conform", *found], cwd=ROOT, check=False
    ).returncode
    old_clients = subprocess.run(
        [sys.executable, "-m", "tools.java.client_apis"], cwd=ROOT, check=False
    ).returncode
    return schemas or old_clients


def until_interrupted() -> None:
    """Return at Ctrl-C or SIGTERM."""

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupt)
    with contextlib.suppress(KeyboardInterrupt):
        while True:
            signal.pause()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
