"""Asking a quorum: who is asked, whose hint is followed, and what is said when nobody answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.cli.main import run
from metaquorum.cli.target import parse_bootstrap, parse_target
from metaquorum.client import quorum_question
from metaquorum.client.connection import ConnectionFailed, VersionsDoNotMeet
from metaquorum.client.quorum_question import CONTROLLERS, DESCRIBE_CLUSTER, QuorumQuestion
from metaquorum.config.listeners import HostPort
from metaquorum.wire.generated import describe_cluster_response as cluster_wire
from metaquorum.wire.generated import describe_quorum_response as quorum_wire
from metaquorum.wire.generated import error_codes

Served = dict[tuple[str, int], Callable[[int], object]]


@define
class Servers:
    """Controllers by address; what each answers to an API. Time passes only by sleeping."""

    answers: Served
    asked: list[tuple[str, int]] = field(factory=list)
    seconds: float = 0.0

    def open(self, host: str, port: int, **_: object) -> Any:
        self.asked.append((host, port))
        if (host, port) not in self.answers:
            raise ConnectionFailed(f"{host}:{port}: refused")
        return Conversation(self, host, port)

    def now(self) -> float:
        return self.seconds

    def sleep(self, seconds: float) -> None:
        self.seconds += seconds


@define
class Conversation:
    servers: Servers
    host: str
    port: int

    def __enter__(self) -> Conversation:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def best_version(self, api_key: int, least: int = 0) -> int:
        return 2

    def ask(self, api_key: int, version: int, request: object) -> object:
        answer = self.servers.answers[(self.host, self.port)](api_key)
        if isinstance(answer, Exception):
            raise answer
        return answer


def cluster(controller_id: int) -> object:
    nodes = [cluster_wire.DescribeClusterBroker(n, f"n{n}", 9093) for n in (1, 2, 3)]
    return cluster_wire.DescribeClusterResponse(
        cluster_id="CLUSTER", controller_id=controller_id, endpoint_type=2, brokers=nodes
    )


def quorum(partition: quorum_wire.PartitionData, **top: Any) -> object:
    topics = [quorum_wire.TopicData(METADATA_TOPIC, [partition])]
    return quorum_wire.DescribeQuorumResponse(topics=topics, **top)


def leading(api_key: int) -> object:
    if api_key == DESCRIBE_CLUSTER:
        return cluster(2)
    voter = quorum_wire.ReplicaState(2, bytes(16), 10, 1, 1)
    return quorum(quorum_wire.PartitionData(0, 0, None, 2, 5, 9, [voter]))


def following(controller_id: int) -> Callable[[int], object]:
    def answer(api_key: int) -> object:
        if api_key == DESCRIBE_CLUSTER:
            return cluster(controller_id)
        return quorum(quorum_wire.PartitionData(0, error_codes.NOT_LEADER_OR_FOLLOWER))

    return answer


def refusing(code: int, message: str = "") -> Callable[[int], object]:
    def answer(api_key: int) -> object:
        if api_key == DESCRIBE_CLUSTER:
            return cluster(2)
        return quorum_wire.DescribeQuorumResponse(error_code=code, error_message=message)

    return answer


def question(servers: Servers, *places: str, timeout_ms: int = 1_000) -> QuorumQuestion:
    return QuorumQuestion(
        [HostPort(place, 9093) for place in places],
        CONTROLLERS,
        timeout_ms,
        open=servers.open,
        now=servers.now,
        sleep=servers.sleep,
    )


def test_the_leader_answers_at_once() -> None:
    servers = Servers({("n2", 9093): leading})
    view = question(servers, "n2").answer()
    assert (view.cluster_id, view.leader_id, view.leader_epoch) == ("CLUSTER", 2, 5)
    assert servers.asked == [("n2", 9093)]


def test_a_followers_hint_is_followed_without_waiting() -> None:
    servers = Servers({("n1", 9093): following(2), ("n2", 9093): leading})
    assert question(servers, "n1").answer().leader_id == 2
    assert servers.asked == [("n1", 9093), ("n2", 9093)]
    assert servers.seconds == 0


def test_the_hint_in_the_error_row_goes_before_the_clusters() -> None:
    def follower(api_key: int) -> object:
        if api_key == DESCRIBE_CLUSTER:
            return cluster(-1)
        nodes = [quorum_wire.Node(2, [quorum_wire.Listener("CONTROLLER", "elsewhere", 1)])]
        row = quorum_wire.PartitionData(0, error_codes.NOT_LEADER_OR_FOLLOWER, None, 2, 5)
        return quorum(row, nodes=nodes)

    servers = Servers({("n1", 9093): follower, ("elsewhere", 1): leading})
    question(servers, "n1").answer()
    assert servers.asked == [("n1", 9093), ("elsewhere", 1)]


def test_an_error_row_of_zeros_is_not_taken_for_leader_0() -> None:
    def follower(api_key: int) -> object:
        if api_key == DESCRIBE_CLUSTER:
            return cluster(-1)
        row = quorum_wire.PartitionData(0, error_codes.NOT_LEADER_OR_FOLLOWER)
        return quorum(row, nodes=[quorum_wire.Node(0, [quorum_wire.Listener("C", "wrong", 1)])])

    servers = Servers({("n1", 9093): follower, ("n2", 9093): leading})
    question(servers, "n1", "n2").answer()
    assert ("wrong", 1) not in servers.asked


def test_the_next_bootstrap_server_is_tried_when_one_is_down() -> None:
    servers = Servers({("n2", 9093): leading})
    assert question(servers, "n1", "n2").answer().leader_id == 2


def test_an_election_is_waited_for() -> None:
    turn = iter((following(-1), following(-1), leading))
    present: list[Callable[[int], object]] = []

    def changing(api_key: int) -> object:
        if api_key == DESCRIBE_CLUSTER:
            present[:] = [next(turn)]
        return present[0](api_key)

    servers = Servers({("n2", 9093): changing})
    assert question(servers, "n2").answer().leader_id == 2
    assert servers.seconds == pytest.approx(0.2)


def test_it_ends_when_nobody_leads_and_says_what_everybody_said() -> None:
    servers = Servers({("n1", 9093): following(-1)})
    with pytest.raises(OperatorError) as caught:
        question(servers, "n1", "n2").answer()
    assert str(caught.value) == (
        "nobody described the quorum within 1 s (n1:9093: NOT_LEADER_OR_FOLLOWER; n2:9093: refused)"
    )


def test_two_followers_that_name_each_other_do_not_hold_us_for_ever() -> None:
    servers = Servers({("n1", 9093): following(2), ("n2", 9093): following(1)})
    with pytest.raises(OperatorError, match="nobody described the quorum"):
        question(servers, "n1").answer()
    assert len(servers.asked) < 100


def test_a_refusal_is_told_and_not_tried_again() -> None:
    code = error_codes.CLUSTER_AUTHORIZATION_FAILED
    servers = Servers({("n2", 9093): refusing(code, "not you")})
    with pytest.raises(OperatorError, match="n2:9093: CLUSTER_AUTHORIZATION_FAILED: not you"):
        question(servers, "n2").answer()
    assert len(servers.asked) == 1


def test_a_server_without_the_api_is_told() -> None:
    def old(api_key: int) -> object:
        return VersionsDoNotMeet("n2:9093 does not serve DescribeQuorum")

    with pytest.raises(OperatorError, match="does not serve DescribeQuorum"):
        question(Servers({("n2", 9093): old}), "n2").answer()


def test_the_wrong_kind_of_bootstrap_is_told_with_the_right_one() -> None:
    def broker(api_key: int) -> object:
        return cluster_wire.DescribeClusterResponse(error_code=error_codes.MISMATCHED_ENDPOINT_TYPE)

    with pytest.raises(OperatorError, match="not for --bootstrap-controller; use --bootstrap-serv"):
        question(Servers({("n2", 9093): broker}), "n2").answer()


def test_bootstrap_addresses_are_read() -> None:
    assert parse_bootstrap("a:1, [::1]:2,") == (HostPort("a", 1), HostPort("::1", 2))
    assert parse_bootstrap("PLAINTEXT://a:1,://b:2") == (HostPort("a", 1), HostPort("b", 2))
    for text in ("", "a", ",", "PLAINTEXT://"):
        with pytest.raises(OperatorError):
            parse_bootstrap(text)


def test_the_clients_properties_are_obeyed(tmp_path: Path) -> None:
    path = tmp_path / "client.properties"
    path.write_text("default.api.timeout.ms=5000\nrequest.timeout.ms=700\nclient.id=me\n")
    target = parse_target(None, "a:1", str(path))
    assert (target.timeout_ms, target.request_timeout_ms, target.client_id) == (5_000, 700, "me")
    path.write_text("security.protocol=SASL_PLAINTEXT\nsasl.mechanism=GSSAPI\n")
    with pytest.raises(OperatorError, match="GSSAPI is not spoken here"):
        parse_target(None, "a:1", str(path))
    path.write_text("request.timeout.ms=soon\n")
    with pytest.raises(OperatorError, match="'soon' is not a number of milliseconds"):
        parse_target(None, "a:1", str(path))


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["describe", "--status"], "give one of --bootstrap-server and --bootstrap-controller"),
        (
            ["--bootstrap-server", "a:1", "--bootstrap-controller", "a:1", "describe", "--status"],
            "give one of",
        ),
        (["--bootstrap-server", "a:1", "describe"], "needs one of --status and --replication"),
        (["--bootstrap-server", "a:1", "describe", "--status", "--replication"], "needs one of"),
        (
            ["--bootstrap-server", "a:1", "describe", "--status", "--human-readable"],
            "--human-readable is for --replication",
        ),
    ],
)
def test_a_command_line_that_says_too_little_or_too_much_is_refused(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["metadata-quorum", *arguments]) == 1
    assert told in capsys.readouterr().err


def test_the_answer_is_printed_in_the_form_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    servers = Servers({("n2", 9093): leading})
    answer = question(servers, "n2").answer()
    monkeypatch.setattr(quorum_question.QuorumQuestion, "answer", lambda self: answer)
    whom = ["metadata-quorum", "--bootstrap-controller", "n2:9093", "describe"]
    assert run([*whom, "--status"]) == 0
    assert capsys.readouterr().out.startswith("ClusterId:              CLUSTER\n")
    assert run([*whom, "--replication"]) == 0
    assert capsys.readouterr().out.startswith("NodeId\tDirectoryId")
    assert run([*whom, "--status", "-o", "json"]) == 0
    assert capsys.readouterr().out.startswith('{"clusterId":"CLUSTER"')
