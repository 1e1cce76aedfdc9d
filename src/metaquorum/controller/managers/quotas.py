"""Client quotas: who may be limited, by what, how far; and the question who is (KIP-546, KIP-612).

Behaviour. Every entity of a request stands alone: one that is wrong gets INVALID_REQUEST and
changes nothing, the others go ahead. What is asked of one entity is written in one atomic batch; a
request of many becomes several commands (``divided``). A value that is set already, and a key to be
removed that is not there, cost no record. An entity named twice in one request is refused in both
places, so that no answer says "refused" of something that was done.

Bounds that Kafka leaves open are closed: a value that is not a finite number is refused, so is an
entity with the same type twice (Kafka lets the last one win), and so is an ip that is neither an
address nor ``localhost`` (Kafka asks its resolver; a quota that means another address on every
node limits nobody).
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from heapq import merge
from itertools import islice
from math import isfinite
from typing import Final

from attrs import define, field, frozen

from metaquorum.base.each import each
from metaquorum.base.errors import RequestError, short_reason
from metaquorum.base.limits import (
    MAX_QUOTA_ENTRIES_PER_REQUEST,
    ROWS_PER_STEP,
    ROWS_READ_PER_STEP,
)
from metaquorum.controller.commands import AlterClientQuotas
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import Outcome
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.quotas import NO_QUOTAS, QuotaEntity, Quotas, quota_entity
from metaquorum.metadata.timeline import Reader
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import (
    alter_client_quotas_request,
    alter_client_quotas_response,
    describe_client_quotas_response,
    error_codes,
)
from metaquorum.wire.generated.alter_client_quotas_response import AlterClientQuotasResponse
from metaquorum.wire.generated.describe_client_quotas_request import (
    ComponentData,
    DescribeClientQuotasRequest,
)
from metaquorum.wire.generated.describe_client_quotas_response import DescribeClientQuotasResponse
from metaquorum.wire.generated.records import client_quota_record
from metaquorum.wire.generated.records.client_quota_record import ClientQuotaRecord

USER: Final = "user"
CLIENT_ID: Final = "client-id"
IP: Final = "ip"
ENTITY_TYPES: Final = (CLIENT_ID, IP, USER)

MATCH_EXACT: Final = 0
MATCH_DEFAULT: Final = 1
MATCH_ANY: Final = 2

_CLIENT_QUOTA: Final = 14
_IPV4: Final = re.compile(r"\d{1,10}(\.\d{1,10}){0,3}", re.ASCII)
_SORTED_AT_ONCE: Final = 4 * ROWS_PER_STEP
_ENOUGH_TO_BE_REFUSED: Final = 2
_FRACTION_FORGIVEN: Final = 1e-6  # what double arithmetic may have left of a whole number


@frozen
class QuotaKind:
    """What a quota key holds: a whole number up to ``highest``, or any number if None."""

    highest: int | None = None


_BYTES_A_SECOND: Final = QuotaKind((1 << 63) - 1)
_CLIENT_KEYS: Final[Mapping[str, QuotaKind]] = {
    "producer_byte_rate": _BYTES_A_SECOND,
    "consumer_byte_rate": _BYTES_A_SECOND,
    "request_percentage": QuotaKind(),
    "controller_mutation_rate": QuotaKind(),
}
_IP_KEYS: Final[Mapping[str, QuotaKind]] = {"connection_creation_rate": QuotaKind((1 << 31) - 1)}


# Altering.

_AsGiven = tuple[tuple[str, str | None], ...]
"""The parts of an entity in the order of the request."""


@define
class Verdict:
    """What came of one entity: its records, or why it has none."""

    parts: _AsGiven
    records: list[MetadataRecord] = field(factory=list)
    refusal: str | None = None


def plan_alter(context: PlanContext, command: AlterClientQuotas) -> Outcome:
    """The records of what is right in the request, and a row for every entity it names.

    RequestError POLICY_VIOLATION for more entries than one request may have.
    """
    view = context.view
    request = command.request
    _check_count(request.entries)
    verdicts = _verdicts(view.quotas, request.entries)
    response = AlterClientQuotasResponse(entries=each(_row, verdicts))
    if request.validate_only:
        return Outcome((), response)
    return Outcome(tuple(_records(verdicts)), response)


def divided(
    entries: Sequence[alter_client_quotas_request.EntryData], most: int
) -> Generator[None, None, list[list[alter_client_quotas_request.EntryData]]]:
    """The entries, those of ``most`` entities at a time, for commands of their own.

    All entries of one entity stay together. Two of them are enough for it to be refused. Raises
    RequestError as ``plan_alter`` does.
    """
    _check_count(entries)
    by_entity: dict[QuotaEntity, list[alter_client_quotas_request.EntryData]] = {}
    for number, entry in enumerate(entries):
        if number % ROWS_READ_PER_STEP == 0:
            yield
        same = by_entity.setdefault(_entity(entry)[0], [])
        if len(same) < _ENOUGH_TO_BE_REFUSED:
            same.append(entry)
    groups = list(by_entity.values())
    return [
        [entry for same in groups[at : at + most] for entry in same]
        for at in range(0, len(groups), most)
    ]


def _check_count(entries: Sequence[alter_client_quotas_request.EntryData]) -> None:
    if len(entries) > MAX_QUOTA_ENTRIES_PER_REQUEST:
        raise RequestError(
            error_codes.POLICY_VIOLATION,
            f"the request has {len(entries)} entries, "
            f"at most {MAX_QUOTA_ENTRIES_PER_REQUEST} may be altered at once",
        )


def _records(verdicts: Sequence[Verdict]) -> list[MetadataRecord]:
    if len(verdicts) == 1:
        return verdicts[0].records
    return [record for verdict in verdicts for record in verdict.records]


def _verdicts(
    quotas: Reader[QuotaEntity, Quotas], entries: Sequence[alter_client_quotas_request.EntryData]
) -> Sequence[Verdict]:
    if len(entries) == 1:  # as nearly always: it is looked for among no others
        return (_judged(quotas, *_entity(entries[0]), entries[0].ops),)
    verdicts: dict[QuotaEntity, Verdict] = {}
    for entry in entries:
        entity, parts = _entity(entry)
        seen = verdicts.get(entity)
        if seen is not None:
            seen.records.clear()
            seen.refusal = f"the request names {_named(entity)} more than once"
        else:
            verdicts[entity] = _judged(quotas, entity, parts, entry.ops)
    return tuple(verdicts.values())


def _entity(entry: alter_client_quotas_request.EntryData) -> tuple[QuotaEntity, _AsGiven]:
    parts = tuple(each(_part, entry.entity))
    return quota_entity(parts), parts


def _part(part: alter_client_quotas_request.EntityData) -> tuple[str, str | None]:
    return part.entity_type, part.entity_name


def _judged(
    quotas: Reader[QuotaEntity, Quotas],
    entity: QuotaEntity,
    parts: _AsGiven,
    ops: Sequence[alter_client_quotas_request.OpData],
) -> Verdict:
    current = quotas.get(entity)
    return _verdict(NO_QUOTAS if current is None else current, parts, ops)


def _verdict(
    current: Quotas,
    parts: _AsGiven,
    ops: Sequence[alter_client_quotas_request.OpData],
) -> Verdict:
    verdict = Verdict(parts, refusal=_entity_refusal(parts))
    if verdict.refusal is not None:
        return verdict
    keys = _IP_KEYS if parts[0][0] == IP else _CLIENT_KEYS
    if len(ops) == 1:
        _judge(verdict, current, keys, ops[0])
        return verdict
    seen: set[str] = set()
    for op in ops:
        if op.key in seen:
            verdict.refusal = f"the quota {op.key} is given more than once"
        else:
            seen.add(op.key)
            _judge(verdict, current, keys, op)
        if verdict.refusal is not None:
            verdict.records.clear()
            break
    return verdict


def _judge(
    verdict: Verdict,
    current: Quotas,
    keys: Mapping[str, QuotaKind],
    op: alter_client_quotas_request.OpData,
) -> None:
    """One change of an entity: its record, if it makes a difference, or why there is none."""
    if op.remove:
        if op.key in current:
            verdict.records.append(_record(verdict.parts, op.key, 0.0, remove=True))
        return
    verdict.refusal = _value_refusal(keys, op.key, op.value)
    if verdict.refusal is None and current.get(op.key) != op.value:
        verdict.records.append(_record(verdict.parts, op.key, op.value, remove=False))


def _entity_refusal(parts: _AsGiven) -> str | None:
    if not parts:
        return "the entity has no parts"
    if len(parts) == 1:
        return _part_refusal(*parts[0]) or _address_refusal(*parts[0])
    types = [entity_type for entity_type, _ in parts]
    for entity_type, name in parts:
        refusal = _part_refusal(entity_type, name)
        if types.count(entity_type) > 1 and entity_type in ENTITY_TYPES:
            refusal = f"the entity has more than one {entity_type}"
        if refusal is not None:
            return refusal
    if IP not in types:
        return None
    # Its beginning is Kafka's, whose tools and tests look for it.
    return (
        f"Invalid quota entity combination: an {IP} cannot be combined with {USER} or {CLIENT_ID}"
    )


def _part_refusal(entity_type: str, name: str | None) -> str | None:
    if entity_type not in ENTITY_TYPES:
        return f"{entity_type!r} is no entity type; there are {', '.join(ENTITY_TYPES)}"
    if name == "":
        return f"the {entity_type} has an empty name; the default entity has none at all"
    return None


def _address_refusal(entity_type: str, name: str | None) -> str | None:
    if entity_type == IP and name is not None and not _is_address(name):
        return f"{name!r} is not a valid IP address"
    return None


def _is_address(name: str) -> bool:
    """Whether Kafka would take ``name`` without asking a resolver."""
    from ipaddress import ip_address

    if name == "localhost":
        return True
    if _IPV4.fullmatch(name):  # the last number fills the bytes that are left: 127.1, or 7
        *front, last = (int(part) for part in name.split("."))
        return all(part < 256 for part in front) and last < 256 ** (4 - len(front))
    try:
        ip_address(name.removeprefix("[").removesuffix("]"))
    except ValueError:
        return False
    return "%" not in name


def _value_refusal(keys: Mapping[str, QuotaKind], key: str, value: float) -> str | None:
    kind = keys.get(key)
    if kind is None:
        return f"{key!r} is no quota of this entity; it may have {', '.join(keys)}"
    if not isfinite(value):
        return f"{key} must be a finite number, not {value}"
    if value <= 0:
        return f"{key} must be above 0, not {value:g}"
    if kind.highest is None:
        return None
    if value > float(kind.highest):  # as a double the highest long is 2^63, and may be asked for
        return f"{key} is at most {kind.highest}, {value:g} is more"
    if abs(value - int(value)) > _FRACTION_FORGIVEN:
        return f"{key} must be a whole number, not {value:g}"
    return None


def _record(parts: _AsGiven, key: str, value: float, *, remove: bool) -> MetadataRecord:
    entity = each(_record_part, parts)
    return MetadataRecord(_CLIENT_QUOTA, 0, ClientQuotaRecord(entity, key, value, remove))


def _record_part(part: tuple[str, str | None]) -> client_quota_record.EntityData:
    return client_quota_record.EntityData(*part)


def _row(verdict: Verdict) -> alter_client_quotas_response.EntryData:
    refusal = verdict.refusal
    entity = each(_row_part, verdict.parts)
    if refusal is None:
        return alter_client_quotas_response.EntryData(error_codes.NONE, None, entity)
    return alter_client_quotas_response.EntryData(
        error_codes.INVALID_REQUEST, short_reason(refusal), entity
    )


def _row_part(part: tuple[str, str | None]) -> alter_client_quotas_response.EntityData:
    return alter_client_quotas_response.EntityData(*part)


def _named(entity: QuotaEntity) -> str:
    return ", ".join(f"{kind} {name if name is not None else '<default>'}" for kind, name in entity)


# Describing.


@frozen
class QuotaFilter:
    """What entities must have: these parts exactly, and these types under any name."""

    exact: Mapping[str, str | None]
    any_name: tuple[str, ...]
    is_strict: bool

    def admits(self, entity: QuotaEntity) -> bool:
        """Whether ``entity`` has all of that, and, if strict, nothing else."""
        if not (self.exact or self.any_name or self.is_strict):
            return True
        names = dict(entity)
        if self.is_strict and len(names) != len(self.exact) + len(self.any_name):
            return False
        return all(kind in names for kind in self.any_name) and all(
            kind in names and names[kind] == name for kind, name in self.exact.items()
        )


def describe(view: StateView, request: DescribeClientQuotasRequest) -> DescribeClientQuotasResponse:
    """Every entity that the request's filter admits with its quotas, sorted by entity."""
    try:
        chosen = filter_of(request)
    except RequestError as error:
        return DescribeClientQuotasResponse(
            error_code=error.code, error_message=error.reason, entries=None
        )
    rows = [row for some in described_in_steps(view, chosen) for row in some]
    return DescribeClientQuotasResponse(error_message="", entries=rows)  # not null: as Kafka's


def described_in_steps(
    view: StateView, chosen: QuotaFilter
) -> Iterator[list[describe_client_quotas_response.EntryData]]:
    """The same entities in the same order, ``ROWS_PER_STEP`` or fewer at a time.

    They are those of the moment in which this begins. Lists in the beginning are empty, since
    sorting takes long as well: small parts are sorted and then merged.
    """
    everything = list(view.quotas.items())
    yield []
    parts = []
    for at in range(0, len(everything), _SORTED_AT_ONCE):
        some = everything[at : at + _SORTED_AT_ONCE]
        parts.append(sorted((_order(row[0]), row) for row in some if chosen.admits(row[0])))
        yield []
    merged = merge(*parts)
    while rows := [_described(*row) for _, row in islice(merged, ROWS_PER_STEP)]:
        yield rows


def filter_of(request: DescribeClientQuotasRequest) -> QuotaFilter:
    """What the request asks for; RequestError when it is no filter."""
    exact: dict[str, str | None] = {}
    any_name: list[str] = []
    for component in request.components:
        _check_component(component)
        kind = component.entity_type
        if kind in exact or kind in any_name:
            raise _invalid(f"the filter names {kind} more than once")
        if component.match_type == MATCH_ANY:
            any_name.append(kind)
        else:
            exact[kind] = component.match
    named = (*exact, *any_name)
    if IP in named and len(named) > 1:
        raise _invalid(f"a filter for {IP} cannot be combined with {USER} or {CLIENT_ID}")
    return QuotaFilter(exact, tuple(any_name), request.strict)


def _check_component(component: ComponentData) -> None:
    kind, match = component.entity_type, component.match
    if not kind:
        raise _invalid("a part of the filter has an empty entity type")
    if kind not in ENTITY_TYPES:
        raise RequestError(
            error_codes.UNSUPPORTED_VERSION,
            f"{kind!r} is no entity type; there are {', '.join(ENTITY_TYPES)}",
        )
    if component.match_type == MATCH_EXACT:
        if match is None:
            raise _invalid(f"the filter asks for a certain {kind}, but does not say which")
    elif component.match_type not in (MATCH_DEFAULT, MATCH_ANY):
        raise _invalid(f"match type {component.match_type} is unknown; 0 to 2 are known")
    elif match is not None:
        raise _invalid(f"match type {component.match_type} takes no name, {match!r} was given")


def _invalid(reason: str) -> RequestError:
    return RequestError(error_codes.INVALID_REQUEST, reason)


def _order(entity: QuotaEntity) -> tuple[tuple[str, bool, str], ...]:
    return tuple((kind, name is not None, name or "") for kind, name in entity)


def _described(entity: QuotaEntity, quotas: Quotas) -> describe_client_quotas_response.EntryData:
    return describe_client_quotas_response.EntryData(
        entity=[describe_client_quotas_response.EntityData(*part) for part in entity],
        values=[
            describe_client_quotas_response.ValueData(key, value)
            for key, value in sorted(quotas.items())
        ],
    )
