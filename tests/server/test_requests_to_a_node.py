"""A node with its disk, its quorum and its controller, asked whatever the schemas allow.

An exception that is no refusal ends the process, by the rules of this code; so no request that a
peer can form may raise one, neither in a handler nor behind it. Here everything is real but the
socket.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
import trio

from metaquorum.base.errors import PeerError
from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.server.contract.api import API_ROWS, served_listener
from metaquorum.server.contract.api_row import ApiRow
from metaquorum.server.contract.request import Origin
from metaquorum.testing.draw import value
from metaquorum.testing.pipeline_client import decoded_answer, joined, request_frame
from metaquorum.testing.schemas import message
from metaquorum.testing.values import build
from metaquorum.wire.primitives import MAX_TEXT_BYTES
from metaquorum.wire.slices import Parts
from tests.unit.node.whole_node import (
    CLUSTER_ID,
    DIRECTORY_ID,
    Running,
    config_of,
    format_directory,
    running,
)

SEED = 46
CASES, MANY_CASES = 6, 150
REQUESTS_A_BREATH = 16
LONG_ROWS = 8
PATIENCE_S = 1_200.0
EPOCHS = 50_000  # near enough to be believed, far enough to be above
TOPIC_FIELDS = ("name", "topic", "topicName", "resourceName")


def close_to_home(drawn: Any, chance: Random) -> None:
    """Make what a request names likely to exist, so that it gets further than the first check."""
    for key, current in drawn.items():
        if isinstance(current, dict):
            close_to_home(current, chance)
        elif isinstance(current, list):
            for item in current:
                if isinstance(item, dict):
                    close_to_home(item, chance)
        elif chance.random() < 0.8:
            drawn[key] = at_home(key.lower(), key, current, chance)


def at_home(lower: str, key: str, current: Any, chance: Random) -> Any:
    """What such a field holds in a request that means this very node, or what it held."""
    if key == "topicId":
        return METADATA_TOPIC_ID
    if key in TOPIC_FIELDS and isinstance(current, str):
        return METADATA_TOPIC
    if key == "clusterId":
        return CLUSTER_ID
    if lower.endswith("directoryid"):
        return DIRECTORY_ID
    if isinstance(current, bool) or not isinstance(current, int):
        return current
    if lower.startswith("partition") and not lower.endswith("bytes"):
        return 0
    if "epoch" in lower:
        return chance.choice((-1, 0, 1, 2, chance.randrange(EPOCHS)))
    if "offset" in lower:
        return chance.randrange(-1, 50)
    if lower.endswith("id"):
        return chance.choice((0, 1, 1, 2))
    return current


def as_long_as_may_be(drawn: Any, chance: Random) -> None:
    """Texts of the longest kind, in signs that take more room wherever they are quoted."""
    for key, current in drawn.items():
        if isinstance(current, dict):
            as_long_as_may_be(current, chance)
        elif isinstance(current, list):
            for item in current[:LONG_ROWS]:
                if isinstance(item, dict):
                    as_long_as_may_be(item, chance)
            drawn[key] = current[:LONG_ROWS]
        elif isinstance(current, str) and chance.random() < 0.7:
            drawn[key] = chance.choice("\0a9") * MAX_TEXT_BYTES


def requests(api_row: ApiRow, cases: int) -> list[tuple[Any, int]]:
    """Drawn ones in every version: as they come, close to home, and with long texts."""
    schema = message(f"{api_row.name}Request")
    chance = Random(f"{SEED} {api_row.name}")
    found = []
    for version in range(api_row.lowest, api_row.highest + 1):
        for number in range(cases):
            drawn = value(schema, version, number, SEED)
            if number % 3 == 1:
                close_to_home(drawn, chance)
            elif number % 3 == 2:
                as_long_as_may_be(drawn, chance)
            found.append((build(schema, drawn), version))
    return found


class Asker:
    """Puts frames into the pipeline of a running node, and reads what comes out."""

    def __init__(self, run: Running) -> None:
        self.run = run
        services = run.server.services
        listener = next(one for one in services.config.listeners if one.name == "CONTROLLER")
        served = served_listener(listener, services.config, services.quorum_api_keys)
        self.origin = Origin(served, "127.0.0.1:5000")
        self.told: Counter[str] = Counter()
        self.parked: list[Any] = []

    def send(self, api_row: ApiRow, asked: Any, version: int) -> None:
        """One request; its answer is read whenever it comes."""

        def deliver(parts: Parts | PeerError, pause_ms=0) -> None:
            if parts and not isinstance(parts, PeerError):  # which would end its connection
                decoded_answer(joined(parts), api_row.key, version)
            self.told[api_row.name] += 1

        frame = request_frame(asked, version)
        now = self.run.server.services.clock.now_ms()
        try:
            later = self.run.server.pipeline.serve(frame, self.origin, now, deliver)
        except PeerError:
            assert api_row.name == "Produce" and asked.acks == 0
            self.told[api_row.name] += 1
        else:
            self.parked.append(later)

    def hang_up(self) -> None:
        """Nobody waits for what is parked any more."""
        for later in self.parked:
            if later is not None:
                later.cancel()
        self.parked.clear()


@pytest.mark.slow
@pytest.mark.parametrize(
    "cases",
    [CASES, pytest.param(MANY_CASES, marks=[pytest.mark.soak, pytest.mark.timeout(1800)])],
)
async def test_no_request_that_a_schema_allows_ends_the_node(cases: int, tmp_path: Path) -> None:
    format_directory(tmp_path)
    async with running(config_of(tmp_path), patience_s=PATIENCE_S) as run:
        asker = Asker(run)
        sent = 0
        for api_row in sorted(API_ROWS, key=lambda one: Random(f"{SEED}{one.name}").random()):
            for asked, version in requests(api_row, cases):
                asker.send(api_row, asked, version)
                sent += 1
                if sent % REQUESTS_A_BREATH == 0:
                    await trio.sleep(0.001)
            asker.hang_up()
            await trio.sleep(0.01)
        await run.is_active()
        answer = await run.alter_quota("afterwards", 7.0)
        assert [entry.error_code for entry in answer.entries] == [0]
        print(f"{sent} requests, {sum(asker.told.values())} answered: {dict(asker.told)}")
        assert sent >= cases * len(API_ROWS)
        assert sum(asker.told.values()) >= sent // 2
