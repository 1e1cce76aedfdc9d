"""``metrics``: a scrape as a table, of ours and of anybody's."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.cli.main import run
from metaquorum.cli.metrics import listener_url, number_text, series_of
from metaquorum.observe.metrics import Registry
from metaquorum.observe.openmetrics import Exposition


class Handler(BaseHTTPRequestHandler):
    """Serves one gauge and one text at /metrics."""

    def do_GET(self) -> None:
        registry = Registry()
        registry.gauge("kafka.server:type=raft-metrics", "current-leader", lambda: 1, "who leads")
        registry.text("kafka.server:type=raft-metrics", "current-state", lambda: "leader", "role")
        kind, body = Exposition(registry).render(self.headers["Accept"])
        found = self.path == "/metrics"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(body if found else b"nothing here\n")

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def place() -> Iterator[str]:
    """The address of a small HTTP server."""
    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_node_is_shown_as_a_table(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["metrics", "--metrics-listener", place, "--match", "raft"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        ["METRIC", "LABELS", "VALUE", "MEANING"],
        ["kafka_server_raft_metrics_current_leader", "1", "who", "leads"],
        ["kafka_server_raft_metrics_current_state_info", "current_state=leader", "1", "role"],
    ]


def test_a_node_is_shown_as_json(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"http://{place}/metrics"
    assert run(["metrics", "--url", url, "--match", "leader", "-o", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "name": "kafka_server_raft_metrics_current_leader",
        "labels": {},
        "value": 1.0,
        "type": "gauge",
    }


def test_a_refusal_is_told_with_its_first_line(
    place: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["metrics", "--url", f"http://{place}/other"]) == 1
    assert "answers 404: nothing here" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "give one of --url and --metrics-listener"),
        (["--url", "ftp://h/metrics"], "is not http://HOST:PORT/PATH"),
        (["--metrics-listener", "127.0.0.1:1"], "http://127.0.0.1:1/metrics: "),
        (["--metrics-listener", "nowhere"], "'nowhere' is not HOST:PORT"),
    ],
)
def test_what_cannot_be_asked_is_refused(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["metrics", *arguments]) == 1
    assert told in capsys.readouterr().err


def test_a_listener_on_every_interface_is_asked_on_this_machine() -> None:
    assert listener_url(":9404") == "http://localhost:9404/metrics"
    for text in ("[::1]:9404", "::1:9404", "METRICS://::1:9404"):
        assert listener_url(text) == "http://[::1]:9404/metrics"


def test_the_older_text_of_prometheus_is_read_too() -> None:
    text = '# HELP a_total about a\n# TYPE a_total counter\na_total{b="c"} 3\n'
    (series,) = series_of("text/plain; version=0.0.4", text, "here")
    assert (series.name, series.labels, series.value) == ("a_total", {"b": "c"}, 3.0)


@pytest.mark.parametrize("kind", ["text/html", "application/openmetrics-text"])
def test_a_page_that_is_no_scrape_is_told(kind: str) -> None:
    with pytest.raises(OperatorError, match="here does not speak Prometheus' text"):
        list(series_of(kind, "<html>hello</html>\n", "here"))


def test_numbers_are_as_short_as_they_can_be() -> None:
    assert [number_text(value) for value in (3.0, 0.25, -1.0, 1e20)] == ["3", "0.25", "-1", "1e+20"]
