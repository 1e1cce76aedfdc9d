"""``docs/clients.md``: a row for each client in three tables; written and read back."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from metaquorum.wire.generated.index import APIS
from tests.interop.asking_proxy import Recording
from tests.interop.client_tasks import ACTIONS, Outcome, Outcomes

PAGE = Path(__file__).parents[2] / "docs/clients.md"
YES, NO, NO_SUCH_CALL = "yes", "no", "–"
_INTRODUCTION = """\
# Clients

What every kind of client can do with the metadata log, each run against one node. The tables are
written and checked by `tests/interop/test_client_matrix.py` in `make interop`; Spark is run in
`make soak`. A changed row is written with `CLIENTS_REWRITE=1`.

The log is read-only for clients, and there are no transactions; a client that asks for one is told
so by an error of its own, and none of them hangs. InitProducerId is not offered: a producer that is
idempotent, as Java's is since 3.0 if nobody says otherwise, finds no such API.
"""
_CAN = f"""\
## What each can do

`{YES}`: done, and every record, offset and name was as it lies on disk. `{NO}`: refused, see the
next table. `{NO_SUCH_CALL}`: the client has no such call.
"""
_REFUSED = """\
## What each is refused, and how it says so
"""
_ASKED = f"""\
## Which versions each asked for

As they came in on the server's side, all that is above taken together, without what members of
groups send by the clock (Heartbeat, OffsetCommit, LeaveGroup). Fetch sessions (KIP-227):
`{YES}` if one was asked for and given, `{NO_SUCH_CALL}` if nothing was fetched in a version that
has them.
"""


@frozen
class Row:
    """One client's part of the page."""

    client: str
    version: str
    can: tuple[str, ...]
    refused: str
    asked: str
    sessions: str


_BY_THE_CLOCK = (8, 12, 13)
"""OffsetCommit, Heartbeat, LeaveGroup: whether they are sent depends on how long something took."""


def row_of(client: str, version: str, outcomes: Outcomes, told: Recording) -> Row:
    """What came of a client's tasks, in the words of the page."""
    can = tuple(_cell(outcomes[name]) for name in ACTIONS)
    by_word: dict[str, list[str]] = {}
    for name in ACTIONS:
        if outcomes[name].error:
            by_word.setdefault(outcomes[name].error, []).append(ACTIONS[name])
    refused = "; ".join(f"{', '.join(what)}: `{word}`" for word, what in by_word.items())
    asked = told.asked
    versions = ", ".join(
        f"{APIS[key].name} {'/'.join(map(str, sorted(asked[key])))}"
        for key in sorted(asked)
        if key not in _BY_THE_CLOCK
    )
    sessions = {None: NO_SUCH_CALL, True: YES, False: NO}[told.uses_sessions]
    return Row(client, version, can, refused or "nothing", versions, sessions)


def _cell(outcome: Outcome) -> str:
    if outcome.absent:
        return NO_SUCH_CALL
    return NO if outcome.error else YES


def rendered(rows: list[Row]) -> str:
    """The whole page."""
    can = _table(
        ["client", "version", *ACTIONS.values()],
        [[row.client, row.version, *row.can] for row in rows],
    )
    refused = _table(["client", "refused"], [[row.client, row.refused] for row in rows])
    asked = _table(
        ["client", "versions", "fetch sessions"],
        [[row.client, row.asked, row.sessions] for row in rows],
    )
    parts = [_INTRODUCTION, _CAN, can, _REFUSED, refused, _ASKED, asked]
    return "\n".join(parts)


def _table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def committed() -> dict[str, Row]:
    """The rows of the page as it is, by client."""
    tables: list[list[list[str]]] = []
    inside = False
    for line in PAGE.read_text(encoding="utf-8").splitlines() if PAGE.exists() else []:
        if line.startswith("|"):
            if not inside:
                tables.append([])
            tables[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        inside = line.startswith("|")
    if not tables:
        return {}
    can, refused, asked = (table[2:] for table in tables)
    return {
        name: Row(name, version, tuple(cells), no, versions, *sessions)
        for (name, version, *cells), (_, no), (_, versions, *sessions) in zip(
            can, refused, asked, strict=True
        )
    }
