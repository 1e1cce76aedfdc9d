"""DescribeAcls (29): the access rules that match a filter, from the committed state.

Behaviour
- SECURITY_DISABLED where no authoriser is configured; INVALID_REQUEST for a filter with a code
  that is unknown.
- Any node answers. Rules of one resource stand together; resources and rules come in the order in
  which the rules were made.
- Many rules are described in steps, all as of the moment in which the request was served.

Version notes
- 1 brings pattern types: an older client can be sent literal names only, and sees no others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import LOOKUPS_PER_STEP
from metaquorum.metadata.acl_codes import PatternType
from metaquorum.metadata.acl_filter import filter_of
from metaquorum.metadata.tables.security import AccessRule
from metaquorum.server.contract.acls import check_guarded
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.server.contract.steps import Encoded, InSteps, RowsApart, Steps
from metaquorum.wire.generated import describe_acls_response, error_codes
from metaquorum.wire.generated.describe_acls_request import DescribeAclsRequest
from metaquorum.wire.generated.describe_acls_response import (
    AclDescription,
    DescribeAclsResource,
    DescribeAclsResponse,
)

_FLEXIBLE_FROM: Final = 2
_PATTERNS_FROM: Final = 1

_Resource = tuple[int, str, int]


def handle(request: Request[DescribeAclsRequest], services: Services) -> InSteps[Encoded]:
    """The rules that match."""
    check_guarded(request)
    fault = next(filter_of(request.message).faults(), None)
    if fault is not None:
        raise RequestError(error_codes.INVALID_REQUEST, fault)
    return InSteps(_steps(request, [rule for _, rule in services.committed().access_rules.items()]))


def _steps(request: Request[DescribeAclsRequest], rules: Sequence[AccessRule]) -> Steps[Encoded]:
    chosen = filter_of(request.message)
    found: dict[_Resource, list[AccessRule]] = {}
    for number, rule in enumerate(rules):
        if number % LOOKUPS_PER_STEP == 0:
            yield None
        is_shown = request.version >= _PATTERNS_FROM or rule.pattern_type == PatternType.LITERAL
        if is_shown and chosen.matches(rule):
            resource = (rule.resource_type, rule.resource_name, rule.pattern_type)
            found.setdefault(resource, []).append(rule)
    empty = DescribeAclsResponse(error_message="")  # not null: as Kafka's
    answer = RowsApart(describe_acls_response, empty, "resources", request.version, _FLEXIBLE_FROM)
    rows = ((DescribeAclsResource(*resource), of_it) for resource, of_it in found.items())
    yield from answer.add_nested(rows, "acls", _described)
    return answer.done()


def _described(rule: AccessRule) -> AclDescription:
    return AclDescription(rule.principal, rule.host, rule.operation, rule.permission_type)


def refusal(
    request: Request[DescribeAclsRequest], code: int, reason: str | None
) -> DescribeAclsResponse:
    """An error and no rules."""
    return DescribeAclsResponse(error_code=code, error_message=reason)
