"""Command lines cut short, with one dash and with signs of equality, beside Kafka's own tools."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.kafka import JavaHelper, ToolResult
from tools.kafka.tool import finished
from tools.own_node import OwnNode

SCRIPTS = Path(__file__).parents[2] / "tools" / "bin"
TIMEOUT_S = 60


def ours(tool: str, *words: str) -> ToolResult:
    """One of the scripts with Kafka's names."""
    return finished([SCRIPTS / f"kafka-{tool}.sh", *words], TIMEOUT_S)


@pytest.fixture(scope="module")
def formatted(tmp_path_factory: pytest.TempPathFactory) -> OwnNode:
    node = OwnNode(tmp_path_factory.mktemp("formatted"), for_kafka_too=True)
    node.format()
    return node


@pytest.mark.parametrize(
    "line",
    [
        "info --config CONFIG",
        "info --conf CONFIG",
        "info --c=CONFIG",
        "info -c=CONFIG",
        "info -cCONFIG",
        "inf -c CONFIG",
        "version-mapping --release 4.0",
        "version-m -r=4.0",
        "ver",
        "feature-dep --feature transaction.version=2",
        "feature -f=transaction.version=2",
        "format --ig --cluster CLUSTER --conf=CONFIG --stand",
    ],
)
def test_storage_takes_what_kafkas_takes(line: str, formatted: OwnNode, java: JavaHelper) -> None:
    words = [
        word.replace("CONFIG", str(formatted.config_file)).replace("CLUSTER", formatted.cluster_id)
        for word in line.split()
    ]
    theirs, answer = java.tool("storage", *words), ours("storage", *words)
    assert theirs.exit_code == 0, theirs.stderr
    assert (answer.exit_code, answer.stdout) == (0, theirs.stdout), answer.stderr


@pytest.mark.parametrize(
    ("tool", "line", "candidates"),
    [
        ("storage", "format --i x", "--ignore-formatted, --initial-controllers"),
        ("storage", "f", "feature-dependencies, format"),
        ("storage", "info --conf x y", None),
        ("storage", "info -config x", None),
        ("storage", "format --standalone=true -t x -c x", None),
        ("storage", "format --nope", None),
        ("storage", "info -c", None),
        (
            "metadata-quorum",
            "--bootstrap a:1 describe --status",
            "--bootstrap-controller, --bootstrap-server",
        ),
        (
            "metadata-quorum",
            "--bootstrap-controller a:1 remove --controller 1",
            "--controller-directory-id, --controller-id",
        ),
        ("metadata-quorum", "-bootstrap-controller a:1 describe --status", None),
        ("metadata-quorum", "describe --bootstrap-controller a:1 --status", None),
        ("metadata-quorum", "--bootstrap-controller a:1 describe --status=1", None),
        ("dump-log", "--nope", None),
    ],
)
def test_both_tools_refuse_a_line_and_list_what_it_could_mean(
    tool: str, line: str, candidates: str | None, java: JavaHelper
) -> None:
    theirs, answer = java.tool(tool, *line.split()), ours(tool, *line.split())
    assert theirs.exit_code == answer.exit_code == 1
    assert not answer.stdout and "Traceback" not in answer.stderr
    if candidates is not None:
        told = " ".join((theirs.stdout + theirs.stderr).replace("-\n", "-").split())
        # argparse4j breaks lines within names, and stretches what is between words.
        assert candidates.replace(" ", "") in told.replace(" ", "")
        assert f"could match {candidates}" in answer.stderr


def test_metadata_quorum_takes_what_kafkas_takes(quiet_node: OwnNode, java: JavaHelper) -> None:
    place = quiet_node.bootstrap_controller
    for line in (
        f"--bootstrap-c {place} describe --stat",
        f"--bootstrap-controller={place} desc --status",
        f"--bootstrap-s={quiet_node.bootstrap_server} d --s",
    ):
        theirs, answer = (
            java.tool("metadata-quorum", *line.split()),
            ours("metadata-quorum", *line.split()),
        )
        assert theirs.exit_code == 0, theirs.stdout
        assert (answer.exit_code, answer.stdout) == (0, theirs.stdout), answer.stderr


@pytest.mark.parametrize(
    "line",
    [
        "--files FILE",
        "-files FILE",
        "-files=FILE",
        "--files=FILE",
        "-files FILE -deep-iteration -cluster-metadata-decoder",
        "-print-data-log --files FILE",
        "--deep-iteration=true --files FILE",
        "-deep-iteration=no -files FILE",
    ],
)
def test_dump_log_takes_what_kafkas_takes(line: str, formatted: OwnNode, java: JavaHelper) -> None:
    (file,) = Path(formatted.directory).rglob("*.checkpoint")
    words = [word.replace("FILE", str(file)) for word in line.split()]
    theirs, answer = java.tool("dump-log", *words), ours("dump-log", *words)
    assert theirs.exit_code == 0, theirs.stderr
    assert (answer.exit_code, answer.stdout) == (0, theirs.stdout), answer.stderr


def test_dump_log_of_ours_alone_takes_options_cut_short(
    formatted: OwnNode, java: JavaHelper
) -> None:
    (file,) = Path(formatted.directory).rglob("*.checkpoint")
    assert java.tool("dump-log", "--file", str(file)).exit_code == 1
    whole = ours("dump-log", "--files", str(file), "--cluster-metadata-decoder")
    assert ours("dump-log", "-file", str(file), "--cluster").stdout == whole.stdout


def test_both_refuse_one_directory_under_two_names(tmp_path: Path, java: JavaHelper) -> None:
    data = tmp_path / "data"
    node = OwnNode(tmp_path / "node", {"log.dirs": f"{data},{data}/"}, for_kafka_too=True)
    config = node.write_config()
    words = ("format", "-s", "-t", node.cluster_id, "-c", str(config))
    answer = ours("storage", *words)
    assert answer.exit_code == 1 and "are the same directory" in answer.stderr
    assert not data.exists()
    # Kafka's format writes the directory twice, and its start is what refuses.
    assert java.tool("storage", *words).exit_code == 0
    start = java.tool("kafka.Kafka", str(config))
    assert start.exit_code != 0
    assert "Duplicate directory ID" in start.stdout + start.stderr
