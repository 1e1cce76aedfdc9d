"""What can be asked of the active controller: one class per command, around the wire request."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from metaquorum.base.value import value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from metaquorum.base.ids import Uuid
    from metaquorum.controller.mutation_quota import MutationQuota
    from metaquorum.wire.generated.allocate_producer_ids_request import (
        AllocateProducerIdsRequest,
    )
    from metaquorum.wire.generated.alter_client_quotas_request import AlterClientQuotasRequest
    from metaquorum.wire.generated.alter_partition_reassignments_request import (
        AlterPartitionReassignmentsRequest,
    )
    from metaquorum.wire.generated.alter_partition_request import AlterPartitionRequest
    from metaquorum.wire.generated.alter_user_scram_credentials_request import (
        AlterUserScramCredentialsRequest,
    )
    from metaquorum.wire.generated.assign_replicas_to_dirs_request import (
        AssignReplicasToDirsRequest,
    )
    from metaquorum.wire.generated.broker_heartbeat_request import BrokerHeartbeatRequest
    from metaquorum.wire.generated.broker_registration_request import BrokerRegistrationRequest
    from metaquorum.wire.generated.controller_registration_request import (
        ControllerRegistrationRequest,
    )
    from metaquorum.wire.generated.create_acls_request import CreateAclsRequest
    from metaquorum.wire.generated.create_delegation_token_request import (
        CreateDelegationTokenRequest,
    )
    from metaquorum.wire.generated.create_partitions_request import CreatePartitionsRequest
    from metaquorum.wire.generated.create_topics_request import CreateTopicsRequest
    from metaquorum.wire.generated.delete_topics_request import DeleteTopicState
    from metaquorum.wire.generated.elect_leaders_request import ElectLeadersRequest
    from metaquorum.wire.generated.expire_delegation_token_request import (
        ExpireDelegationTokenRequest,
    )
    from metaquorum.wire.generated.list_partition_reassignments_request import (
        ListPartitionReassignmentsRequest,
    )
    from metaquorum.wire.generated.renew_delegation_token_request import (
        RenewDelegationTokenRequest,
    )
    from metaquorum.wire.generated.unregister_broker_request import UnregisterBrokerRequest
    from metaquorum.wire.generated.unregister_controller_request import (
        UnregisterControllerRequest,
    )
    from metaquorum.wire.generated.update_features_request import UpdateFeaturesRequest


@value
class AlterClientQuotas:
    """Set and remove client quotas; the reply is an AlterClientQuotasResponse (KIP-546)."""

    request: AlterClientQuotasRequest


@value
class ConfigChange:
    """What is asked of one resource's settings.

    ``operations`` are key, operation (``managers.configs``) and value; of several with one key the
    last counts. ``replaces``: settings that are not named are removed.
    """

    kind: int
    name: str
    operations: tuple[tuple[str, int, str | None], ...]
    replaces: bool = False


@value
class AlterConfigs:
    """Change settings of resources, each named once (KIP-133, KIP-339).

    The reply is a tuple of an error code and a reason for each of ``changes``. ``voter_ids`` are
    the present voters, which have settings as brokers do. ``is_forwarded``: a broker hands it on,
    and has looked at what only brokers know.
    """

    changes: tuple[ConfigChange, ...]
    voter_ids: tuple[int, ...]
    validate_only: bool = False
    is_forwarded: bool = True


@value
class AlterPartition:
    """Take in what a leader says of its ISRs; the reply is an AlterPartitionResponse (KIP-497)."""

    request: AlterPartitionRequest
    version: int


@value
class AlterPartitionReassignments:
    """Start, change or cancel moves of partitions (KIP-455).

    The reply is an AlterPartitionReassignmentsResponse.
    """

    request: AlterPartitionReassignmentsRequest


@value
class AlterUserScramCredentials:
    """Set and remove SCRAM credentials of users (KIP-554).

    The reply is an AlterUserScramCredentialsResponse.
    """

    request: AlterUserScramCredentialsRequest


@value
class AssignReplicasToDirs:
    """Note in which log directories replicas are (KIP-858).

    The reply is an AssignReplicasToDirsResponse.
    """

    request: AssignReplicasToDirsRequest


@value
class BrokerHeartbeat:
    """A broker is alive, and wants to be fenced, unfenced or shut down (KIP-631).

    The reply is a BrokerHeartbeatResponse.
    """

    request: BrokerHeartbeatRequest


@value
class AllocateProducerIds:
    """A broker needs producer ids (KIP-730); the reply is an AllocateProducerIdsResponse."""

    request: AllocateProducerIdsRequest


@value
class CreateTopics:
    """Create topics (KIP-4); the reply is a CreateTopicsResponse, rows in the request's order.

    ``ids`` are those of the topics, and ``seed`` chooses brokers: the handler draws both. ``quota``
    is the one that binds who asks, if any.
    """

    request: CreateTopicsRequest
    ids: tuple[Uuid, ...]
    seed: int
    quota: MutationQuota | None = None


@value
class CreatePartitions:
    """Add partitions to topics (KIP-195); a CreatePartitionsResponse comes back.

    ``seed`` chooses brokers, ``quota`` binds who asks.
    """

    request: CreatePartitionsRequest
    seed: int
    quota: MutationQuota | None = None


@value
class DeleteTopics:
    """Delete topics named by name or id; the reply is a DeleteTopicsResponse in their order.

    ``quota`` binds who asks.
    """

    topics: tuple[DeleteTopicState, ...]
    quota: MutationQuota | None = None


@value
class CreateAcls:
    """Add access rules (KIP-140); the reply is a CreateAclsResponse.

    ``ids`` are those that new rules get, drawn by the handler: one for each that may be made.
    """

    request: CreateAclsRequest
    ids: tuple[Uuid, ...]


@value
class CreateDelegationToken:
    """Make a token; the reply is a CreateDelegationTokenResponse (KIP-48, KIP-373).

    ``token_id`` is one that nobody can guess, drawn by the caller. ``requester`` asks, and who
    holds the token is taken for ``owner``: principals as access rules name them.
    """

    request: CreateDelegationTokenRequest
    token_id: str
    requester: str
    owner: str


@value
class RenewDelegationToken:
    """Let a token live longer; the reply is a RenewDelegationTokenResponse.

    ``requester`` is who asks.
    """

    request: RenewDelegationTokenRequest
    requester: str


@value
class ExpireDelegationToken:
    """End a token, now or at a time; the reply is an ExpireDelegationTokenResponse.

    ``requester`` is who asks.
    """

    request: ExpireDelegationTokenRequest
    requester: str


@value
class ElectLeaders:
    """Elect preferred or unclean leaders; the reply is an ElectLeadersResponse (KIP-460)."""

    request: ElectLeadersRequest
    version: int


@value
class ListPartitionReassignments:
    """The moves that are under way, in a ListPartitionReassignmentsResponse (KIP-455)."""

    request: ListPartitionReassignmentsRequest


@value
class RemoveAcls:
    """Take away the access rules of these ids; the reply is the set of those that were there."""

    ids: tuple[Uuid, ...]


@value
class RegisterBroker:
    """Note where a broker is reached and what it can do (KIP-631).

    The reply is a BrokerRegistrationResponse. ``cluster_id`` and ``kraft_version`` are those of
    the quorum, which no metadata record tells.
    """

    request: BrokerRegistrationRequest
    cluster_id: str
    kraft_version: int


@value
class RegisterController:
    """Note where a controller is reached and what it can do (KIP-919).

    The reply is a ControllerRegistrationResponse.
    """

    request: ControllerRegistrationRequest


@value
class UnregisterBroker:
    """Forget a broker that is gone (KIP-631); the reply is an UnregisterBrokerResponse."""

    request: UnregisterBrokerRequest


@value
class UnregisterController:
    """Forget a controller that is gone (KIP-1312); an UnregisterControllerResponse comes back.

    ``active_id`` is the controller that is asked, which cannot be forgotten.
    """

    request: UnregisterControllerRequest
    active_id: int


@value
class UpdateFeatures:
    """Set feature levels, all or none; the reply is an UpdateFeaturesResponse (KIP-584).

    ``version`` is that of the request. ``supported`` is what this node can work with and
    ``voter_ids`` are the other present voters, which must all be known to support it.
    ``node_id`` is this node, ``kraft_version`` the level that the quorum has.
    ``min_insync_replicas`` is what the cluster gets where it needs a value of its own.
    """

    request: UpdateFeaturesRequest
    version: int
    supported: Mapping[str, tuple[int, int]]
    voter_ids: tuple[int, ...]
    node_id: int
    kraft_version: int
    min_insync_replicas: int = 1


Command = (
    AllocateProducerIds
    | AlterClientQuotas
    | AlterConfigs
    | AlterPartition
    | AlterPartitionReassignments
    | AlterUserScramCredentials
    | AssignReplicasToDirs
    | BrokerHeartbeat
    | CreateAcls
    | CreateDelegationToken
    | CreatePartitions
    | CreateTopics
    | DeleteTopics
    | ElectLeaders
    | ExpireDelegationToken
    | ListPartitionReassignments
    | RegisterBroker
    | RegisterController
    | RemoveAcls
    | RenewDelegationToken
    | UnregisterBroker
    | UnregisterController
    | UpdateFeatures
)

REPEATED: Final = frozenset(
    (
        *(AllocateProducerIds, AlterPartition, AssignReplicasToDirs, BrokerHeartbeat),
        *(RegisterBroker, RegisterController),
    )
)
"""What brokers and controllers ask for themselves, and ask the next controller again for as long as
they are told NOT_CONTROLLER. To be done twice does no harm: a block of producer ids is lost, or the
second request finds it done."""
