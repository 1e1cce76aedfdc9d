"""Which of the recorded tests a run takes: a few minutes, an hour, all, or named classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from tools.kafka_tests.lists import Recorded, class_of

HOUR_S: Final = 3_300.0  # what fits an hour, with room for a busy machine
START_S: Final = 3.0  # of a class: its JVM
NAMES: Final = ("ci", "hour", "all")
# About five minutes on two cores: what is nearest to a controller.
CI: Final = (
    "BootstrapControllersIntegrationTest",
    "BrokerRegistrationRequestTest",
    "ClusterToolTest",
    "CordonedLogDirsIntegrationTest",
    "DeleteTopicTest",
    "DescribeFeaturesTest",
    "DescribeQuorumRequestTest",
    "FeatureCommandTest",
    "MetadataQuorumCommandTest",
    "ReconfigurableQuorumIntegrationTest",
)


class UnknownClass(Exception):
    """A class was named of which nothing is recorded; the message says which."""


def seconds_of(name: str, record: Mapping[str, Recorded]) -> float:
    """How long the recorded tests of a class took on Kafka."""
    return sum(one.seconds for test, one in record.items() if class_of(test) == name)


def chosen(
    selection: str, named: Sequence[str], record: Mapping[str, Recorded], jobs: int
) -> tuple[list[str], list[str]]:
    """The classes to run, and the recorded ones that do not fit. Classes may be named short."""
    classes = sorted({class_of(test) for test in record})
    if named:
        return [full_name(one, classes) for one in named], []
    if selection == "ci":
        return [full_name(one, classes) for one in CI], []
    if selection == "all":
        return classes, []
    fits: list[str] = []
    left: list[str] = []
    spent_s = 0.0
    for one in sorted(classes, key=lambda name: (seconds_of(name, record), name)):
        spent_s += (seconds_of(one, record) + START_S) / jobs
        (fits if spent_s <= HOUR_S else left).append(one)
    return sorted(fits), sorted(left)


def full_name(name: str, classes: Sequence[str]) -> str:
    """The class of that name, with or without its package; UnknownClass if there is none."""
    found = [one for one in classes if one == name or one.endswith(f".{name}")]
    if len(found) != 1:
        raise UnknownClass(f"{name} is {'ambiguous' if found else 'not among the classes'}")
    return found[0]
