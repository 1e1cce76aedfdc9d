"""Adding and removing voters from the command line: what is asked, whom, and what is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import uuid_text
from metaquorum.cli.main import run
from metaquorum.cli.voter_commands import new_controller
from metaquorum.cli.voter_question import ADD_RAFT_VOTER, REMOVE_RAFT_VOTER, VoterQuestion
from metaquorum.client.connection import ConnectionFailed
from metaquorum.client.leader_question import CONTROLLERS, DESCRIBE_CLUSTER
from metaquorum.config.listeners import HostPort, Listener
from metaquorum.storage import meta_properties
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.posix import PosixDisk
from metaquorum.wire.generated import (
    add_raft_voter_response,
    describe_cluster_response,
    error_codes,
    remove_raft_voter_response,
)

DIRECTORY = bytes(range(16))
TEXT = uuid_text(DIRECTORY)
CLUSTER = "MkU3OEVBNTcwNTJENDM2Qk"
PROPERTIES = """\
process.roles=controller
node.id=4
controller.quorum.bootstrap.servers=localhost:9093
controller.listener.names=CONTROLLER,SECOND
listeners=PLAINTEXT://x:2,SECOND://h:1,CONTROLLER://[::1]:9093
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SECOND:PLAINTEXT
log.dirs={data}
"""


@define
class Controllers:
    """Two controllers, of which the second leads and answers ``says``."""

    says: Callable[[], tuple[int, str | None]] = lambda: (error_codes.NONE, None)
    asked: list[tuple[str, int, Any]] = field(factory=list)

    def open(self, host: str, port: int, **_: object) -> Any:
        return Conversation(self, host, port)


@define
class Conversation:
    controllers: Controllers
    host: str
    port: int

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def best_version(self, api_key: int, least: int = 0) -> int:
        return 1

    def ask(self, api_key: int, version: int, request: Any) -> Any:
        if api_key == DESCRIBE_CLUSTER:
            rows = [
                describe_cluster_response.DescribeClusterBroker(n, f"n{n}", 9093) for n in (1, 2)
            ]
            return describe_cluster_response.DescribeClusterResponse(controller_id=2, brokers=rows)
        self.controllers.asked.append((self.host, api_key, request))
        form: Any = (
            add_raft_voter_response.AddRaftVoterResponse
            if api_key == ADD_RAFT_VOTER
            else remove_raft_voter_response.RemoveRaftVoterResponse
        )
        if self.host != "n2":
            return form(0, error_codes.NOT_LEADER_OR_FOLLOWER, "")
        return form(0, *self.controllers.says())


def question(controllers: Controllers) -> VoterQuestion:
    return VoterQuestion([HostPort("n1", 9093)], CONTROLLERS, 1_000, open=controllers.open)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    """The server.properties of a formatted controller."""
    data = tmp_path / "data"
    data.mkdir()
    meta_properties.write(PosixDisk(), str(data), MetaProperties(CLUSTER, 4, DIRECTORY))
    path = tmp_path / "server.properties"
    path.write_text(PROPERTIES.format(data=data))
    return path


def command(*arguments: str | Path) -> int:
    return run(["metadata-quorum", "--bootstrap-controller", "localhost:1", *map(str, arguments)])


def test_the_leader_is_asked_to_add_what_was_named():
    controllers = Controllers()
    question(controllers).add(4, DIRECTORY, [Listener("CONTROLLER", "d", 9093)])
    assert [(host, key) for host, key, _ in controllers.asked] == [
        ("n1", ADD_RAFT_VOTER),
        ("n2", ADD_RAFT_VOTER),
    ]
    request = controllers.asked[-1][2]
    assert (request.cluster_id, request.voter_id) == (None, 4)
    assert request.voter_directory_id == DIRECTORY and request.ack_when_committed
    assert [(one.name, one.host, one.port) for one in request.listeners] == [
        ("CONTROLLER", "d", 9093)
    ]


def test_the_leader_is_asked_to_remove_what_was_named():
    controllers = Controllers()
    question(controllers).remove(4, DIRECTORY)
    host, key, request = controllers.asked[-1]
    assert (host, key, request.voter_id) == ("n2", REMOVE_RAFT_VOTER, 4)
    assert request.voter_directory_id == DIRECTORY


def test_a_refusal_is_told_with_its_words_and_not_tried_again():
    controllers = Controllers(lambda: (error_codes.DUPLICATE_VOTER, "4 is there"))
    with pytest.raises(OperatorError, match="n2:9093: DUPLICATE_VOTER: 4 is there"):
        question(controllers).add(4, DIRECTORY, [])
    assert len(controllers.asked) == 2


def test_a_change_whose_answer_was_lost_is_not_asked_for_again():
    def lost() -> tuple[int, str | None]:
        raise ConnectionFailed("n2:9093: no answer in time")

    controllers = Controllers(lost)
    with pytest.raises(OperatorError, match="whether the change was made is not known"):
        question(controllers).remove(4, DIRECTORY)
    assert len(controllers.asked) == 2


def test_a_dry_run_says_what_kafkas_tool_says(config: Path, capsys: pytest.CaptureFixture[str]):
    assert command("--command-config", config, "add-controller", "--dry-run") == 0
    assert capsys.readouterr().out == (
        f"DRY RUN of adding controller 4 with directory id {TEXT} "
        "and endpoints: CONTROLLER://[::1]:9093, SECOND://h:1\n"
    )
    assert command("remove-controller", "-i", "4", "-d", TEXT, "--dry-run") == 0
    assert capsys.readouterr().out == (
        f"DRY RUN of removing  KRaft controller 4 with directory id {TEXT}\n"
    )


def test_what_was_done_is_said_as_kafkas_tool_says_it(
    config: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    done: list[tuple[Any, ...]] = []
    monkeypatch.setattr(VoterQuestion, "add", lambda self, *what: done.append(what))
    monkeypatch.setattr(VoterQuestion, "remove", lambda self, *what: done.append(what))
    assert command("--command-config", config, "add-controller") == 0
    assert capsys.readouterr().out.startswith(f"Added controller 4 with directory id {TEXT} and ")
    assert command("remove-controller", "--controller-id", "4", "-d", TEXT) == 0
    assert capsys.readouterr().out == f"Removed  KRaft controller 4 with directory id {TEXT}\n"
    assert done[0][:2] == done[1] == (4, DIRECTORY)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["add-controller"], "add-controller needs --command-config"),
        (["remove-controller", "-i", "-4", "-d", TEXT], "--controller-id: -4 is negative"),
        (["remove-controller", "-i", "4", "-d", "xx"], "--controller-directory-id: "),
        (["remove-controller", "-i", "4"], "Missing option"),
        (["remove-controller", "-i", "x", "-d", TEXT], "it takes a whole number"),
    ],
)
def test_a_command_line_that_names_no_controller_is_refused(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
):
    assert command(*arguments) == 1
    output = capsys.readouterr()
    assert told in output.err and not output.out


def test_a_node_that_is_no_formatted_controller_cannot_be_added(config: Path):
    text = config.read_text()
    config.write_text(text.replace("node.id=4", "node.id=5"))
    with pytest.raises(OperatorError, match=r"belongs to node 4, .* says node 5"):
        new_controller(str(config))
    config.write_text(text.replace("/data", "/elsewhere"))
    with pytest.raises(OperatorError, match="elsewhere is not formatted"):
        new_controller(str(config))
    config.write_text(text.replace("process.roles=controller", "process.roles=broker"))
    with pytest.raises(OperatorError, match=r"process\.roles names no controller"):
        new_controller(str(config))
