"""Who may do what: Kafka's standard authoriser over the access rules of the metadata log.

Behaviour (KIP-11, KIP-290, KIP-801)
- ``super.users`` may do everything. Of everybody else the committed rules decide
  (``metadata.acl_index``); where no rule speaks of a resource, ``allow.everyone.if.no.acl.found``.
- Until this node has applied what it knows to be committed, it cannot decide: requests are refused
  with a code that clients try again on. Super users are served at once, and so are voters, who
  have to be super users for that reason, as in Kafka.
- Without ``authorizer.class.name`` everybody may do everything.

The rules are taken over from the state when the first question comes after a change: those that
came and those that went, not all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from ipaddress import IPv6Address
from typing import TYPE_CHECKING, Final, Protocol

from attrs import define, field

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import Uuid
from metaquorum.config.access_settings import AccessSettings
from metaquorum.config.node_config import NodeConfig
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.metadata.acl_index import AclIndex, Verdict
from metaquorum.metadata.tables.security import AccessRule
from metaquorum.wire.generated import error_codes

if TYPE_CHECKING:
    from metaquorum.metadata.tables.catalog import StateView


class Right(Enum):
    """What a whole request needs; ROWS are those whose handler asks for each of its rows."""

    NONE = (Operation.UNKNOWN, ResourceType.UNKNOWN)
    ROWS = (Operation.UNKNOWN, ResourceType.ANY)
    DESCRIBE = (Operation.DESCRIBE, ResourceType.CLUSTER)
    ALTER = (Operation.ALTER, ResourceType.CLUSTER)
    DESCRIBE_CONFIGS = (Operation.DESCRIBE_CONFIGS, ResourceType.CLUSTER)
    ALTER_CONFIGS = (Operation.ALTER_CONFIGS, ResourceType.CLUSTER)
    CLUSTER_ACTION = (Operation.CLUSTER_ACTION, ResourceType.CLUSTER)
    READ_GROUP = (Operation.READ, ResourceType.GROUP)
    DELETE_GROUP = (Operation.DELETE, ResourceType.GROUP)

    @property
    def operation(self) -> Operation:
        """What is to be done."""
        return self.value[0]

    @property
    def resource_type(self) -> ResourceType:
        """To what kind of resource."""
        return self.value[1]


REFUSALS: Final = {
    ResourceType.TOPIC: error_codes.TOPIC_AUTHORIZATION_FAILED,
    ResourceType.GROUP: error_codes.GROUP_AUTHORIZATION_FAILED,
    ResourceType.CLUSTER: error_codes.CLUSTER_AUTHORIZATION_FAILED,
    ResourceType.TRANSACTIONAL_ID: error_codes.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
}
"""The error code of a refusal, by what it was that was asked for."""


class Authoriser(Protocol):
    """Decides, without waiting."""

    @property
    def is_on(self) -> bool:
        """Whether access rules mean anything."""

    def allows(
        self, principal: str, host: str, operation: Operation, resource_type: int, name: str
    ) -> bool:
        """Whether ``principal`` may, from the address ``host``.

        Raises RequestError while that cannot be known.
        """


class AllowEverybody:
    """The authoriser of a cluster without access rules, as Kafka's default."""

    is_on = False

    def allows(
        self, principal: str, host: str, operation: Operation, resource_type: int, name: str
    ) -> bool:
        """Yes."""
        return True


ALLOW_EVERYBODY: Final = AllowEverybody()


def authoriser_of(
    config: NodeConfig, committed: Callable[[], StateView], is_loaded: Callable[[], bool]
) -> Authoriser:
    """The authoriser that the operator chose."""
    settings = config.access
    if settings is None:
        return ALLOW_EVERYBODY
    return StandardAuthoriser(settings, committed, is_loaded)


def host_text(address: str) -> str:
    """An address as rules name it: IPv6 in Java's form, all eight groups without leading zeros."""
    if ":" not in address:
        return address
    plain, at, zone = address.partition("%")
    groups = IPv6Address(plain).exploded.split(":")
    return ":".join(format(int(one, 16), "x") for one in groups) + at + zone


@define(eq=False)
class StandardAuthoriser:
    """Super users, then the committed rules, then what holds without any."""

    settings: AccessSettings
    committed: Callable[[], StateView]
    is_loaded: Callable[[], bool]
    is_on: bool = True
    _index: AclIndex = field(factory=AclIndex)
    _known: dict[Uuid, AccessRule] = field(factory=dict)
    _stamp: object = None
    _was_loaded: bool = False

    def allows(
        self, principal: str, host: str, operation: Operation, resource_type: int, name: str
    ) -> bool:
        """As ``Authoriser.allows``."""
        if principal in self.settings.super_users:
            return True
        self._check_loaded()
        self._catch_up()
        verdict = self._index.decide(principal, host, operation, resource_type, name)
        if verdict is Verdict.NO_RULES:
            return self.settings.allow_without_rules
        return verdict is Verdict.ALLOWED

    def _check_loaded(self) -> None:
        """Once it was loaded it stays so: later changes come in the order of the log."""
        if self._was_loaded:
            return
        if not self.is_loaded():
            raise RequestError(
                error_codes.LEADER_NOT_AVAILABLE, "this node does not know the access rules yet"
            )
        self._was_loaded = True

    def _catch_up(self) -> None:
        view = self.committed()
        stamp = view.rules_stamp
        if stamp is self._stamp:
            return
        self._stamp = stamp
        rules, known, index = view.access_rules, self._known, self._index
        present = dict(rules.items())
        for rule_id in [one for one in known if known[one] is not present.get(one)]:
            index.remove(known.pop(rule_id))
        for rule_id, rule in present.items():
            if rule_id not in known:
                known[rule_id] = rule
                index.add(rule)
