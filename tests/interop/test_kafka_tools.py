"""Kafka's own command line tools answer rightly against us, and ours answers as Kafka's does."""

from __future__ import annotations

import re

import pytest

from tools.kafka import JavaHelper, ToolResult
from tools.own_node import OwnNode, metaquorum
from tools.quota_writer import QuotaWriter

# The wall clock is in these columns: LastFetchTimestamp and LastCaughtUpTimestamp.
TIMES = re.compile(r"\b1\d{12}\b")
# DescribeQuorum 0 and 1 of a table's cell padding depend on the widest cell, which is a time.


def ends(node: OwnNode) -> list[tuple[str, str]]:
    """Both ways to name a node of ours on a tool's command line."""
    return [
        ("--bootstrap-server", node.bootstrap_server),
        ("--bootstrap-controller", node.bootstrap_controller),
    ]


def answered(done: ToolResult) -> str:
    assert done.exit_code == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


def test_metadata_quorum_status_is_the_same_from_kafkas_tool_and_ours(
    quiet_node: OwnNode, java: JavaHelper
) -> None:
    for option, address in ends(quiet_node):
        theirs = answered(java.tool("metadata-quorum", option, address, "describe", "--status"))
        assert f"ClusterId:              {quiet_node.cluster_id}" in theirs
        assert "LeaderId:               1" in theirs
        assert "MaxFollowerLag:         0" in theirs
        ours = metaquorum("metadata-quorum", option, address, "describe", "--status")
        assert ours.exit_code == 0, ours.stderr
        assert ours.stdout == theirs


def test_metadata_quorum_replication_is_the_same_from_both_tools(
    quiet_node: OwnNode, java: JavaHelper
) -> None:
    for option, address in ends(quiet_node):
        arguments = (option, address, "describe", "--replication")
        theirs = answered(java.tool("metadata-quorum", *arguments))
        ours = metaquorum("metadata-quorum", *arguments)
        assert ours.exit_code == 0, ours.stderr
        assert TIMES.sub("TIME", ours.stdout) == TIMES.sub("TIME", theirs)
        assert TIMES.search(theirs), theirs
        human = (*arguments, "--human-readable")
        assert " ms ago" in answered(java.tool("metadata-quorum", *human))
        assert " ms ago" in metaquorum("metadata-quorum", *human).stdout


def test_get_offsets_tells_the_start_the_end_and_the_offset_of_a_time(
    quiet_node: OwnNode, java: JavaHelper
) -> None:
    with QuotaWriter.open(quiet_node.port) as writer:
        writer.set("offsets", "producer_byte_rate", 1.0)
    described = answered(
        java.tool(
            "metadata-quorum",
            *("--bootstrap-server", quiet_node.bootstrap_server, "describe", "--status"),
        )
    )
    found = re.search(r"HighWatermark: +(\d+)", described)
    assert found is not None
    end = int(found.group(1))

    def offset(time: str) -> str:
        done = java.tool(
            "get-offsets",
            *("--bootstrap-server", quiet_node.bootstrap_server),
            *("--topic", "__cluster_metadata", "--time", time),
        )
        return answered(done).strip()

    assert offset("-1") == f"__cluster_metadata:0:{end}"
    assert offset("latest") == f"__cluster_metadata:0:{end}"
    assert offset("-2") == "__cluster_metadata:0:0"
    assert offset("earliest") == "__cluster_metadata:0:0"
    # The newest timestamp belongs to the quota: offset end - 1.
    assert offset("max-timestamp") == f"__cluster_metadata:0:{end - 1}"
    assert offset("0") == "__cluster_metadata:0:0"


def test_topics_describe_shows_the_metadata_topic_with_its_leader(
    node: OwnNode, java: JavaHelper
) -> None:
    servers = ("--bootstrap-server", node.bootstrap_server)
    shown = answered(java.tool("topics", *servers, "--describe", "--topic", "__cluster_metadata"))
    assert "Topic: __cluster_metadata\tTopicId: AAAAAAAAAAAAAAAAAAAAAQ\tPartitionCount: 1" in shown
    assert re.search(r"Partition: 0\tLeader: 1\tReplicas: 1\tIsr: 1", shown), shown
    assert "__cluster_metadata" in answered(java.tool("topics", *servers, "--list"))


def test_broker_api_versions_lists_what_we_serve(node: OwnNode, java: JavaHelper) -> None:
    shown = answered(java.tool("broker-api-versions", "--bootstrap-server", node.bootstrap_server))
    assert f"{node.bootstrap_server} (id: 1 rack: null" in shown
    assert re.search(r"Fetch\(1\): 0 to 1\d", shown), shown
    assert "AlterClientQuotas(49)" in shown


@pytest.mark.parametrize("end", [0, 1], ids=["bootstrap-server", "bootstrap-controller"])
def test_cluster_id_is_told(node: OwnNode, java: JavaHelper, end: int) -> None:
    shown = answered(java.tool("cluster", "cluster-id", *ends(node)[end]))
    assert shown == f"Cluster ID: {node.cluster_id}\n"


@pytest.mark.parametrize("end", [0, 1], ids=["bootstrap-server", "bootstrap-controller"])
def test_features_describe_shows_the_metadata_version(
    node: OwnNode, java: JavaHelper, end: int
) -> None:
    shown = answered(java.tool("features", *ends(node)[end], "describe"))
    assert re.search(r"Feature: metadata\.version\s+SupportedMinVersion: \S+", shown), shown


def test_configs_sets_shows_and_removes_quotas(node: OwnNode, java: JavaHelper) -> None:
    servers = ("--bootstrap-server", node.bootstrap_server)

    def configs(*arguments: str) -> str:
        return answered(java.tool("configs", *servers, *arguments))

    alice = ("--entity-type", "users", "--entity-name", "alice")
    configs("--alter", *alice, "--add-config", "producer_byte_rate=1024,request_percentage=12.5")
    shown = configs("--describe", *alice)
    assert "Quota configs for user-principal 'alice' are " in shown
    assert "producer_byte_rate=1024.0" in shown
    assert "request_percentage=12.5" in shown

    both = (*alice, "--entity-type", "clients", "--entity-name", "batch")
    configs("--alter", *both, "--add-config", "consumer_byte_rate=4096")
    assert "user-principal 'alice', client-id 'batch'" in configs("--describe", *both)

    default = ("--entity-type", "users", "--entity-default")
    configs("--alter", *default, "--add-config", "consumer_byte_rate=77")
    assert "the default user-principal are consumer_byte_rate=77.0" in configs(
        "--describe", *default
    )

    address = ("--entity-type", "ips", "--entity-name", "10.1.2.3")
    configs("--alter", *address, "--add-config", "connection_creation_rate=5")
    assert "connection_creation_rate=5.0" in configs("--describe", *address)

    configs("--alter", *alice, "--delete-config", "producer_byte_rate,request_percentage")
    assert "producer_byte_rate" not in configs("--describe", *alice)

    wrong = java.tool("configs", *servers, "--alter", *alice, "--add-config", "no_such_quota=1")
    assert wrong.exit_code != 0


@pytest.mark.parametrize("end", [0, 1], ids=["bootstrap-server", "bootstrap-controller"])
def test_configs_shows_what_the_log_sets_for_all_brokers_and_for_one(
    node: OwnNode, java: JavaHelper, end: int
) -> None:
    """The texts are those that the tool prints of a fresh controller of 4.3.1."""
    brokers = (*ends(node)[end], "--describe", "--entity-type", "brokers")
    for_all = "DYNAMIC_DEFAULT_BROKER_CONFIG:min.insync.replicas=1"
    assert answered(java.tool("configs", *brokers, "--entity-default")) == (
        "Default configs for brokers in the cluster are:\n"
        f"  min.insync.replicas=1 sensitive=false synonyms={{{for_all}}}\n"
    )
    assert answered(java.tool("configs", *brokers, "--entity-name", "1")) == (
        "Dynamic configs for broker 1 are:\n"
    )
    told = answered(java.tool("configs", *brokers, "--entity-name", "1", "--all")).splitlines()
    assert told[0] == "All configs for broker 1 are:"
    for line in (
        "broker.id=1 sensitive=false "
        "synonyms={STATIC_BROKER_CONFIG:broker.id=1, DEFAULT_CONFIG:broker.id=-1}",
        f"min.insync.replicas=1 sensitive=false synonyms={{{for_all}, "
        "DEFAULT_CONFIG:min.insync.replicas=1}",
        "ssl.key.password=null sensitive=true synonyms={}",
    ):
        assert f"  {line}" in told


def test_the_admin_client_alters_and_describes_quotas(node: OwnNode, java: JavaHelper) -> None:
    servers = node.bootstrap_server
    java.alter_quota(servers, {"client-id": "admin"}, {"producer_byte_rate": 10.0})
    assert ({"client-id": "admin"}, {"producer_byte_rate": 10.0}) in java.describe_quotas(servers)
    java.alter_quota(servers, {"client-id": "admin"}, {"producer_byte_rate": None})
    assert java.describe_quotas(servers, {"client-id": "admin"}) == []


def test_consumer_groups_list_does_not_hang(node: OwnNode, java: JavaHelper) -> None:
    done = java.tool("consumer-groups", "--bootstrap-server", node.bootstrap_server, "--list")
    assert done.exit_code == 0, done.stderr
