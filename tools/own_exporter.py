"""One ``metaquorum exporter`` as a process: started, ready, scraped, stopped."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from attrs import define

from metaquorum.base.errors import OperatorError
from metaquorum.cli.metrics import fetch, series_of
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_node import METAQUORUM
from tools.process import until

Figures = dict[str, float]
STOP_TIMEOUT_S = 10


@define
class Exporting:
    """The process, and where it serves."""

    process: subprocess.Popen[bytes]
    url: str
    lines: Path

    def scrape(self) -> Figures:
        """Every series by name and labels; OperatorError while it does not serve."""
        return scraped(self.url)

    def serves(self) -> bool:
        """Whether it answers at all."""
        try:
            self.scrape()
        except OperatorError:
            return False
        return True

    def is_ready(self) -> bool:
        """Whether it has read the log and asked the leader."""
        try:
            fetch(self.url.replace("/metrics", "/readyz"))
        except OperatorError:
            return False
        return True


def scraped(url: str) -> Figures:
    """Every series of a metrics page by name and labels; OperatorError where there is none."""
    content_type, text = fetch(url)
    return {
        f"{one.name}{_labels(one.labels)}": one.value for one in series_of(content_type, text, url)
    }


def _labels(labels: Mapping[str, str]) -> str:
    inside = ",".join(f'{name}="{value}"' for name, value in labels.items())
    return f"{{{inside}}}" if inside else ""


@contextmanager
def exporting(
    directory: Path, controllers: str, *options: str, becomes_ready: bool = True
) -> Iterator[Exporting]:
    """Started and ready inside, gone afterwards; it only serves if it is not to become ready."""
    (port,) = free_ports(1)
    lines = directory / "exporter.log"
    servers = ("--bootstrap-controller", controllers)
    with lines.open("wb") as log:
        process = subprocess.Popen(
            [METAQUORUM, "exporter", *servers, "--listen", f"{LOOPBACK}:{port}", *options],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
        )
    one = Exporting(process, f"http://{LOOPBACK}:{port}/metrics", lines)
    try:
        what = one.is_ready if becomes_ready else one.serves
        until(what, lambda: f"the exporter is not ready:\n{lines.read_text()}", poll_s=0.05)
        yield one
    finally:
        process.terminate()
        try:
            process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
