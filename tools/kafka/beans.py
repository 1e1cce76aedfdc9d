"""MBeans of Kafka's processes, read over a remote JMX port on loopback, without an agent."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

from attrs import define

from tools.kafka import jars
from tools.kafka.helper import HelperFailed, JavaProgram, started
from tools.kafka.ports import LOOPBACK

SOURCE = Path(__file__).parents[1] / "java/ReadBeans.java"
Beans = dict[str, dict[str, Any]]


def jmx_flags(port: int) -> tuple[str, ...]:
    """Flags of a JVM whose beans are to be read at this port."""
    jmx = "-Dcom.sun.management.jmxremote"
    return (
        f"{jmx}.port={port}",
        f"{jmx}.rmi.port={port}",
        f"{jmx}.host={LOOPBACK}",
        f"{jmx}.authenticate=false",
        f"{jmx}.ssl=false",
        f"-Djava.rmi.server.hostname={LOOPBACK}",
    )


@define
class BeanReader(JavaProgram):
    """A running JVM that reads the beans of others; use it as a context manager."""

    def _start(self) -> subprocess.Popen[str]:
        return started(SOURCE, jars.libs())

    def read(self, port: int, pattern: str) -> Beans:
        """Attributes by bean of those that the pattern matches; HelperFailed says why not."""
        found: Beans = json.loads(self._exchange(f"{port} {pattern}\n"))
        if "error" in found:
            raise HelperFailed(f"the JMX port {port}: {found['error']}")
        return found
