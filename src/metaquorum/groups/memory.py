"""What classic groups hold in memory for their members, and how much they may.

Members choose what they say for each protocol and what their leader assigns, up to a whole request
each, and the group keeps it for as long as they are in it. Kafka bounds it by the largest record
of its topic when it writes the group; here it is refused when it comes.
"""

from __future__ import annotations

from attrs import define, field

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import MAX_GROUP_MEMBER_BYTES, MAX_GROUPS_BYTES
from metaquorum.groups.classic_group import ClassicGroup, Member, Protocols
from metaquorum.groups.commands import JoinGroup
from metaquorum.wire.generated import error_codes


def bytes_of_protocols(protocols: Protocols) -> int:
    """Of the names and what is said for each."""
    return sum(len(name) + len(metadata) for name, metadata in protocols)


def _bytes_of_member(member: Member) -> int:
    named = len(member.id) + len(member.client_id) + len(member.instance_id or "")
    return named + bytes_of_protocols(member.protocols) + len(member.assignment)


@define(eq=False)
class GroupMemory:
    """Bytes by group, counted anew when a group has changed."""

    most_bytes: int = MAX_GROUPS_BYTES
    most_member_bytes: int = MAX_GROUP_MEMBER_BYTES
    held_bytes: int = 0
    _by_group: dict[str, int] = field(factory=dict)

    def weigh(self, group: ClassicGroup) -> None:
        """Count a group anew."""
        held = sum(map(_bytes_of_member, group.members.values())) + sum(map(len, group.pending))
        before = self._by_group.pop(group.id, 0)
        if held:
            self._by_group[group.id] = held
        self.held_bytes += held - before

    def forget(self, group_id: str) -> None:
        """A group is gone."""
        self.held_bytes -= self._by_group.pop(group_id, 0)

    def clear(self) -> None:
        """All of them are."""
        self._by_group.clear()
        self.held_bytes = 0

    def check_join(self, command: JoinGroup) -> None:
        """RequestError where a member says more than one may, or than there is room for."""
        said = bytes_of_protocols(command.protocols)
        if said > self.most_member_bytes:
            raise RequestError(
                error_codes.INVALID_REQUEST,
                f"protocols of {said} bytes; {self.most_member_bytes} are allowed",
            )
        self.check(said)

    def check(self, more_bytes: int) -> None:
        """RequestError where there is no room for so many more."""
        if self.held_bytes + more_bytes > self.most_bytes:
            raise RequestError(
                error_codes.COORDINATOR_NOT_AVAILABLE,
                f"members of groups hold {self.held_bytes} of {self.most_bytes} bytes",
            )
