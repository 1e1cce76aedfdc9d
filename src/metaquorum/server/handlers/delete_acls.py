"""DeleteAcls (31): take away the access rules that match; answered when that is committed.

Behaviour
- SECURITY_DISABLED for each filter where no authoriser is configured.
- The active controller finds, writes and answers; other nodes hand the request on to it. Each
  filter is answered with the rules that it matched, also with those that another one matched too.
- Rules are looked for in steps, as of the moment in which the request was served; what another
  client deleted meanwhile is not listed. POLICY_VIOLATION, and nothing is done, where the filters
  match more than MAX_RECORDS_PER_BATCH rules (KAFKA-19411).
- A refusal is the code for each filter. Where a part of the rules could not be removed, the code
  stands beside each of these.

Version notes
- 1 brings pattern types; in 0 a filter means literal names.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import ADMIN_REQUEST_MS, ROWS_PER_COMMAND
from metaquorum.controller.commands import RemoveAcls
from metaquorum.controller.managers import acls
from metaquorum.metadata.tables.security import AccessRule
from metaquorum.server.contract.acls import check_guarded
from metaquorum.server.contract.parts import answers_of_parts, in_groups
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.server.contract.steps import Encoded, InSteps, RowsApart, Steps
from metaquorum.wire.generated import delete_acls_response, error_codes
from metaquorum.wire.generated.delete_acls_request import DeleteAclsRequest
from metaquorum.wire.generated.delete_acls_response import (
    DeleteAclsFilterResult,
    DeleteAclsMatchingAcl,
    DeleteAclsResponse,
)

_FLEXIBLE_FROM: Final = 2


def handle(request: Request[DeleteAclsRequest], services: Services) -> InSteps[Encoded]:
    """What came of each filter."""
    check_guarded(request)
    if not services.is_active:
        raise RequestError(error_codes.NOT_CONTROLLER, "this node is not the active controller")
    return InSteps(_steps(request, services))


def _steps(request: Request[DeleteAclsRequest], services: Services) -> Steps[Encoded]:
    rules = [rule for _, rule in services.committed().access_rules.items()]
    matched = yield from acls.matched_in_steps(rules, request.message.filters)
    ids = tuple(dict.fromkeys(rule.rule_id for one in matched for rule in one.rules))
    parts: Sequence[Sequence[bytes]] = in_groups(ids, ROWS_PER_COMMAND) or [()]
    deadline = request.received_at_ms + ADMIN_REQUEST_MS
    replies = yield from answers_of_parts(
        parts, lambda part: services.ask_controller(RemoveAcls(tuple(part)), deadline_ms=deadline)
    )
    refused: dict[bytes, RequestError] = {}
    gone: set[bytes] = set()
    for part, reply in zip(parts, replies, strict=True):
        if isinstance(reply, RequestError):
            refused.update(dict.fromkeys(part, reply))
        else:
            gone |= reply
    yield None

    def row(rule: AccessRule) -> DeleteAclsMatchingAcl:
        error = refused.get(rule.rule_id)
        if error is None:
            return acls.matching_row(rule)
        return acls.matching_row(rule, error.code, error.reason)

    answer = RowsApart(
        *(delete_acls_response, DeleteAclsResponse(), "filter_results"),
        *(request.version, _FLEXIBLE_FROM),
    )
    rows = (
        (
            _result(one),
            [rule for rule in one.rules if rule.rule_id in gone or rule.rule_id in refused],
        )
        for one in matched
    )
    yield from answer.add_nested(rows, "matching_acls", row)
    return answer.done()


def _result(one: acls.Matched) -> DeleteAclsFilterResult:
    if one.fault is not None:
        return DeleteAclsFilterResult(error_codes.INVALID_REQUEST, one.fault)
    return DeleteAclsFilterResult(error_codes.NONE, None)


def refusal(
    request: Request[DeleteAclsRequest], code: int, reason: str | None
) -> DeleteAclsResponse:
    """The code for each filter."""
    rows = [DeleteAclsFilterResult(code, reason) for _ in request.message.filters]
    return DeleteAclsResponse(filter_results=rows)
