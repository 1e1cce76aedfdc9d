"""The tasks of the clients that are programs: Kafka's tools, its Java client, kcat, kafkajs."""

from __future__ import annotations

import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.interop.client_tasks import (
    ABSENT,
    ACTIONS,
    PATIENCE_S,
    TOPIC,
    ClientTask,
    Outcome,
    Outcomes,
    parsed,
    tried,
)
from tools.kafka import JavaHelper, ToolResult
from tools.kafka.helper import compiled
from tools.kafka.jars import clients_libs, spark_libs
from tools.kafka.jvm import SHORT_LIVED_FLAGS, command
from tools.kafka.tool import finished

ROOT = Path(__file__).parents[2]
JAVA_SOURCE = ROOT / "tools/java/ClientActions.java"
SPARK_SOURCE = ROOT / "tools/java/SparkReads.java"
SPARK_VERSION = "4.0.0"
JS_SOURCE = ROOT / "tools/js/kafkajs_actions.js"
KAFKAJS_VERSION = "2.2.4"
KAFKAJS_DIRECTORY = ROOT / "build/kafkajs"
PROGRAM_TIMEOUT_S = 240.0
# What Spark asks of Java 17, which closed these to reflection.
_SPARK_OPENS = (
    *("java.io", "java.lang", "java.lang.invoke", "java.lang.reflect", "java.net", "java.nio"),
    *("java.util", "java.util.concurrent", "java.util.concurrent.atomic"),
    *("sun.nio.ch", "sun.nio.cs", "sun.security.action", "sun.util.calendar"),
)
_OFFSET = re.compile(r"Offset:(\d+)")


class Refused(Exception):
    """A program ended with a word of its own on standard error."""


def program(name: str, package: str) -> str:
    """Where a program is; AssertionError naming what to install."""
    found = shutil.which(name)
    assert found is not None, f"{name} is not installed: apt-get install {package}"
    return found


def _told(error: Exception) -> str:
    return str(error) if isinstance(error, Refused) else f"{type(error).__name__}: {error}"


# ------------------------------------------------------------------------- kafka-clients


def java_client(release: str, task: ClientTask, keys: Path | None = None) -> Outcomes:
    """One release of kafka-clients, in a JVM of its own; ``keys``: a file of client properties."""
    libs = clients_libs(release)
    classes = compiled(JAVA_SOURCE, libs)
    run = command(libs, JAVA_SOURCE.stem, flags=SHORT_LIVED_FLAGS, class_path=(classes,))
    numbers = (task.count, task.offset, task.count_from_offset, task.timestamp_ms)
    words = [task.servers, TOPIC, *map(str, numbers), *([] if keys is None else [str(keys)])]
    done = finished([*run, *words], PROGRAM_TIMEOUT_S)
    assert done.exit_code == 0, done.stderr
    return parsed(done.stdout)


# ------------------------------------------------------------------------- Spark


def spark_version() -> str:
    """Of Spark and of the kafka-clients that it comes with."""
    (jar,) = spark_libs(SPARK_VERSION).glob("kafka-clients-*.jar")
    return f"{SPARK_VERSION} (kafka-clients {jar.stem.removeprefix('kafka-clients-')})"


def spark(mode: str, task: ClientTask) -> Outcomes:
    """Spark's Kafka source and sink on one core; ``mode`` is batch or stream."""
    libs = spark_libs(SPARK_VERSION)
    opens = (f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in _SPARK_OPENS)
    flags = ("-Xmx600m", "-XX:+UseSerialGC", *opens)
    classes = compiled(SPARK_SOURCE, libs)
    with tempfile.TemporaryDirectory(prefix="metaquorum-spark-") as scratch:
        flags = (*flags, f"-Djava.io.tmpdir={scratch}", f"-Dspark.sql.warehouse.dir={scratch}")
        run = command(libs, SPARK_SOURCE.stem, flags=flags, class_path=(classes,))
        numbers = map(str, (task.offset, task.timestamp_ms))
        done = finished([*run, mode, task.servers, TOPIC, *numbers], PROGRAM_TIMEOUT_S)
    assert done.exit_code == 0, done.stderr
    return {**dict.fromkeys(ACTIONS, ABSENT), **parsed(done.stdout)}


# ------------------------------------------------------------------------- Kafka's own tools


def console_tools(java: JavaHelper, task: ClientTask) -> Outcomes:
    """kafka-console-consumer, -get-offsets, -topics and -configs."""
    servers = ("--bootstrap-server", task.servers)

    def consume(offset: int | str, count: int) -> Outcome:
        done = java.tool(
            "console-consumer",
            *(*servers, "--topic", TOPIC, "--partition", "0", "--offset", str(offset)),
            *("--max-messages", str(count)),
            *("--formatter-property", "print.offset=true"),
            *("--formatter-property", "print.value=false"),
        )
        found = _OFFSET.findall(_lines_of(done))
        return Outcome(records=tuple((int(offset), None) for offset in found))

    def ask_offset(time: str) -> int:
        shown = _lines_of(java.tool("get-offsets", *servers, "--topic", TOPIC, "--time", time))
        return int(shown.split(":")[-1])

    def subscribe() -> Outcome:
        done = java.tool(
            "console-consumer",
            *(*servers, "--topic", TOPIC, "--from-beginning", "--max-messages", "1"),
            *("--formatter-property", "print.offset=true"),
            *("--formatter-property", "print.value=false"),
        )
        found = _OFFSET.findall(_lines_of(done))
        return Outcome(records=tuple((int(offset), None) for offset in found))

    def configs() -> Outcome:
        what = ("--describe", "--all", "--entity-type", "topics", "--entity-name", TOPIC)
        shown = _lines_of(java.tool("configs", *servers, *what))
        return Outcome(names=sorted(re.findall(r"^  ([\w.]+)=", shown, re.MULTILINE)))

    def create() -> Outcome:
        return Outcome(
            names=[_lines_of(java.tool("topics", *servers, "--create", "--topic", "matrix"))]
        )

    return tried(
        {
            "beginning": lambda: consume("earliest", task.count),
            "offset": lambda: consume(task.offset, task.count_from_offset),
            "timestamp": lambda: consume(
                ask_offset(str(task.timestamp_ms)), task.count_from_offset
            ),
            "find": lambda: Outcome(offsets=(ask_offset(str(task.timestamp_ms)),)),
            "offsets": lambda: Outcome(offsets=(ask_offset("earliest"), ask_offset("latest"))),
            "topics": lambda: Outcome(
                names=_lines_of(java.tool("topics", *servers, "--list")).split()
            ),
            "configs": configs,
            "group": subscribe,
            "produce": lambda: ABSENT,
            "transaction": lambda: ABSENT,
            "create": create,
        },
        _told,
    )


def _lines_of(done: ToolResult) -> str:
    """What the tool printed; Refused with the exception that it told of instead, if it did."""
    found = re.findall(r"(\w+(?:Exception|Error))\b", done.stderr + done.stdout)
    if found:
        raise Refused(found[-1])
    assert done.exit_code == 0, done.stderr
    return done.stdout.strip()


# ------------------------------------------------------------------------- kcat


def kcat_version() -> str:
    """Of kcat and of the librdkafka in it."""
    shown = finished([program("kcat", "kcat"), "-V"], PATIENCE_S).stdout
    found = re.search(r"Version ([\d.]+).*librdkafka ([\d.]+)", shown)
    assert found is not None, shown
    return f"{found[1]} (librdkafka {found[2]})"


def kcat(task: ClientTask) -> Outcomes:
    """kcat as Debian ships it."""

    def run(*words: str, stdin: bytes = b"") -> bytes:
        return _kcat(["-b", task.servers, *words], stdin)

    def consume(offset: str) -> Outcome:
        shown = run(*("-C", "-t", TOPIC, "-p", "0", "-o", offset, "-e", "-q"), "-f", "%o %S\n%s\n")
        return Outcome(records=tuple(_records(shown)))

    def ask_offset(time: str) -> int:
        return int(run("-Q", "-t", f"{TOPIC}:0:{time}").split()[-1])

    def topics() -> Outcome:
        return Outcome(names=re.findall(r'topic "(.+?)" with', run("-L").decode()))

    def subscribe() -> Outcome:
        words = ("-X", "auto.offset.reset=earliest", "-c", "1", "-q", "-f", "%o %S\n%s\n")
        return Outcome(records=tuple(_records(run("-G", "matrix-kcat", *words, TOPIC))))

    def produce() -> Outcome:
        return Outcome(names=[run("-P", "-t", TOPIC, "-p", "0", stdin=b"1\n").decode()])

    return tried(
        {
            "beginning": lambda: consume("beginning"),
            "offset": lambda: consume(str(task.offset)),
            "timestamp": lambda: consume(f"s@{task.timestamp_ms}"),
            "find": lambda: Outcome(offsets=(ask_offset(str(task.timestamp_ms)),)),
            "offsets": lambda: Outcome(offsets=(ask_offset("-2"), ask_offset("-1"))),
            "topics": topics,
            "configs": lambda: ABSENT,
            "group": subscribe,
            "produce": produce,
            "transaction": lambda: ABSENT,
            "create": lambda: ABSENT,
        },
        _told,
    )


def _kcat(words: Sequence[str], stdin: bytes) -> bytes:
    ran = subprocess.run(
        [program("kcat", "kcat"), *words],
        input=stdin,
        capture_output=True,
        timeout=PATIENCE_S,
        check=False,
    )
    told = ran.stderr.decode()
    refused = re.search(r"(?:ERROR|%).*?: ((?:Broker|Local): [^()\n]*)", told)
    if refused is not None:
        raise Refused(refused[1].strip())
    assert ran.returncode == 0, told
    return ran.stdout


def _records(shown: bytes) -> list[tuple[int, bytes | None]]:
    """Values are framed by their length, as they are bytes."""
    found: list[tuple[int, bytes | None]] = []
    while shown:
        head, _, rest = shown.partition(b"\n")
        offset, size_bytes = map(int, head.split())
        found.append((offset, rest[:size_bytes]))
        shown = rest[size_bytes + 1 :]
    return found


# ------------------------------------------------------------------------- kafkajs


def kafkajs(task: ClientTask) -> Outcomes:
    """kafkajs, which only knows groups; its package comes from npm."""
    done = in_node(JS_SOURCE, task.servers, TOPIC, str(task.timestamp_ms))
    assert done.exit_code == 0, done.stderr
    return parsed(done.stdout)


def in_node(source: Path, *arguments: str) -> ToolResult:
    """Run a program of ours for node with kafkajs, the directory of which is its first argument."""
    node = program("node", "nodejs")
    package = KAFKAJS_DIRECTORY / KAFKAJS_VERSION / "node_modules/kafkajs"
    if not package.is_dir():
        _install_kafkajs()
    return finished([node, source, package, *arguments], PROGRAM_TIMEOUT_S)


def _install_kafkajs() -> None:
    """Into a directory beside, which is then renamed: half an install is none."""
    KAFKAJS_DIRECTORY.mkdir(parents=True, exist_ok=True)
    beside = Path(tempfile.mkdtemp(prefix=".new-", dir=KAFKAJS_DIRECTORY))
    words = ["install", "--no-audit", "--no-fund", "--prefix"]
    npm = program("npm", "npm")
    done = finished([npm, *words, beside, f"kafkajs@{KAFKAJS_VERSION}"], PROGRAM_TIMEOUT_S)
    assert done.exit_code == 0, f"npm could not install kafkajs:\n{done.stdout}{done.stderr}"
    beside.rename(KAFKAJS_DIRECTORY / KAFKAJS_VERSION)
