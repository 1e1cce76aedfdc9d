"""Commands that are pipelined get the answers, and leave the records, of those that are not."""

from __future__ import annotations

import random
from itertools import chain
from pathlib import Path

import pytest
import trio

from metaquorum.base.limits import COMMANDS_TOGETHER
from metaquorum.records.reader import walk_batches, walk_records
from metaquorum.testing.pipeline_client import request_frame
from metaquorum.wire.generated import alter_client_quotas_request as quotas
from metaquorum.wire.generated.describe_client_quotas_request import DescribeClientQuotasRequest
from tests.unit.node.whole_node import config_of, format_directory, running

CLIENT_QUOTA = b"\x01\x0e"  # how such a record begins
COMMANDS = 3 * COMMANDS_TOGETHER


def command(chance: random.Random) -> quotas.AlterClientQuotasRequest:
    """Some changes, many of them refused, or none."""

    def entry() -> quotas.EntryData:
        entity = [
            quotas.EntityData(chance.choice(["user", "client-id", "ip"]), chance.choice("abcd"))
        ]
        key = chance.choice(["producer_byte_rate", "consumer_byte_rate", "request_percentage"])
        key = key if chance.random() < 0.9 else "no_quota"
        value = float(chance.randrange(-1, 20))
        return quotas.EntryData(entity, [quotas.OpData(key, value, chance.random() < 0.3)])

    entries = [entry() for _ in range(chance.choice([0, 1, 1, 1, 2, 3]))]
    return quotas.AlterClientQuotasRequest(entries, chance.random() < 0.2)


def frames(seed: int) -> list[bytes]:
    """Mostly commands, a question in between."""
    chance = random.Random(seed)
    asked = []
    for number in range(COMMANDS):
        if chance.random() < 0.05:
            whole = request_frame(DescribeClientQuotasRequest([], False), 1, correlation=number)
        else:
            whole = request_frame(command(chance), 1, correlation=number)
        asked.append(len(whole).to_bytes(4, "big") + whole)
    return asked


async def answers(port: int, pieces: list[bytes], each: int) -> list[bytes]:
    """Send piece by piece; each is answered by so many frames before the next one leaves."""
    stream = await trio.open_tcp_stream("127.0.0.1", port)
    held, found = b"", []
    for piece in pieces:
        await stream.send_all(piece)
        for _ in range(each):
            while len(held) < 4 or len(held) < 4 + int.from_bytes(held[:4], "big"):
                held += await stream.receive_some(65_536)
            size = 4 + int.from_bytes(held[:4], "big")
            found.append(held[:size])
            held = held[size:]
    await stream.aclose()
    return found


def records(directory: Path) -> list[list[bytes]]:
    """Those of quotas by batch; a node's registration tells which ports it drew."""
    log = (directory / "__cluster_metadata-0" / "00000000000000000000.log").read_bytes()
    batches = [
        [bytes(record.value) for record in walk_records(batch)]
        for header, batch in walk_batches(log)
        if not header.is_control
    ]
    return [batch for batch in batches if batch[0].startswith(CLIENT_QUOTA)]


@pytest.mark.parametrize("listener", ["CONTROLLER", "PLAINTEXT"])
@pytest.mark.parametrize("seed", range(4))
async def test_together_or_one_by_one(tmp_path: Path, seed: int, listener: str):
    asked = frames(seed)
    told, written = [], []
    for name, pieces, each in (("one", asked, 1), ("all", [b"".join(asked)], COMMANDS)):
        format_directory(tmp_path / name)
        async with running(config_of(tmp_path / name)) as run:
            told.append(await answers(run.server.ports[listener], pieces, each))
            written.append(records(tmp_path / name))
    assert told[0] == told[1]
    one_by_one, together = ([*chain(*batches)] for batches in written)
    assert one_by_one == together
    # How many are served in one turn is a matter of time; the first of them share a batch always.
    assert len(written[1]) < len(written[0])
