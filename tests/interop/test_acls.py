"""Rights beside Kafka's: its own authoriser decides as ours, its own tool writes our rules."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from metaquorum.client.connection import Connection
from metaquorum.wire.generated import (
    create_acls_request,
    delete_acls_request,
    describe_acls_request,
    error_codes,
)
from tools.java import acl_oracle
from tools.kafka import JavaHelper, KafkaCluster
from tools.kafka.ports import LOOPBACK
from tools.own_node import OwnNode
from tools.process import until

CASES = int(os.environ.get("METAQUORUM_ACL_CASES", acl_oracle.CASES))
SEED = int(os.environ.get("METAQUORUM_ACL_SEED", "0"))
DESCRIBE, CREATE, DELETE = 29, 30, 31
VERSION = 3
RIGHTS = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
}
NOBODY = {**RIGHTS, "super.users": "User:nobody"}

Creation = tuple[int, str, int, str, str, int, int]
Filter = tuple[int, str | None, int, str | None, str | None, int, int]
GOOD: dict[str, list[Creation]] = {
    "a literal one": [(2, "t", 3, "User:a", "*", 3, 3)],
    "the same again": [(2, "t", 3, "User:a", "*", 3, 3)],
    "twice in one request": [(2, "u", 3, "User:a", "*", 3, 3)] * 2,
    "a prefix": [(2, "te", 4, "User:a", "10.0.0.1", 4, 2)],
    "the star": [(2, "*", 3, "User:*", "*", 2, 3)],
    "the star as a prefix": [(2, "*", 4, "User:a", "*", 3, 3)],
    "the cluster": [(4, "kafka-cluster", 3, "User:a", "*", 9, 3)],
    "each kind": [(kind, "x", 3, "User:b", "*", 8, 3) for kind in (2, 3, 5, 6, 7)],
    "each operation": [(2, "o", 3, "User:c", "*", code, 3) for code in range(2, 16)],
    "no host": [(2, "h", 3, "User:a", "", 3, 3)],
    "a host by name": [(2, "h", 3, "User:a", "no.address", 3, 3)],
    "another kind of principal": [(2, "h", 3, "Group:g", "*", 3, 3)],
    "an empty principal's name": [(2, "h", 3, "User:", "*", 3, 3)],
    "a name beyond ASCII": [(2, "Ünï", 3, "User:é:f", "*", 3, 3)],
}
BAD: dict[str, list[Creation]] = {
    "no name": [(2, "", 3, "User:a", "*", 3, 3)],
    "another cluster": [(4, "mine", 3, "User:a", "*", 9, 3)],
    "no kind of principal": [(2, "t", 3, "alice", "*", 3, 3)],
    "no principal": [(2, "t", 3, "", "*", 3, 3)],
    "a good one between bad ones": [
        (2, "", 3, "User:a", "*", 3, 3),
        (2, "good", 3, "User:a", "*", 3, 3),
        (2, "t", 3, "alice", "*", 3, 3),
    ],
}
EVERY: Filter = (1, None, 1, None, None, 1, 1)
FILTERS: dict[str, Filter] = {
    "everything": EVERY,
    "topics": (2, None, 1, None, None, 1, 1),
    "a name": (1, "t", 1, None, None, 1, 1),
    "a literal name": (2, "te", 3, None, None, 1, 1),
    "a prefix": (2, "te", 4, None, None, 1, 1),
    "what covers a name": (2, "test", 2, None, None, 1, 1),
    "what covers the star": (2, "*", 2, None, None, 1, 1),
    "any that match": (1, None, 2, None, None, 1, 1),
    "a principal": (1, None, 1, "User:a", None, 1, 1),
    "a host": (1, None, 1, None, "10.0.0.1", 1, 1),
    "no host": (1, None, 1, None, "", 1, 1),
    "an operation": (1, None, 1, None, None, 8, 1),
    "all operations": (1, None, 1, None, None, 2, 1),
    "denials": (1, None, 1, None, None, 1, 2),
    "nothing": (7, "none", 3, "User:z", "*", 15, 2),
    "an empty name": (1, "", 1, None, None, 1, 1),
}


def created(connection: Connection, rules: list[Creation]) -> list[tuple[str, bool]]:
    """The code of each rule, and whether its message is empty."""
    request = create_acls_request.CreateAclsRequest(
        [create_acls_request.AclCreation(*one) for one in rules]
    )
    answer = connection.ask(CREATE, VERSION, request)
    return [(error_codes.NAMES[row.error_code], row.error_message == "") for row in answer.results]


def described(connection: Connection, wanted: Filter) -> tuple[str, object]:
    """Error code, and the rules in an order of our own."""
    answer = connection.ask(DESCRIBE, VERSION, describe_acls_request.DescribeAclsRequest(*wanted))
    found = sorted(
        (one.resource_type, one.resource_name, one.pattern_type, *told(rule))
        for one in answer.resources
        for rule in one.acls
    )
    return error_codes.NAMES[answer.error_code], (answer.error_message, found)


def told(rule: Any) -> tuple[str, str, int, int]:
    return rule.principal, rule.host, rule.operation, rule.permission_type


def deleted(connection: Connection, *wanted: Filter) -> list[object]:
    """For each filter its code and message, and the rules that it matched."""
    filters = [delete_acls_request.DeleteAclsFilter(*one) for one in wanted]
    answer = connection.ask(DELETE, VERSION, delete_acls_request.DeleteAclsRequest(filters))
    return [
        (
            error_codes.NAMES[row.error_code],
            row.error_message,
            sorted(
                (
                    *(one.error_code, str(one.error_message), one.resource_type),
                    *(one.resource_name, one.pattern_type, *told(one)),
                )
                for one in row.matching_acls
            ),
        )
        for row in answer.filter_results
    ]


@pytest.fixture
def guarded(tmp_path: Path) -> Iterator[OwnNode]:
    """A node of ours whose only client is a super user."""
    with OwnNode(tmp_path / "ours", properties=RIGHTS) as node:
        yield node


def test_kafkas_own_authoriser_decides_as_ours(capsys: pytest.CaptureFixture[str]) -> None:
    report = acl_oracle.run(CASES, SEED)
    with capsys.disabled():
        print(f"\n  {report.cases} questions, {report.allowed} allowed", flush=True)
    assert report.differences == []
    assert report.cases >= CASES
    assert report.allowed > report.cases // 5


def test_acls_are_created_described_and_deleted_as_by_kafka(
    guarded: OwnNode, tmp_path: Path, java: JavaHelper
) -> None:
    with (
        KafkaCluster(
            tmp_path / "kafka",
            controllers=1,
            brokers=0,
            controller_properties=RIGHTS,
            format_tool=java.tool,
        ) as cluster,
        Connection.open(LOOPBACK, cluster.controller_ports[1]) as theirs,
        Connection.open(LOOPBACK, guarded.controller_port) as ours,
    ):
        different = []
        for name, rules in {**GOOD, **BAD}.items():
            said = created(theirs, rules), created(ours, rules)
            if said[0] != said[1]:
                different.append((name, *said))
        for name, wanted in FILTERS.items():
            answers = described(theirs, wanted), described(ours, wanted)
            if answers[0] != answers[1]:
                different.append((name, *answers))
        several = FILTERS["a name"], FILTERS["topics"], FILTERS["nothing"], EVERY
        gone = deleted(theirs, *several), deleted(ours, *several)
        if gone[0] != gone[1]:
            different.append(("deleted", *gone))
        assert not different, "\n".join(map(str, different))
        assert described(ours, EVERY)[1] == ("", [])


def test_kafkas_tool_adds_lists_and_removes_rules(guarded: OwnNode, java: JavaHelper) -> None:
    for place in (
        ("--bootstrap-controller", guarded.bootstrap_controller),
        ("--bootstrap-server", guarded.bootstrap_server),
    ):
        rule = ("--topic", "te", "--resource-pattern-type", "prefixed")
        who = ("--allow-principal", "User:alice", "--operation", "Read")
        added = java.tool("acls", *place, "--add", *who, *rule)
        assert added.exit_code == 0, added.stderr
        listed = java.tool("acls", *place, "--list")
        assert listed.exit_code == 0, listed.stderr
        assert "resourceType=TOPIC, name=te, patternType=PREFIXED" in listed.stdout
        assert "principal=User:alice, host=*, operation=READ, permissionType=ALLOW" in listed.stdout
        removed = java.tool("acls", *place, "--remove", "--force", *who, *rule)
        assert removed.exit_code == 0, removed.stderr
        again = java.tool("acls", *place, "--list")
        assert "alice" not in again.stdout


def test_acls_made_by_an_administrator_bind_all_but_super_users(
    guarded: OwnNode, java: JavaHelper
) -> None:
    read = [(2, "__cluster_metadata", 3, "User:ANONYMOUS", "127.0.0.1", 3, 3)]
    describe = [(4, "kafka-cluster", 3, "User:ANONYMOUS", "*", 8, 3)]
    with Connection.open(LOOPBACK, guarded.port) as connection:
        assert created(connection, read + describe) == [("NONE", True)] * 2
    guarded.stop()
    guarded.properties = NOBODY
    guarded.write_config()
    guarded.start()
    guarded.wait_ready()
    with Connection.open(LOOPBACK, guarded.port) as connection:
        assert described(connection, EVERY)[0] == "NONE"
        (refused,) = created(connection, [(2, "t", 3, "User:a", "*", 3, 3)])
        assert refused[0] == "CLUSTER_AUTHORIZATION_FAILED"
    records = java.consume(guarded.bootstrap_server, count=2)
    assert len(records) >= 2
    told = java.tool(
        "acls", "--bootstrap-server", guarded.bootstrap_server, "--add",
        "--allow-principal", "User:x", "--operation", "Read", "--topic", "t",
    )  # fmt: skip
    assert "ClusterAuthorizationException" in told.stdout + told.stderr
    until(lambda: " request-refused " in guarded.log_file.read_text())
