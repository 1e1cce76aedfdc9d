"""Access rules are added and taken away (KIP-140, KIP-290); each rule has a verdict of its own.

A rule that is there already is added with success and without a record. Filters are held against
what was there before the request: a rule that several of them match goes once, and is told of by
each.

Kafka's controller closes the connection, or answers UNKNOWN_SERVER_ERROR for the whole request,
where a code is unknown or fits filters alone. Here it is INVALID_REQUEST for that rule, as for all
else that is wrong with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import Uuid
from metaquorum.base.limits import MAX_ACL_COMPARISONS, MAX_RECORDS_PER_BATCH
from metaquorum.controller.outcome import Outcome
from metaquorum.metadata.acl_codes import (
    CLUSTER_NAME,
    Operation,
    PatternType,
    Permission,
    ResourceType,
    is_principal,
)
from metaquorum.metadata.acl_filter import filter_of
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.security import AccessRule
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.create_acls_request import AclCreation, CreateAclsRequest
from metaquorum.wire.generated.create_acls_response import AclCreationResult, CreateAclsResponse
from metaquorum.wire.generated.delete_acls_request import DeleteAclsRequest
from metaquorum.wire.generated.delete_acls_response import (
    DeleteAclsFilterResult,
    DeleteAclsMatchingAcl,
    DeleteAclsResponse,
)
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


def plan_create(view: StateView, request: CreateAclsRequest, ids: tuple[Uuid, ...]) -> Outcome:
    """The records of all rules that are new, and a row for each that was asked for.

    RequestError POLICY_VIOLATION for more rules than one request may add.
    """
    if len(request.creations) > MAX_RECORDS_PER_BATCH:
        raise RequestError(
            error_codes.POLICY_VIOLATION,
            f"{len(request.creations)} rules, at most {MAX_RECORDS_PER_BATCH} at once",
        )
    names = {one.resource_name: None for one in request.creations}
    rules = (rule for _, rule in view.access_rules.items())
    known = {_content(rule): None for rule in rules if rule.resource_name in names}
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


def plan_delete(view: StateView, request: DeleteAclsRequest) -> Outcome:
    """The records that take the matching rules away, and for each filter what it matched."""
    rules = [rule for _, rule in view.access_rules.items()]
    by_name: dict[str, list[AccessRule]] = {}
    for rule in rules:
        by_name.setdefault(rule.resource_name, []).append(rule)
    gone: dict[Uuid, None] = {}
    rows = []
    told = compared = 0
    for asked in request.filters:
        chosen = filter_of(asked)
        fault = next(chosen.faults(), None)
        if fault is not None:
            rows.append(DeleteAclsFilterResult(error_codes.INVALID_REQUEST, fault))
            continue
        named = chosen.name if chosen.pattern_type != PatternType.MATCH else None
        candidates = rules if named is None else by_name.get(named, [])
        compared += len(candidates)
        if compared > MAX_ACL_COMPARISONS:
            raise RequestError(
                error_codes.POLICY_VIOLATION,
                f"{len(request.filters)} filters over {len(rules)} rules take too long; "
                "delete them in parts",
            )
        matching = [rule for rule in candidates if chosen.matches(rule)]
        told += len(matching)
        if told > MAX_RECORDS_PER_BATCH:
            raise RequestError(
                error_codes.POLICY_VIOLATION,
                f"the filters match more than {MAX_RECORDS_PER_BATCH} rules; delete them in parts",
            )
        gone.update(dict.fromkeys(rule.rule_id for rule in matching))
        rows.append(DeleteAclsFilterResult(0, None, [_row(rule) for rule in matching]))
    records = [MetadataRecord(_REMOVE, 0, RemoveAccessControlEntryRecord(one)) for one in gone]
    return Outcome(tuple(records), DeleteAclsResponse(filter_results=rows))


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


def _row(rule: AccessRule) -> DeleteAclsMatchingAcl:
    return DeleteAclsMatchingAcl(0, None, *_content(rule))
