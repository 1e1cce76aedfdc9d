"""Kafka's jars out of Maven Central, kept under ``build/kafka``.

A set of jars appears under its name only when it is complete: Maven writes into a directory
beside it, which is then renamed. A lock keeps two processes from fetching the same set twice.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from tools.kafka.jvm import require

KAFKA_VERSION = "4.3.1"  # the newest release of which every part is published
# The newest release (half published, yet its definitions are there), and the last 3.x, which
# still has the versions that 4.0 dropped.
CONFORM_VERSIONS = ("4.4.0", "3.9.1")
CACHE = Path(os.environ.get("METAQUORUM_KAFKA_DIR") or Path(__file__).parents[2] / "build/kafka")
MAVEN_TIMEOUT_S = 900
MAVEN_ATTEMPTS = 3  # a mirror that hiccups is no reason to fail a whole run
KAFKA, SPARK = "org.apache.kafka", "org.apache.spark"
# Releases whose command line tools were never published. Server and format tool run all the same
# with the plug-in interfaces of the release before, the one part of the tools that they need.
HALF_PUBLISHED = {"4.4.0": "4.3.1"}
SPARK_SET = ("spark-sql_2.13", "spark-sql-kafka-0-10_2.13")
PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:2.8"
LOG4J = "2.24.3"
FULL_SET = ("kafka_2.13", "kafka-tools", "kafka-shell")
# The artifacts that carry message definitions (share came with 4.0).
MESSAGE_ARTIFACTS = (
    "kafka-clients",
    "kafka-raft",
    "kafka-metadata",
    "kafka-storage",
    "kafka-server-common",
    "kafka-group-coordinator",
    "kafka-transaction-coordinator",
    "kafka-share-coordinator",
)
POM = """<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>metaquorum.tools</groupId><artifactId>kafka-jars</artifactId><version>1</version>
  <dependencies>
{dependencies}
  </dependencies>
</project>
"""
DEPENDENCY = (
    "    <dependency><groupId>{group}</groupId>"
    "<artifactId>{artifact}</artifactId><version>{version}</version>{more}</dependency>"
)
A_TEST_JAR = "<classifier>test</classifier>"
# What Kafka's own integration tests are made of; those of the first line are test jars.
INTEGRATION_TESTS = (
    *("kafka-tools", "kafka-clients-integration-tests", "kafka-clients", "kafka-server"),
    *("kafka-server-common", "kafka-metadata", "kafka-raft", "kafka_2.13"),
    *("kafka-storage", "kafka-storage-api", "kafka-group-coordinator"),
)
INTEGRATION_KIT = (
    *("kafka-tools", "kafka_2.13", "kafka-test-common-runtime"),
    *("kafka-test-common-internal-api", "kafka-test-common-util"),
)
# Those of Kafka Streams, which take RocksDB and are run in make soak only.
STREAMS_TESTS = ("kafka-streams-integration-tests", "kafka-streams")
STREAMS_KIT = ("kafka-streams", "kafka-streams-test-utils", "kafka-streams-scala_2.13")
# What the published poms leave out: they name no dependency of tests.
INTEGRATION_LIBRARIES = (
    ("org.junit.jupiter", "junit-jupiter", "5.13.1"),
    ("org.junit.platform", "junit-platform-launcher", "1.13.1"),
    ("org.mockito", "mockito-junit-jupiter", "5.20.0"),
    ("org.hamcrest", "hamcrest", "3.0"),
    ("junit", "junit", "4.13.2"),  # one class has its assertions
    ("org.bouncycastle", "bcpkix-jdk18on", "1.80"),  # certificates of tests with TLS
)
NOTHING_ELSE = (
    "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion></exclusions>"
)
WITHOUT_TOOLS = (
    f"<exclusions><exclusion><groupId>{KAFKA}</groupId>"
    "<artifactId>kafka-tools-api</artifactId></exclusion></exclusions>"
)


class FetchFailed(Exception):
    """Maven could not deliver the jars; the message ends with its last lines."""


def say(text: str) -> None:
    """Progress, to be read while one waits."""
    print(text, file=sys.stderr, flush=True)


def libs(version: str = KAFKA_VERSION, progress: Callable[[str], None] = say) -> Path:
    """The directory with all jars of one release (server, tools, shell, a log back end).

    Of a release in HALF_PUBLISHED there are no tools but those inside the server's jar.
    """
    target = CACHE / version / "libs"
    return _once(target, lambda into: _fetch_release(version, into, progress))


def clients_libs(version: str, progress: Callable[[str], None] = say) -> Path:
    """The directory with kafka-clients of any version and what it needs, and nothing else."""
    target = CACHE / version / "clients"

    def fill(into: Path) -> None:
        progress(f"Fetching Apache Kafka's Java client {version} ...")
        _fetch_artifacts(["kafka-clients"], version, into, progress)

    return _once(target, fill)


def spark_libs(version: str, progress: Callable[[str], None] = say) -> Path:
    """The directory with Apache Spark's SQL engine, its Kafka source, and what they need."""
    target = CACHE / f"spark-{version}" / "libs"

    def fill(into: Path) -> None:
        progress(f"Fetching Apache Spark {version} from Maven Central (about 280 MB, once) ...")
        _fetch_artifacts(list(SPARK_SET), version, into, progress, group=SPARK)

    return _once(target, fill)


def integration_test_libs(
    version: str = KAFKA_VERSION, progress: Callable[[str], None] = say, *, streams: bool = False
) -> Path:
    """The directory with Kafka's own integration tests and all that it takes to run them.

    With ``streams`` those of Kafka Streams are there as well. A set of other artifacts than the
    one that was fetched before has another name, and so is fetched.
    """
    tests = (*INTEGRATION_TESTS, *(STREAMS_TESTS if streams else ()))
    kit = (*INTEGRATION_KIT, *(STREAMS_KIT if streams else ()))
    rows = [(KAFKA, one, version, A_TEST_JAR) for one in tests]
    rows += [(KAFKA, one, version, "") for one in kit]
    rows += [(*one, "") for one in INTEGRATION_LIBRARIES]
    digest = hashlib.sha256(repr(rows).encode()).hexdigest()[:8]
    target = CACHE / version / f"{'streams' if streams else 'integration'}-tests-{digest}"

    def fill(into: Path) -> None:
        what, size = (" and Kafka Streams", 200) if streams else ("", 110)
        progress(
            f"Fetching the integration tests of Apache Kafka{what} {version} "
            f"(about {size} MB, once) ..."
        )
        _fetch_rows([_dependency(*row) for row in rows], into, progress)
        _give_log_back_end(into, progress)

    return _once(target, fill)


def single(artifact: str, version: str, progress: Callable[[str], None] = say) -> Path:
    """One jar without its dependencies."""
    target = CACHE / version / "single" / artifact
    name = f"org.apache.kafka:{artifact}:{version}"
    return (
        _once(target, lambda into: _fetch_jar(name, into, progress)) / f"{artifact}-{version}.jar"
    )


def message_jars(version: str, progress: Callable[[str], None] = say) -> list[Path]:
    """The jars of a release that hold message definitions; also of a release half published."""
    target = CACHE / version / "messages"
    artifacts = [
        artifact
        for artifact in MESSAGE_ARTIFACTS
        if artifact != "kafka-share-coordinator" or int(version.split(".")[0]) >= 4
    ]

    def fill(into: Path) -> None:
        progress(f"Fetching the jars with the message definitions of Apache Kafka {version} ...")
        _fetch_artifacts(artifacts, version, into, progress, NOTHING_ELSE)

    return sorted(_once(target, fill).glob("*.jar"))


def _once(target: Path, fill: Callable[[Path], None]) -> Path:
    if target.is_dir():
        return target
    require("java", "mvn")
    target.parent.mkdir(parents=True, exist_ok=True)
    with _locked(CACHE / "fetch.lock"):
        if target.is_dir():
            return target
        beside = Path(tempfile.mkdtemp(prefix=f".{target.name}-", dir=target.parent))
        try:
            fill(beside)
            beside.chmod(0o755)
            beside.rename(target)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    return target


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _fetch_release(version: str, into: Path, progress: Callable[[str], None]) -> None:
    progress(f"Fetching Apache Kafka {version} from Maven Central (about 60 MB, once) ...")
    if version in HALF_PUBLISHED:
        _fetch_artifacts(["kafka_2.13"], version, into, progress, WITHOUT_TOOLS)
        _fetch_jar(f"{KAFKA}:kafka-tools-api:{HALF_PUBLISHED[version]}", into, progress)
    else:
        _fetch_artifacts(list(FULL_SET), version, into, progress)
    _give_log_back_end(into, progress)


def _give_log_back_end(into: Path, progress: Callable[[str], None]) -> None:
    """What a release on Maven Central lacks for its nodes to write log lines.

    3.x depends on all of it, from 4.1 on the binding alone is missing, and 4.0 names nothing.
    """
    if list(into.glob("slf4j-reload4j-*.jar")) or list(into.glob("log4j-slf4j-impl-*.jar")):
        return
    core = next(iter(into.glob("log4j-core-*.jar")), None)
    number = LOG4J if core is None else re.sub(r"^log4j-core-|\.jar$", "", core.name)
    names = ("log4j-slf4j-impl",) if core else ("log4j-slf4j-impl", "log4j-core", "log4j-api")
    for name in names:
        _fetch_jar(f"org.apache.logging.log4j:{name}:{number}", into, progress)


def _fetch_artifacts(
    artifacts: list[str],
    version: str,
    into: Path,
    progress: Callable[[str], None],
    exclusions: str = "",
    group: str = KAFKA,
) -> None:
    """Artifacts of one project and, unless ``exclusions`` says otherwise, what they depend on."""
    _fetch_rows([_dependency(group, one, version, exclusions) for one in artifacts], into, progress)


def _dependency(group: str, artifact: str, version: str, more: str) -> str:
    return DEPENDENCY.format(group=group, artifact=artifact, version=version, more=more)


def _fetch_rows(rows: list[str], into: Path, progress: Callable[[str], None]) -> None:
    """All jars of these dependencies and of what they depend on."""
    with tempfile.TemporaryDirectory(prefix="metaquorum-pom-") as scratch:
        pom = Path(scratch) / "pom.xml"
        pom.write_text(POM.format(dependencies="\n".join(rows)))
        goal = [f"{PLUGIN}:copy-dependencies", f"-DoutputDirectory={into}"]
        _maven(["-f", str(pom), *goal, "-DincludeScope=runtime"], progress)


def _fetch_jar(coordinates: str, into: Path, progress: Callable[[str], None]) -> None:
    progress(f"Fetching {coordinates} ...")
    _maven(
        [f"{PLUGIN}:copy", f"-Dartifact={coordinates}", f"-DoutputDirectory={into}"],
        progress,
    )


def _maven(arguments: list[str], progress: Callable[[str], None]) -> None:
    for attempt in range(1, MAVEN_ATTEMPTS + 1):
        failure = _maven_once(arguments)
        if failure is None:
            return
        if attempt < MAVEN_ATTEMPTS:
            progress(f"Maven failed, trying again ({attempt + 1} of {MAVEN_ATTEMPTS}) ...")
    raise FetchFailed(f"mvn {' '.join(arguments)} failed:\n{failure}")


def _maven_once(arguments: list[str]) -> str | None:
    """None when Maven succeeded, else its last lines."""
    with tempfile.TemporaryDirectory(prefix="metaquorum-mvn-") as scratch:
        ran = subprocess.run(
            ["mvn", "-B", "-q", *arguments],
            cwd=scratch,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=MAVEN_TIMEOUT_S,
            check=False,
        )
    if ran.returncode == 0:
        return None
    return "\n".join((ran.stdout + ran.stderr).strip().splitlines()[-15:])
