"""``metadata-quorum explain``: the changes of role of one node or of several, as one story."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from metaquorum.cli.main import run
from metaquorum.observe.role_changes import RoleChange, RoleChanges

ONE = RoleChanges(node_id=1)
ONE.add(RoleChange(1_000, "NotStarted", "Follower", 3, 3, 2, 40, 3, "it knew the leader"))
ONE.add(RoleChange(3_500, "Follower", "Prospective", 3, 3, None, 44, 3, "leader 2 is gone"))
TWO = RoleChanges(node_id=3)
TWO.add(RoleChange(2_000, "Unattached", "Unattached", 3, 4, None, 44, 3, "it voted for 1"))
PAGES = {"/one": ONE.facts(), "/two": TWO.facts(), "/odd": {"changes": 1}}


@pytest.fixture
def places() -> Iterator[dict[str, str]]:
    """The addresses of three small HTTP servers, one for each page."""
    running = []
    found = {}
    for name, facts in PAGES.items():
        body = json.dumps(facts).encode()

        class Handler(BaseHTTPRequestHandler):
            page = body

            def do_GET(self) -> None:
                self.send_response(200 if self.path == "/explain" else 404)
                self.end_headers()
                self.wfile.write(self.page)

            def log_message(self, format: str, *args: object) -> None:
                pass

        server = HTTPServer(("127.0.0.1", 0), Handler)
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        running.append((server, thread))
        found[name] = f"127.0.0.1:{server.server_port}"
    yield found
    for server, thread in running:
        server.shutdown()
        thread.join()
        server.server_close()


def explain(*arguments: str) -> int:
    return run(["metadata-quorum", "explain", *arguments])


def test_the_changes_of_several_nodes_are_one_table_by_time(
    places: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    listeners = ("--metrics-listener", places["/one"], "--metrics-listener", places["/two"])
    assert explain(*listeners) == 0
    lines = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert lines == [
        "TIME NODE ROLE EPOCH LEADER LOG END WHY",
        "1970-01-01T00:00:01.000Z 1 NotStarted > Follower 3 2 40 it knew the leader",
        "1970-01-01T00:00:02.000Z 3 Unattached 4 none 44 it voted for 1",
        "1970-01-01T00:00:03.500Z 1 Follower > Prospective 3 none 44 leader 2 is gone",
    ]


def test_the_newest_are_told_as_json(
    places: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert explain("--metrics-listener", places["/one"], "--last", "1", "-o", "json") == 0
    (line,) = capsys.readouterr().out.splitlines()
    facts = json.loads(line)
    assert (facts["node"], facts["wall_ms"], facts["why"]) == (1, 3_500, "leader 2 is gone")


@pytest.mark.parametrize(
    ("page", "why"),
    [
        (None, "give --metrics-listener"),
        ("/odd", "something else than changes of role"),
        ("127.0.0.1:1", "http://127.0.0.1:1/explain: "),
    ],
)
def test_what_is_in_the_way_is_said(
    page: str | None, why: str, places: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    listeners = () if page is None else ("--metrics-listener", places.get(page, page))
    assert explain(*listeners) == 1
    assert why in capsys.readouterr().err


def test_help_shows_examples(capsys: pytest.CaptureFixture[str]) -> None:
    assert explain("--help") == 0
    assert "Examples:" in capsys.readouterr().out
