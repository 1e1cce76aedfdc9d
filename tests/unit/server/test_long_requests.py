"""Long requests decode in steps to what they decode to at once."""

from __future__ import annotations

import pytest

from metaquorum.base.limits import MAX_QUOTA_REQUEST_ROWS, ROWS_READ_PER_STEP
from metaquorum.server.contract.steps import taken
from metaquorum.server.pipeline.long_requests import decoded_in_steps
from metaquorum.wire.errors import DecodeError
from metaquorum.wire.generated import alter_client_quotas_request as quotas
from metaquorum.wire.generated import create_acls_request as acls
from metaquorum.wire.rows import RowCounter

LIMIT = MAX_QUOTA_REQUEST_ROWS
FRONT = b"in front"


def quota_request(entries: int, ops: int = 1) -> quotas.AlterClientQuotasRequest:
    return quotas.AlterClientQuotasRequest(
        [
            quotas.EntryData(
                [quotas.EntityData("user", f"user-{number}")],
                [quotas.OpData(f"key-{op}", float(number)) for op in range(ops)],
            )
            for number in range(entries)
        ],
        True,
    )


def read(codec, body: bytes, version: int, limit: int = LIMIT):
    counter = RowCounter.of(codec.SHAPE, version)
    return taken(decoded_in_steps(codec, counter, FRONT + body, version, len(FRONT), limit))


@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize("entries", [0, 1, 166, 167, 168, 1_000])
def test_a_long_quota_request_is_what_it_is_at_once(version, entries):
    request = quota_request(entries)
    assert read(quotas, quotas.encode(request, version), version) == request


@pytest.mark.parametrize("version", range(acls.LOWEST_VERSION, 4))
@pytest.mark.parametrize("count", [0, ROWS_READ_PER_STEP, ROWS_READ_PER_STEP + 1, 1_300])
def test_many_rules_are_what_they_are_at_once(version, count):
    rules = [
        acls.AclCreation(2, f"topic-{number}", 3, "User:a", "*", 3, 3) for number in range(count)
    ]
    request = acls.CreateAclsRequest(rules)
    assert read(acls, acls.encode(request, version), version) == request


def test_no_step_decodes_more_rows_than_it_may(monkeypatch):
    counted: list[int] = []
    decode = quotas.decode

    def decoding(buf, version, at=0):
        message = decode(buf, version, at)
        counted.append(sum(1 + len(e.entity) + len(e.ops) for e in message.entries))
        return message

    monkeypatch.setattr(quotas, "decode", decoding)
    request = quota_request(5_000, ops=4)
    assert read(quotas, quotas.encode(request, 1), 1) == request
    assert max(counted) < ROWS_READ_PER_STEP + 6
    assert sum(counted) == 30_000


def test_the_row_limit_holds_and_names_the_place():
    body = quotas.encode(quota_request(1_000), 1)
    with pytest.raises(
        DecodeError, match=r"entries\[500\].entity at .* 2000 are allowed in one request"
    ):
        read(quotas, body, 1, limit=2_000)


def test_one_entry_of_very_many_rows_is_refused():
    body = quotas.encode(quota_request(1, ops=ROWS_READ_PER_STEP + 1), 1)
    with pytest.raises(DecodeError, match="rows are too many in one element"):
        read(quotas, body, 1)


@pytest.mark.parametrize("cut", [1, 2, 3, 40, 10_000, 30_000])
def test_a_fault_is_named_where_it_is_in_the_whole_request(cut):
    body = quotas.encode(quota_request(1_000), 1)[:-cut]
    with pytest.raises(DecodeError) as at_once:
        quotas.decode(FRONT + body, 1, len(FRONT))
    with pytest.raises(DecodeError) as in_steps:
        read(quotas, body, 1)
    assert (in_steps.value.path, in_steps.value.at) == (at_once.value.path, at_once.value.at)


def test_a_count_that_is_a_lie_is_refused_at_once():
    with pytest.raises(DecodeError, match="elements"):
        read(quotas, b"\xff\xff\xff\xff\x0f" + bytes(100), 1)
