"""Which access rules a filter means (KIP-140, KIP-290): for describing and for deleting them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from attrs import frozen

from metaquorum.metadata.acl_codes import (
    WILDCARD,
    Operation,
    PatternType,
    Permission,
    ResourceType,
)
from metaquorum.metadata.tables.security import AccessRule


class FilterForm(Protocol):
    """A filter as requests carry it: of DescribeAcls the whole one, of DeleteAcls one of many."""

    resource_type_filter: int
    resource_name_filter: str | None
    pattern_type_filter: int
    principal_filter: str | None
    host_filter: str | None
    operation: int
    permission_type: int


@frozen
class AclFilter:
    """ANY, and None for a text, mean every rule; MATCH means those that cover a resource."""

    resource_type: int
    name: str | None
    pattern_type: int
    principal: str | None
    host: str | None
    operation: int
    permission: int

    def faults(self) -> Iterator[str]:
        """Why it means nothing."""
        if not _is_one_of(ResourceType, self.resource_type):
            yield f"resource type {self.resource_type} is unknown"
        if not _is_one_of(PatternType, self.pattern_type):
            yield f"pattern type {self.pattern_type} is unknown"
        if not _is_one_of(Operation, self.operation):
            yield f"operation {self.operation} is unknown"
        if not _is_one_of(Permission, self.permission):
            yield f"permission type {self.permission} is unknown"

    def matches(self, rule: AccessRule) -> bool:
        """Whether ``rule`` is meant."""
        return (
            self.resource_type in (ResourceType.ANY, rule.resource_type)
            and self.operation in (Operation.ANY, rule.operation)
            and self.permission in (Permission.ANY, rule.permission_type)
            and self.principal in (None, rule.principal)
            and self.host in (None, rule.host)
            and self._matches_pattern(rule)
        )

    def _matches_pattern(self, rule: AccessRule) -> bool:
        if self.pattern_type == PatternType.MATCH:
            return self.name is None or _covers(rule, self.name)
        if self.pattern_type not in (PatternType.ANY, rule.pattern_type):
            return False
        return self.name in (None, rule.resource_name)


def filter_of(form: FilterForm) -> AclFilter:
    """The filter that a request carries."""
    return AclFilter(
        form.resource_type_filter,
        form.resource_name_filter,
        form.pattern_type_filter,
        form.principal_filter,
        form.host_filter,
        form.operation,
        form.permission_type,
    )


def _covers(rule: AccessRule, name: str) -> bool:
    if rule.pattern_type == PatternType.PREFIXED:
        return name.startswith(rule.resource_name)
    return rule.resource_name in (name, WILDCARD)


def _is_one_of(
    codes: type[ResourceType] | type[PatternType] | type[Operation] | type[Permission], code: int
) -> bool:
    return any(code == one for one in codes if one)
