"""Which classes of Kafka's test jars start a cluster, and by what: read from their constants."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

KIT: Final = b"org/apache/kafka/common/test/KafkaClusterTestKit"
STREAMS_CLUSTER: Final = b"org/apache/kafka/streams/integration/utils/EmbeddedKafkaCluster"
CLUSTER_TEST: Final = b"Lorg/apache/kafka/common/test/api/Cluster"
IN_THE_JVM: Final = (b"kafka/server/QuorumTestHarness", b"kafka/server/KRaftQuorumImplementation")
_NO_TEST: Final = re.compile(r"\$|/(TestKit|Raft|Abstract)|package-info")
_UTILITIES: Final = ("EmbeddedKafkaCluster", "IntegrationTestUtils", "TestBase")
_BASE_CLASSES: Final = 4  # how many classes up a harness may be


def classes_with_clusters(jars: Path) -> list[str]:
    """Test classes that start their cluster by KafkaClusterTestKit, sorted."""
    marks = (CLUSTER_TEST, KIT, STREAMS_CLUSTER)
    return sorted(
        name
        for name, text in _classes(jars)
        if any(one in text for one in marks) and not name.endswith(_UTILITIES)
    )


def classes_with_their_own_controller(jars: Path) -> list[str]:
    """Test classes whose base class makes a ControllerServer in the JVM, past that class."""
    texts = dict(_classes(jars))
    harness = set(IN_THE_JVM)
    for _ in range(_BASE_CLASSES):
        harness |= {
            name.replace(".", "/").encode()
            for name, text in texts.items()
            if name.endswith(("Harness", "BaseRequestTest", "BaseTest")) and _names(text, harness)
        }
    with_clusters = set(classes_with_clusters(jars))
    return sorted(
        name
        for name, text in texts.items()
        if name.endswith("Test") and name not in with_clusters and _names(text, harness)
    )


def _names(text: bytes, classes: set[bytes]) -> bool:
    return any(one in text for one in classes)


def _classes(jars: Path) -> Iterator[tuple[str, bytes]]:
    """Top-level classes of the test jars, by name, with the bytes of their class files."""
    for jar in sorted(jars.glob("kafka*-test.jar")):
        with zipfile.ZipFile(jar) as opened:
            inner: dict[str, bytes] = {}
            for entry in opened.namelist():
                if not entry.endswith(".class"):
                    continue
                top = entry.removesuffix(".class").partition("$")[0]
                inner[top] = inner.get(top, b"") + opened.read(entry)
            for top, text in inner.items():
                if not _NO_TEST.search(top) and b"org/junit/jupiter" in text:
                    yield top.replace("/", "."), text
