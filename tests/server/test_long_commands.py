"""Long commands on real connections: in their order, and closed when they turn out to be none."""

from __future__ import annotations

import trio.testing

from metaquorum.base.limits import ROWS_PER_COMMAND
from metaquorum.wire.generated import alter_client_quotas_request as quotas
from metaquorum.wire.generated import alter_client_quotas_response as told
from tests.server.one_node import framed

ALTER_QUOTAS = 49


def request_of(users: list[str], value: float) -> quotas.AlterClientQuotasRequest:
    return quotas.AlterClientQuotasRequest(
        [
            quotas.EntryData(
                [quotas.EntityData("user", user)], [quotas.OpData("producer_byte_rate", value)]
            )
            for user in users
        ]
    )


def answer_all(services) -> None:
    for (command, _), later in zip(services.asked, services.answers, strict=True):
        if not later.done:
            rows = [told.EntryData(0, None, []) for _ in command.request.entries]
            later.complete(told.AlterClientQuotasResponse(entries=rows))


async def test_a_small_command_behind_a_long_one_waits_until_it_is_answered(start):
    node = await start()
    wire = await node.connect()
    many = [f"u{number}" for number in range(ROWS_PER_COMMAND + 1)]
    await wire.send(
        framed(request_of(many, 1.0), 1), framed(request_of(many[:1], 2.0), 1, correlation=8)
    )
    await node.until(lambda: len(node.services.asked) == 2)
    await trio.testing.wait_all_tasks_blocked(0.01)
    assert [len(one.request.entries) for one, _ in node.services.asked] == [ROWS_PER_COMMAND, 1]
    assert node.services.asked[1][0].request.entries[0].ops[0].value == 1.0
    answer_all(node.services)
    _, first = await wire.answer(ALTER_QUOTAS, 1)
    assert len(first.entries) == len(many)
    await node.until(lambda: len(node.services.asked) == 3)
    assert node.services.asked[2][0].request.entries[0].ops[0].value == 2.0
    answer_all(node.services)
    _, second = await wire.answer(ALTER_QUOTAS, 1)
    assert len(second.entries) == 1


async def test_a_long_request_that_turns_out_to_be_none_ends_its_connection(start):
    node = await start()
    wire, other = await node.connect(), await node.connect()
    body = framed(request_of([f"user-{number}" for number in range(500)], 1.0), 1)[4:-5]
    await wire.send(len(body).to_bytes(4, "big") + body)
    assert await wire.is_closed_by_the_server()
    assert node.services.asked == []
    assert any("AlterClientQuotasRequest" in line for line in node.notes)
    await other.send(framed(request_of(["anna"], 1.0), 1))
    await node.until(lambda: len(node.services.asked) == 1)
    answer_all(node.services)
    await other.answer(ALTER_QUOTAS, 1)
