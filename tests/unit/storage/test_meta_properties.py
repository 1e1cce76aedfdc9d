"""meta.properties: Kafka's text both ways."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import parse_uuid
from metaquorum.storage import meta_properties
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.testing.sim.disk import SimDisk

KAFKAS = (
    b"#\n#Fri Nov 20 14:27:34 UTC 2026\nnode.id=1\ndirectory.id=EREREREREREiIiIiIiIiIg\n"
    b"version=1\ncluster.id=Xl8Zt4IpR7iUJ1Jxq8v3pA\n"
)
IDENTITY = MetaProperties("Xl8Zt4IpR7iUJ1Jxq8v3pA", 1, parse_uuid("EREREREREREiIiIiIiIiIg"))


def test_a_meta_properties_file_of_kafka_round_trips_byte_for_byte() -> None:
    assert meta_properties.decode(KAFKAS.decode()) == IDENTITY
    assert meta_properties.encode(IDENTITY, "Fri Nov 20 14:27:34 UTC 2026") == KAFKAS


def test_a_directory_without_the_file_is_not_formatted() -> None:
    disk = SimDisk()
    disk.make_directory("/data")

    assert meta_properties.read(disk, "/data") is None
    assert meta_properties.read(disk, "/nowhere") is None


def test_a_written_identity_is_read_back() -> None:
    disk = SimDisk()
    disk.make_directory("/data")
    for identity in (IDENTITY, MetaProperties("a=b:c#d!e\\f", 2_000_000)):
        meta_properties.write(disk, "/data", identity)
        assert meta_properties.read(disk, "/data") == identity


@pytest.mark.parametrize(
    ("cluster_id", "spelled"),
    [
        (" led by a blank", rb"\ led by a blank"),
        ("tab\tline\nreturn\rfeed\f", rb"tab\tline\nreturn\rfeed\f"),
        ("ä", rb"\u00E4"),
        ("\U0001f600", rb"\uD83D\uDE00"),
        ("\x00\x7f", rb"\u0000\u007F"),
        ("\\u00e4", rb"\\u00e4"),
    ],
)
def test_any_cluster_id_is_escaped_as_java_does_and_read_back(
    cluster_id: str, spelled: bytes
) -> None:
    content = meta_properties.encode(MetaProperties(cluster_id, 1))

    assert content.endswith(b"cluster.id=" + spelled + b"\n")
    assert meta_properties.decode(content.decode("iso-8859-1")).cluster_id == cluster_id


def test_a_directory_id_may_be_missing() -> None:
    text = "version=1\nnode.id=7\ncluster.id=c\n"

    assert meta_properties.decode(text) == MetaProperties("c", 7, None)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("version=1\nnode.id=7\n", "cluster.id is missing"),
        ("version=1\ncluster.id=c\n", "node.id is missing"),
        ("version=1\ncluster.id=c\nnode.id=-1\n", "node.id is '-1'"),
        ("version=1\ncluster.id=c\nnode.id=one\n", "node.id is 'one'"),
        ("version=1\ncluster.id=c\nnode.id=2147483648\n", "node.id is '2147483648'"),
        (f"version=1\ncluster.id=c\nnode.id={'9' * 5_000}\n", "node.id is '9999"),
        ("version=2\ncluster.id=c\nnode.id=1\n", "version is '2', only version 1 is known"),
        ("broker.id=1\n", "has version 0, written for ZooKeeper"),
        ("#\n#a date\n", " is empty"),
        ("version=1\ncluster.id=c\nnode.id=1\ndirectory.id=abc\n", "directory.id: 'abc'"),
    ],
)
def test_a_file_that_says_too_little_is_refused_by_name(text: str, why: str) -> None:
    disk = SimDisk.holding({"/data/meta.properties": text.encode()})
    with pytest.raises(OperatorError, match=f"/data/meta.properties.*{why}"):
        meta_properties.read(disk, "/data")
