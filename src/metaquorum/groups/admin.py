"""What operators can see of classic groups: which there are, and who is in them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from metaquorum.groups.classic_group import ClassicGroup, GroupPhase
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.describe_groups_response import DescribedGroup, DescribedGroupMember
from metaquorum.wire.generated.list_groups_response import ListedGroup

CLASSIC: Final = "classic"
CONSUMER: Final = "consumer"
_DEAD: Final = "Dead"
_NOT_FOUND_FROM: Final = 6


def listed(
    groups: Sequence[ListedGroup], states: Sequence[str], types: Sequence[str]
) -> list[ListedGroup]:
    """Those of the given states and types, whatever the case of their letters; none given: all."""
    wanted_states = {name.lower() for name in states}
    wanted_types = {name.lower() for name in types}
    return [
        one
        for one in groups
        if (not states or one.group_state.lower() in wanted_states)
        and (not types or one.group_type.lower() in wanted_types)
    ]


def row_of(group: ClassicGroup) -> ListedGroup:
    """A classic group in a list."""
    return ListedGroup(group.id, group.protocol_type, group.phase.value, CLASSIC)


def described(group: ClassicGroup) -> DescribedGroup:
    """A group and its members; what they sent and got is shown while it is stable."""
    is_stable = group.phase is GroupPhase.STABLE
    return DescribedGroup(
        error_code=error_codes.NONE,
        group_id=group.id,
        group_state=group.phase.value,
        protocol_type=group.protocol_type,
        protocol_data=(group.protocol or "") if is_stable else "",
        members=[
            DescribedGroupMember(
                member_id=one.id,
                group_instance_id=one.instance_id,
                client_id=one.client_id,
                client_host=one.client_host,
                member_metadata=one.metadata_of(group.protocol) if is_stable else b"",
                member_assignment=one.assignment,
            )
            for one in group.members.values()
        ],
    )


def absent(group_id: str, version: int) -> DescribedGroup:
    """A group that does not exist: dead without an error, and from version 6 on not found."""
    if version < _NOT_FOUND_FROM:
        return DescribedGroup(group_id=group_id, group_state=_DEAD)
    return DescribedGroup(
        error_code=error_codes.GROUP_ID_NOT_FOUND,
        error_message=f"group {group_id} does not exist",
        group_id=group_id,
        group_state=_DEAD,
    )
