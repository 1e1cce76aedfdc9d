"""What guards the cluster: access rules, SCRAM credentials, delegation tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field, frozen

from metaquorum.base.ids import Uuid
from metaquorum.metadata.origin import NO_ORIGIN, Origin

if TYPE_CHECKING:
    from metaquorum.wire.generated.records.access_control_entry_record import (
        AccessControlEntryRecord,
    )
    from metaquorum.wire.generated.records.delegation_token_record import DelegationTokenRecord
    from metaquorum.wire.generated.records.user_scram_credential_record import (
        UserScramCredentialRecord,
    )

ScramKey = tuple[str, int]
"""User name and mechanism: 1 is SHA-256, 2 is SHA-512."""


@frozen
class AccessRule:
    """One access control entry; the numbers are Kafka's codes."""

    rule_id: Uuid
    resource_type: int
    resource_name: str
    pattern_type: int
    principal: str
    host: str
    operation: int
    permission_type: int
    origin: Origin = field(default=NO_ORIGIN, eq=False, repr=False)


@frozen
class ScramCredential:
    """What the server keeps of a password (RFC 5802); never printed."""

    salt: bytes
    stored_key: bytes
    server_key: bytes
    iterations: int
    origin: Origin = field(default=NO_ORIGIN, eq=False, repr=False)

    def __repr__(self) -> str:
        return f"ScramCredential(iterations={self.iterations})"


@frozen
class DelegationToken:
    """A token without its HMAC, which each node computes from the secret; times in ms."""

    token_id: str
    owner: str
    requester: str
    renewers: tuple[str, ...]
    issue_timestamp_ms: int
    max_timestamp_ms: int
    expiration_timestamp_ms: int
    origin: Origin = field(default=NO_ORIGIN, eq=False, repr=False)

    def is_changed_by(self, principal: str) -> bool:
        """Whether that one may renew and expire it: owner or renewer."""
        return principal == self.owner or principal in self.renewers

    def is_seen_by(self, principal: str) -> bool:
        """Whether that one may see it: the same, and who asked for it (KIP-373)."""
        return principal == self.requester or self.is_changed_by(principal)

    def has_expired(self, wall_ms: int) -> bool:
        """Whether it proves nothing any more at that time, in ms since 1970."""
        return self.max_timestamp_ms < wall_ms or self.expiration_timestamp_ms < wall_ms


def access_rule_of(record: AccessControlEntryRecord, origin: Origin = NO_ORIGIN) -> AccessRule:
    """The rule that the record adds."""
    return AccessRule(
        rule_id=bytes(record.id),
        resource_type=record.resource_type,
        resource_name=record.resource_name,
        pattern_type=record.pattern_type,
        principal=record.principal,
        host=record.host,
        operation=record.operation,
        permission_type=record.permission_type,
        origin=origin,
    )


def scram_credential_of(
    record: UserScramCredentialRecord, origin: Origin = NO_ORIGIN
) -> ScramCredential:
    """The credential that the record sets."""
    return ScramCredential(
        bytes(record.salt),
        bytes(record.stored_key),
        bytes(record.server_key),
        record.iterations,
        origin,
    )


def delegation_token_of(
    record: DelegationTokenRecord, origin: Origin = NO_ORIGIN
) -> DelegationToken:
    """The token that the record sets."""
    return DelegationToken(
        token_id=record.token_id,
        owner=record.owner,
        requester=record.requester,
        renewers=tuple(record.renewers),
        issue_timestamp_ms=record.issue_timestamp,
        max_timestamp_ms=record.max_timestamp,
        expiration_timestamp_ms=record.expiration_timestamp,
        origin=origin,
    )
