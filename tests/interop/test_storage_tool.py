"""Both storage tools: what one formats the other reads, and both say the same."""

from __future__ import annotations

import re
from pathlib import Path

from tools.kafka import JavaHelper
from tools.own_node import OwnNode, metaquorum

UUID = re.compile(r"[A-Za-z0-9_-]{22}")


def test_random_uuid_has_the_form_of_kafkas(java: JavaHelper) -> None:
    theirs = java.tool("storage", "random-uuid").stdout
    ours = metaquorum("storage", "random-uuid").stdout
    for text in (theirs, ours):
        assert UUID.fullmatch(text.strip()), text
        assert text.count("\n") == 1


def test_info_says_the_same_about_the_same_directory(java: JavaHelper, tmp_path: Path) -> None:
    for name, formatted_by_us in (("ours", True), ("theirs", False)):
        node = OwnNode(tmp_path / name, for_kafka_too=True)
        if formatted_by_us:
            node.format()
        else:
            config = node.write_config()
            done = java.tool(
                "storage", "format", "-t", node.cluster_id, "-c", config, "--standalone"
            )
            assert done.exit_code == 0, done.stdout + done.stderr
        theirs = java.tool("storage", "info", "-c", node.config_file)
        ours = metaquorum("storage", "info", "-c", node.config_file)
        assert (ours.stdout, ours.exit_code) == (theirs.stdout, theirs.exit_code)
        assert theirs.exit_code == 0


def test_info_finds_the_same_problem_in_an_unformatted_directory(
    java: JavaHelper, tmp_path: Path
) -> None:
    node = OwnNode(tmp_path, for_kafka_too=True)
    node.write_config()
    theirs = java.tool("storage", "info", "-c", node.config_file)
    ours = metaquorum("storage", "info", "-c", node.config_file)
    assert theirs.exit_code == ours.exit_code == 1
    assert ours.stdout.splitlines()[:2] == theirs.stdout.splitlines()[:2]


def test_a_directory_that_kafka_formatted_is_ours_to_start(
    java: JavaHelper, tmp_path: Path
) -> None:
    node = OwnNode(tmp_path, for_kafka_too=True)
    config = node.write_config()
    done = java.tool("storage", "format", "-t", node.cluster_id, "-c", config, "--standalone")
    assert done.exit_code == 0, done.stdout + done.stderr
    with node:
        shown = java.tool(
            "metadata-quorum",
            *("--bootstrap-controller", node.bootstrap_controller, "describe", "--status"),
        )
        assert f"ClusterId:              {node.cluster_id}" in shown.stdout


def test_formatting_says_what_kafkas_tool_says(java: JavaHelper, tmp_path: Path) -> None:
    said = []
    for name in ("ours", "theirs"):
        node = OwnNode(tmp_path / name, for_kafka_too=True)
        arguments = ("format", "-t", node.cluster_id, "-c", node.write_config(), "--standalone")
        if name == "ours":
            done = metaquorum("storage", *arguments)
            code, stdout = done.exit_code, done.stdout
        else:
            answer = java.tool("storage", *arguments)
            code, stdout = answer.exit_code, answer.stdout
        lines = [
            line.replace(str(node.data_directory), "DIRECTORY")
            for line in stdout.splitlines()
            if line.startswith("Formatting ")
        ]
        said.append((code, lines))
    assert said[0] == said[1]
