"""Every kind of client does its tasks; what came of them is what ``docs/clients.md`` says.

With CLIENTS_REWRITE=1 in the environment each client's row is written instead of compared.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest
from attrs import evolve, frozen

from tests.interop import client_task_programs as programs
from tests.interop import client_task_python as python
from tests.interop.asking_proxy import AskingProxy
from tests.interop.client_tasks import ACTIONS, TOPIC, ClientTask, Outcomes
from tests.interop.disk_records import DiskRecord, data_records
from tests.interop.matrix_page import PAGE, YES, Row, committed, rendered, row_of
from tests.interop.resting_node import resting_node
from tools.kafka import KAFKA_VERSION, JavaHelper

USERS = 20
REWRITE = os.environ.get("CLIENTS_REWRITE") == "1"
CONFIGS = ("cleanup.policy", "retention.ms", "segment.bytes")  # every client names these
JAVA_RELEASES = (KAFKA_VERSION, "2.8.2", "1.1.1", "0.10.2.2")


@frozen
class Client:
    """How to run one, and how to learn which version it is."""

    run: Callable[[JavaHelper, ClientTask], Outcomes]
    version: Callable[[], str]


def _java_client(release: str) -> Client:
    return Client(lambda _, task: programs.java_client(release, task), lambda: release)


def _spark(mode: str) -> Client:
    return Client(lambda _, task: programs.spark(mode, task), programs.spark_version)


CLIENTS = {
    **{f"kafka-clients {release}": _java_client(release) for release in JAVA_RELEASES},
    "Kafka's tools": Client(programs.console_tools, lambda: KAFKA_VERSION),
    "confluent-kafka": Client(
        lambda _, task: python.confluent_kafka(task), python.confluent_kafka_version
    ),
    "kcat": Client(lambda _, task: programs.kcat(task), programs.kcat_version),
    "aiokafka": Client(lambda _, task: python.aiokafka(task), python.aiokafka_version),
    "kafka-python": Client(lambda _, task: python.kafka_python(task), python.kafka_python_version),
    **{f"Spark, {mode}": _spark(mode) for mode in ("batch", "stream")},
    "kafkajs": Client(lambda _, task: programs.kafkajs(task), lambda: programs.KAFKAJS_VERSION),
}
ORDER = [*CLIENTS]


@frozen
class Scene:
    """A log that rests, and the relay through which clients come to it."""

    proxy: AskingProxy
    records: list[DiskRecord]
    task: ClientTask


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """A node whose advertised address is the relay's; after its last write nothing is written."""
    with resting_node(tmp_path_factory.mktemp("matrix"), USERS) as (node, proxy):
        yield _scene(proxy, data_records(node.metadata_directory))


def _scene(proxy: AskingProxy, records: list[DiskRecord]) -> Scene:
    """The task starts in the middle, at a record before which all are older."""
    timestamp_ms = records[len(records) // 2].timestamp_ms
    late = [one for one in records if one.timestamp_ms >= timestamp_ms]
    task = ClientTask(proxy.bootstrap_server, len(records), late[0].offset, len(late), timestamp_ms)
    return Scene(proxy, records, task)


@pytest.mark.parametrize(
    "name",
    [
        # Spark's jars are 280 MB, which is much for a run that people wait for.
        pytest.param(name, marks=[pytest.mark.soak] if name.startswith("Spark") else [])
        for name in CLIENTS
    ],
)
def test_a_client_does_its_tasks_as_the_page_says(
    name: str, scene: Scene, java: JavaHelper
) -> None:
    client = CLIENTS[name]
    with scene.proxy.recording() as told:
        outcomes = client.run(java, scene.task)
    check(outcomes, scene.records, scene.task)
    settle(row_of(name, client.version(), outcomes, told))


def test_the_page_is_as_it_is_generated() -> None:
    rows = committed()
    assert [*rows] == ORDER
    assert PAGE.read_text(encoding="utf-8") == rendered([*rows.values()])


def check(outcomes: Outcomes, records: list[DiskRecord], task: ClientTask) -> None:
    """Whatever a client did not refuse must be what lies on disk."""
    assert set(outcomes) == set(ACTIONS)
    pairs = [(one.offset, one.value) for one in records]
    wanted = {
        "beginning": pairs,
        "offset": pairs[-task.count_from_offset :],
        "timestamp": pairs[-task.count_from_offset :],
    }
    for name, outcome in outcomes.items():
        if outcome.error or outcome.absent:
            continue
        if name in wanted:
            expected = [
                (offset, None if told is None else value)
                for (offset, value), (_, told) in zip(wanted[name], outcome.records, strict=True)
            ]
            assert list(outcome.records) == expected, name
        elif name == "find":
            assert outcome.offsets == (task.offset,)
        elif name == "offsets":
            assert outcome.offsets == (0, records[-1].offset + 1)
        elif name == "topics":
            assert outcome.names == (TOPIC,)
        elif name == "group":
            assert outcome.records, "nothing was read in a group"
            known = dict(pairs)
            for offset, told in outcome.records:
                assert offset in known
                assert told is None or told == known[offset]
        elif name == "configs":
            assert set(CONFIGS) <= set(outcome.names)
        else:
            raise AssertionError(f"{name} must be refused, and was not: {outcome}")


def settle(row: Row) -> None:
    """Hold a row against the page; another release may ask for other versions, no more."""
    page = committed()
    if REWRITE:
        page[row.client] = row
        order = {name: number for number, name in enumerate(ORDER)}
        rows = sorted(page.values(), key=lambda one: order.get(one.client, len(order)))
        PAGE.write_text(rendered(rows), encoding="utf-8")
        return
    told = page[row.client]
    if row.version != told.version:
        told = evolve(told, version=row.version, asked=row.asked, sessions=row.sessions)
    assert row == told
    assert YES in row.can
