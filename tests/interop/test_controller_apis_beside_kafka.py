"""Every API that a controller of Kafka lists stands in our table, at the same versions.

What differs is named here with its reason, and nothing else may differ.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.client.connection import Connection
from metaquorum.quorum import adapt
from metaquorum.server.contract.api import sites_of, version_rows
from tools.kafka import KafkaCluster
from tools.kafka.ports import LOOPBACK

Versions = dict[int, tuple[int, int]]

OLD_CLIENTS = "clients of before 4.0 are answered too, at any listener (decision 050)"
READERS = "who reads the log comes to any listener, and asks as of a broker (decision 031)"
OF_4_4 = "Kafka 4.4.0 has it, and so has every node of ours"

EVERYWHERE: dict[int, tuple[tuple[int, int] | None, str]] = {
    1: ((4, 18), OLD_CLIENTS),
    29: ((1, 3), OLD_CLIENTS),
    30: ((1, 3), OLD_CLIENTS),
    31: ((1, 3), OLD_CLIENTS),
    32: ((1, 4), OLD_CLIENTS),
    **dict.fromkeys((0, 2, 3, *range(8, 17), 21, 23, 42, 47, 48, 68, 69, 74, 75), (None, READERS)),
}
NAMED: dict[str, dict[int, tuple[tuple[int, int] | None, str]]] = {
    "4.3.1": EVERYWHERE | {18: ((0, 4), OF_4_4), 94: (None, OF_4_4)},
    "4.4.0": EVERYWHERE,
}
"""By release: API keys at which ours differs, with the versions there, and why."""


def versions_of_kafka(directory: Path, release: str) -> Versions:
    """What a controller of that release answers to ApiVersions."""
    with (
        KafkaCluster(directory, controllers=1, brokers=0, version=release) as kafka,
        Connection.open(LOOPBACK, kafka.controller_ports[1]) as connection,
    ):
        return dict(connection.versions)


def versions_of_ours(*, serves_clients: bool, is_of_4_3: bool = False) -> Versions:
    """The same of a controller listener of ours."""
    rows = sites_of(
        is_controller=True,
        quorum_api_keys=frozenset(adapt.SERVED),
        serves_clients=serves_clients,
        is_of_4_3=is_of_4_3,
    )
    return {key: (lowest, highest) for key, lowest, highest in version_rows(rows)}


def differing(theirs: Versions, ours: Versions) -> dict[int, tuple[int, int] | None]:
    """The versions of theirs, by key, where ours are others; None where they have none."""
    return {
        key: theirs.get(key)
        for key in theirs.keys() | ours.keys()
        if theirs.get(key) != ours.get(key)
    }


@pytest.mark.parametrize("release", NAMED)
def test_apis_of_a_controller_listener_are_those_of_kafka(tmp_path: Path, release: str) -> None:
    theirs = versions_of_kafka(tmp_path, release)
    named = {key: versions for key, (versions, _) in NAMED[release].items()}
    assert differing(theirs, versions_of_ours(serves_clients=True)) == named
    ours = versions_of_ours(serves_clients=False, is_of_4_3=release == "4.3.1")
    assert ours == theirs
