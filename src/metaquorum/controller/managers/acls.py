"""Access rules are added and taken away (KIP-140, KIP-290); each rule has a verdict of its own.

A rule that is there already is added with success and without a record. To take rules away they
are first looked for, in steps and outside of the controller, and then removed by their ids. A rule
that several filters match is removed once, and is in the answer to each. See docs/decisions/199.

Kafka's controller closes the connection, or answers UNKNOWN_SERVER_ERROR for the whole request,
where a code is unknown or fits filters alone. Here it is INVALID_REQUEST for that rule, as for all
else that is wrong with it.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from typing import Final

from attrs import define, field

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import FILTERS_PER_STEP, LOOKUPS_PER_STEP, MAX_RECORDS_PER_BATCH
from metaquorum.controller.commands import CreateAcls, RemoveAcls
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import Outcome
from metaquorum.metadata.acl_codes import (
    CLUSTER_NAME,
    Operation,
    PatternType,
    Permission,
    ResourceType,
    is_principal,
)
from metaquorum.metadata.acl_filter import FilterForm, filter_of
from metaquorum.metadata.acl_filter_index import AclFilterIndex
from metaquorum.metadata.tables.security import AccessRule
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.create_acls_request import AclCreation
from metaquorum.wire.generated.create_acls_response import AclCreationResult, CreateAclsResponse
from metaquorum.wire.generated.delete_acls_response import DeleteAclsMatchingAcl
from metaquorum.wire.generated.records.access_control_entry_record import (
    AccessControlEntryRecord,
)
from metaquorum.wire.generated.records.remove_access_control_entry_record import (
    RemoveAccessControlEntryRecord,
)

_ADD: Final = 18
_REMOVE: Final = 19
_RESOURCE_TYPES: Final = frozenset(one for one in ResourceType if one > ResourceType.ANY)
_PATTERN_TYPES: Final = frozenset({PatternType.LITERAL, PatternType.PREFIXED})
_OPERATIONS: Final = frozenset(one for one in Operation if one > Operation.ANY)
_PERMISSIONS: Final = frozenset({Permission.DENY, Permission.ALLOW})

_Content = tuple[int, str, int, str, str, int, int]


def plan_create(context: PlanContext, command: CreateAcls) -> Outcome:
    """The records of all rules that are new, and a row for each that was asked for.

    RequestError POLICY_VIOLATION for more rules than one request may add.
    """
    view = context.view
    request, ids = command.request, command.ids
    if len(request.creations) > MAX_RECORDS_PER_BATCH:
        raise RequestError(
            error_codes.POLICY_VIOLATION,
            f"{len(request.creations)} rules, at most {MAX_RECORDS_PER_BATCH} at once",
        )
    names = {one.resource_name: None for one in request.creations}
    known = {
        _content(rule): None for _, rule in view.access_rules.items() if rule.resource_name in names
    }
    records: list[MetadataRecord] = []
    rows = []
    for rule_id, creation in zip(ids, request.creations, strict=True):
        fault = next(_faults(creation), None)
        if fault is not None:
            rows.append(AclCreationResult(error_codes.INVALID_REQUEST, fault))
            continue
        rows.append(AclCreationResult())
        content = _asked(creation)
        if content not in known:
            known[content] = None
            records.append(MetadataRecord(_ADD, 0, AccessControlEntryRecord(rule_id, *content)))
    return Outcome(tuple(records), CreateAclsResponse(results=rows))


@define
class Matched:
    """What one filter of a request means: these rules, or nothing for this fault."""

    rules: list[AccessRule] = field(factory=list)
    fault: str | None = None


def matched_in_steps(
    rules: Sequence[AccessRule], filters: Sequence[FilterForm]
) -> Generator[None, None, list[Matched]]:
    """What each of the filters means, in their order.

    RequestError POLICY_VIOLATION where they mean more rules than one request may take away. A
    step is FILTERS_PER_STEP filters, or LOOKUPS_PER_STEP look-ups for the rules.
    """
    index = AclFilterIndex()
    matched = []
    for number, form in enumerate(filters):
        if number % FILTERS_PER_STEP == 0:
            yield
        chosen = filter_of(form)
        fault = next(chosen.faults(), None)
        matched.append(Matched(fault=fault))
        if fault is None:
            index.add(number, chosen)
    rules_per_step = LOOKUPS_PER_STEP // max(len(index), 1)
    found = 0
    for at, rule in enumerate(rules):
        if at % rules_per_step == 0:
            yield
        for number in index.matching(rule):
            matched[number].rules.append(rule)
            found += 1
        if found > MAX_RECORDS_PER_BATCH:
            raise RequestError(
                error_codes.POLICY_VIOLATION,
                f"the filters match more than {MAX_RECORDS_PER_BATCH} rules; delete them in parts",
            )
    return matched


def plan_remove(context: PlanContext, command: RemoveAcls) -> Outcome:
    """The records that take away those of the rules that are still there.

    The reply is the set of their ids: what is gone already was taken away by somebody else.
    """
    view = context.view
    named = dict.fromkeys(command.ids)  # a second record for a rule could not be replayed
    there = [rule_id for rule_id in named if rule_id in view.access_rules]
    records = [MetadataRecord(_REMOVE, 0, RemoveAccessControlEntryRecord(one)) for one in there]
    return Outcome(tuple(records), frozenset(there))


def matching_row(
    rule: AccessRule, code: int = error_codes.NONE, reason: str | None = None
) -> DeleteAclsMatchingAcl:
    """A rule as the answer to DeleteAcls tells of it, with what came of it."""
    return DeleteAclsMatchingAcl(code, reason, *_content(rule))


def _faults(one: AclCreation) -> Iterator[str]:
    if one.resource_type == ResourceType.CLUSTER and one.resource_name != CLUSTER_NAME:
        yield f"the only resource of the kind CLUSTER is {CLUSTER_NAME}"
    if not one.resource_name:
        yield "the resource has no name"
    if one.resource_type not in _RESOURCE_TYPES:
        yield f"no rule can be about resource type {one.resource_type}"
    if one.resource_pattern_type not in _PATTERN_TYPES:
        yield f"no rule can have pattern type {one.resource_pattern_type}"
    if one.operation not in _OPERATIONS:
        yield f"no rule can be about operation {one.operation}"
    if one.permission_type not in _PERMISSIONS:
        yield f"no rule can have permission type {one.permission_type}"
    if not is_principal(one.principal):
        yield f"{one.principal!r} is no principal, such as User:alice"


def _content(rule: AccessRule) -> _Content:
    return (
        rule.resource_type,
        rule.resource_name,
        rule.pattern_type,
        rule.principal,
        rule.host,
        rule.operation,
        rule.permission_type,
    )


def _asked(one: AclCreation) -> _Content:
    return (
        one.resource_type,
        one.resource_name,
        one.resource_pattern_type,
        one.principal,
        one.host,
        one.operation,
        one.permission_type,
    )
