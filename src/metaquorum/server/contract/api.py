"""The site map: one row per API that this server answers. ApiVersions is computed from it.

A new API is a row here and a module in ``handlers``. Versions are those that the handler really
serves: whatever is listed here is used by some client (and Kafka's clients read much out of a
missing row; librdkafka, for one, breaks without Produce).

``where``: CLIENTS rows are for those who read the log. Every listener offers them, controller
listeners included, so that ordinary consumers can read from any node, unless the configuration says
otherwise (docs/decisions/269). CONTROLLER rows are for other controllers, and QUORUM rows for
replicas, which are offered only if the node's quorum serves them (``Services.quorum_api_keys``).

``lowest_of_kafka`` is the lowest version at Kafka's controllers, where it is above ours. It counts
where a controller listener does not serve clients. ``highest_of_4_3`` is the highest version of
Kafka 4.3, where ours is above it, or NOT_THERE. It counts where the configuration keeps the
metadata.version below the last one of 4.4 (docs/decisions/277).

``forwards``: only the leader can answer, and a client that came in by a client listener does not
have to know who that is: the request is taken to the leader, as a broker of Kafka does. One whose
right is of its ROWS goes in an Envelope, and the leader asks for the rights of the client. On a
controller listener the answer is NOT_CONTROLLER or NOT_LEADER_OR_FOLLOWER, as a controller of
Kafka gives it.

``stopping`` is the code that a request is refused with while the server stops: one that makes
clients turn elsewhere. Without a code it is still answered; reads of the moment harm nobody.

``together``: those of one connection that came together are served without waiting for each
other's answers (``server.train``). They are commands that the active controller plans on the state
that the ones before them left, and that change nobody's rights.

``in_parts``: one of many rows is asked of the leader in parts (``server.parts``). The handler's
``asked`` does that, on the node where the request came in.

``of_proven``: who has not proved who it is, or has by a delegation token, is refused.

``most_rows`` is how many rows (elements of arrays, at all depths) a request may have: what it costs
to serve grows with them, and nobody else is served meanwhile. A message that may have more than
MAX_REQUEST_ROWS is decoded in steps if it begins with their array (``server.long_requests``), and
in one go if it does not: brokers and administrators send those (docs/decisions/233).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from attrs import evolve

from metaquorum.base.limits import (
    MAX_PARTITION_ROWS,
    MAX_QUOTA_REQUEST_ROWS,
    MAX_RECORDS_PER_BATCH,
)
from metaquorum.config.listeners import Listener
from metaquorum.config.node_config import NodeConfig
from metaquorum.metadata import versions
from metaquorum.server.access.authorise import Right
from metaquorum.server.contract.api_row import ApiRow, Where
from metaquorum.server.contract.request import ServedListener
from metaquorum.wire.generated import error_codes

NOT_THERE: Final = -1
API_VERSIONS: Final = 18
FETCH: Final = 1

_OFFSET_COMMIT: Final = 8
_HEARTBEAT: Final = 68  # of consumer groups, with topics and an expression
_GROUP = error_codes.COORDINATOR_NOT_AVAILABLE
_LEADER = error_codes.NOT_LEADER_OR_FOLLOWER
_CONTROLLER = error_codes.NOT_CONTROLLER
_EVERY, _CLIENTS, _CONTROLLERS, _QUORUM = Where
_FORWARDS = True

API_ROWS: Final = (
    ApiRow(0, "Produce", 0, 13, "produce", Right.ROWS, _CLIENTS),
    ApiRow(
        *(1, "Fetch", 0, 18, "fetch", Right.ROWS, _EVERY, _LEADER),
        lowest_of_kafka=4,
    ),
    ApiRow(2, "ListOffsets", 0, 11, "list_offsets", Right.ROWS, _CLIENTS, _LEADER),
    ApiRow(3, "Metadata", 0, 13, "metadata", Right.ROWS, _CLIENTS),
    ApiRow(8, "OffsetCommit", 0, 10, "offset_commit", Right.READ_GROUP, _CLIENTS, _GROUP),
    ApiRow(9, "OffsetFetch", 0, 10, "offset_fetch", Right.ROWS, _CLIENTS, _GROUP),
    ApiRow(10, "FindCoordinator", 0, 6, "find_coordinator", Right.ROWS, _CLIENTS, _GROUP),
    ApiRow(11, "JoinGroup", 0, 9, "join_group", Right.READ_GROUP, _CLIENTS, _GROUP),
    ApiRow(12, "Heartbeat", 0, 4, "heartbeat", Right.READ_GROUP, _CLIENTS, _GROUP),
    ApiRow(13, "LeaveGroup", 0, 5, "leave_group", Right.READ_GROUP, _CLIENTS, _GROUP),
    ApiRow(14, "SyncGroup", 0, 5, "sync_group", Right.READ_GROUP, _CLIENTS, _GROUP),
    ApiRow(15, "DescribeGroups", 0, 6, "describe_groups", Right.ROWS, _CLIENTS, _GROUP),
    ApiRow(16, "ListGroups", 0, 5, "list_groups", Right.ROWS, _CLIENTS, _GROUP),
    ApiRow(17, "SaslHandshake", 0, 1, "sasl_handshake", Right.NONE),
    ApiRow(18, "ApiVersions", 0, 5, "api_versions", Right.NONE, highest_of_4_3=4),
    ApiRow(
        *(19, "CreateTopics", 2, 7, "create_topics", Right.ROWS),
        *(_CONTROLLERS, _CONTROLLER),
        most_rows=MAX_PARTITION_ROWS,
    ),
    ApiRow(
        *(20, "DeleteTopics", 1, 6, "delete_topics", Right.ROWS),
        *(_CONTROLLERS, _CONTROLLER),
        most_rows=MAX_RECORDS_PER_BATCH,
    ),
    ApiRow(21, "DeleteRecords", 0, 2, "delete_records", Right.ROWS, _CLIENTS),
    ApiRow(23, "OffsetForLeaderEpoch", 0, 4, "offset_for_leader_epoch", Right.ROWS, _CLIENTS, 6),
    ApiRow(29, "DescribeAcls", 0, 3, "describe_acls", Right.DESCRIBE, lowest_of_kafka=1),
    ApiRow(
        *(30, "CreateAcls", 0, 3, "create_acls", Right.ALTER),
        *(_EVERY, _CONTROLLER, _FORWARDS),
        most_rows=MAX_RECORDS_PER_BATCH,
        in_parts=True,
        lowest_of_kafka=1,
    ),
    ApiRow(
        *(31, "DeleteAcls", 0, 3, "delete_acls", Right.ALTER),
        *(_EVERY, _CONTROLLER, _FORWARDS),
        lowest_of_kafka=1,
    ),
    ApiRow(32, "DescribeConfigs", 0, 4, "describe_configs", Right.ROWS, lowest_of_kafka=1),
    ApiRow(
        *(33, "AlterConfigs", 0, 2, "alter_configs", Right.ROWS),
        *(_EVERY, _CONTROLLER, _FORWARDS),
    ),
    ApiRow(36, "SaslAuthenticate", 0, 2, "sasl_authenticate", Right.NONE),
    ApiRow(
        *(37, "CreatePartitions", 0, 3, "create_partitions", Right.ROWS),
        *(_CONTROLLERS, _CONTROLLER),
        most_rows=MAX_PARTITION_ROWS,
    ),
    ApiRow(
        *(38, "CreateDelegationToken", 1, 3, "create_delegation_token", Right.ROWS),
        *(_EVERY, _CONTROLLER, _FORWARDS),
        of_proven=True,
    ),
    ApiRow(
        *(39, "RenewDelegationToken", 1, 2, "renew_delegation_token", Right.ROWS),
        *(_EVERY, _CONTROLLER, _FORWARDS),
        of_proven=True,
    ),
    ApiRow(
        *(40, "ExpireDelegationToken", 1, 2, "expire_delegation_token", Right.ROWS),
        *(_EVERY, _CONTROLLER, _FORWARDS),
        of_proven=True,
    ),
    ApiRow(
        *(41, "DescribeDelegationToken", 1, 3, "describe_delegation_token", Right.ROWS),
        of_proven=True,
    ),
    ApiRow(42, "DeleteGroups", 0, 3, "delete_groups", Right.ROWS, _CLIENTS, _GROUP),
    ApiRow(
        *(43, "ElectLeaders", 0, 2, "elect_leaders", Right.ALTER),
        *(_EVERY, _CONTROLLER, _FORWARDS),
        most_rows=MAX_PARTITION_ROWS,
    ),
    ApiRow(
        *(44, "IncrementalAlterConfigs", 0, 1, "incremental_alter_configs", Right.ROWS),
        *(_EVERY, _CONTROLLER, _FORWARDS),
    ),
    ApiRow(
        *(45, "AlterPartitionReassignments", 0, 1, "alter_partition_reassignments", Right.ALTER),
        *(_EVERY, _CONTROLLER, _FORWARDS),
        most_rows=MAX_PARTITION_ROWS,
    ),
    ApiRow(
        *(46, "ListPartitionReassignments", 0, 0, "list_partition_reassignments", Right.DESCRIBE),
        *(_EVERY, _CONTROLLER, _FORWARDS),
        most_rows=MAX_PARTITION_ROWS,
    ),
    ApiRow(47, "OffsetDelete", 0, 0, "offset_delete", Right.DELETE_GROUP, _CLIENTS, _GROUP),
    ApiRow(
        *(48, "DescribeClientQuotas", 0, 1, "describe_client_quotas", Right.DESCRIBE_CONFIGS),
        _CLIENTS,
    ),
    ApiRow(
        *(49, "AlterClientQuotas", 0, 1, "alter_client_quotas", Right.ALTER_CONFIGS),
        *(_EVERY, _CONTROLLER, _FORWARDS),
        most_rows=MAX_QUOTA_REQUEST_ROWS,
        together=True,
        in_parts=True,
    ),
    ApiRow(
        50, "DescribeUserScramCredentials", 0, 0, "describe_user_scram_credentials", Right.DESCRIBE
    ),
    ApiRow(
        *(51, "AlterUserScramCredentials", 0, 0, "alter_user_scram_credentials", Right.ALTER),
        *(_EVERY, _CONTROLLER, _FORWARDS),
        together=True,
        in_parts=True,
    ),
    ApiRow(52, "Vote", 0, 2, "vote", Right.CLUSTER_ACTION, _QUORUM),
    ApiRow(53, "BeginQuorumEpoch", 0, 1, "begin_quorum_epoch", Right.CLUSTER_ACTION, _QUORUM),
    ApiRow(54, "EndQuorumEpoch", 0, 1, "end_quorum_epoch", Right.CLUSTER_ACTION, _QUORUM),
    ApiRow(55, "DescribeQuorum", 0, 2, "describe_quorum", Right.DESCRIBE, _EVERY, None, _FORWARDS),
    ApiRow(
        *(56, "AlterPartition", 2, 3, "alter_partition", Right.CLUSTER_ACTION),
        *(_CONTROLLERS, _CONTROLLER),
        most_rows=MAX_PARTITION_ROWS,
    ),
    ApiRow(
        *(57, "UpdateFeatures", 0, 2, "update_features", Right.ALTER),
        *(_EVERY, _CONTROLLER, _FORWARDS),
    ),
    ApiRow(
        *(58, "Envelope", 0, 0, "envelope", Right.CLUSTER_ACTION),
        *(_CONTROLLERS, _CONTROLLER),
    ),
    ApiRow(59, "FetchSnapshot", 0, 1, "fetch_snapshot", Right.CLUSTER_ACTION, _QUORUM),
    ApiRow(60, "DescribeCluster", 0, 2, "describe_cluster", Right.ROWS),
    ApiRow(
        *(62, "BrokerRegistration", 0, 4, "broker_registration", Right.CLUSTER_ACTION),
        *(_CONTROLLERS, _CONTROLLER),
    ),
    ApiRow(
        *(63, "BrokerHeartbeat", 0, 2, "broker_heartbeat", Right.CLUSTER_ACTION),
        *(_CONTROLLERS, _CONTROLLER),
    ),
    ApiRow(
        *(64, "UnregisterBroker", 0, 0, "unregister_broker", Right.ALTER),
        *(_EVERY, _CONTROLLER, _FORWARDS),
    ),
    ApiRow(
        *(67, "AllocateProducerIds", 0, 0, "allocate_producer_ids", Right.CLUSTER_ACTION),
        *(_CONTROLLERS, _CONTROLLER),
    ),
    ApiRow(
        *(68, "ConsumerGroupHeartbeat", 0, 1, "consumer_group_heartbeat", Right.READ_GROUP),
        *(_CLIENTS, _GROUP),
    ),
    ApiRow(
        69, "ConsumerGroupDescribe", 0, 1, "consumer_group_describe", Right.ROWS, _CLIENTS, _GROUP
    ),
    ApiRow(
        *(70, "ControllerRegistration", 0, 0, "controller_registration", Right.CLUSTER_ACTION),
        *(_CONTROLLERS, _CONTROLLER),
    ),
    ApiRow(
        *(73, "AssignReplicasToDirs", 0, 0, "assign_replicas_to_dirs", Right.CLUSTER_ACTION),
        *(_CONTROLLERS, _CONTROLLER),
        most_rows=MAX_PARTITION_ROWS,
    ),
    ApiRow(
        *(74, "ListConfigResources", 0, 1, "list_config_resources", Right.DESCRIBE_CONFIGS),
        _CLIENTS,
    ),
    ApiRow(75, "DescribeTopicPartitions", 0, 0, "describe_topic_partitions", Right.ROWS, _CLIENTS),
    ApiRow(
        *(80, "AddRaftVoter", 0, 1, "add_raft_voter", Right.ALTER),
        *(_EVERY, _CONTROLLER, _FORWARDS),
    ),
    ApiRow(
        *(81, "RemoveRaftVoter", 0, 0, "remove_raft_voter", Right.ALTER),
        *(_EVERY, _CONTROLLER, _FORWARDS),
    ),
    ApiRow(82, "UpdateRaftVoter", 0, 0, "update_raft_voter", Right.CLUSTER_ACTION, _QUORUM),
    ApiRow(
        *(94, "UnregisterController", 0, 0, "unregister_controller", Right.ALTER),
        *(_EVERY, _CONTROLLER, _FORWARDS),
        highest_of_4_3=NOT_THERE,
    ),
)


COMMANDS: Final = frozenset(
    api_row.key
    for api_row in API_ROWS
    if api_row.forwards or api_row.key in (_OFFSET_COMMIT, _HEARTBEAT)
)
"""APIs whose requests stay in memory until what they change is committed, here or elsewhere."""


def sites_of(
    *,
    is_controller: bool,
    quorum_api_keys: frozenset[int],
    serves_clients: bool = True,
    is_of_4_3: bool = False,
) -> dict[int, ApiRow]:
    """The rows that one listener offers, by API key, in the order of the keys.

    One that does not serve clients offers what a controller of Kafka does, at those versions.
    ``is_of_4_3``: nothing that came with Kafka 4.4.
    """

    def offered(api_row: ApiRow) -> bool:
        if api_row.where is Where.EVERY:
            return True
        if api_row.where is Where.CLIENTS:
            return serves_clients
        if api_row.where is Where.CONTROLLER:
            return is_controller
        return is_controller and api_row.key in quorum_api_keys

    found = [api_row for api_row in API_ROWS if offered(api_row)]
    if not serves_clients:
        found = [evolve(one, lowest=max(one.lowest, one.lowest_of_kafka)) for one in found]
    if is_of_4_3:
        older = [
            one if one.highest_of_4_3 is None else evolve(one, highest=one.highest_of_4_3)
            for one in found
        ]
        found = [one for one in older if one.highest != NOT_THERE]
    return {api_row.key: api_row for api_row in found}


def served_listener(
    listener: Listener, config: NodeConfig, quorum_api_keys: frozenset[int]
) -> ServedListener:
    """What a configured listener stands for and what it offers.

    Listeners of ``controller.listener.names`` are Kafka's controller listeners, the others its
    broker listeners. Where a node has only one kind, that kind serves as the other one as well,
    because clients must get in somewhere. Controller listeners that are not to serve clients offer
    what Kafka's do (``metaquorum.controller.listeners.serve.clients``).
    """
    names = config.controller_listener_names
    kinds = [one.name in names for one in config.listeners]
    is_named = listener.name in names
    is_controller = is_named or not any(kinds)
    serves_clients = not is_named or config.controllers_serve_clients
    return ServedListener(
        name=listener.name,
        is_broker=not is_named or (all(kinds) and serves_clients),
        is_controller=is_controller,
        api_rows=sites_of(
            is_controller=is_controller,
            quorum_api_keys=quorum_api_keys,
            serves_clients=serves_clients,
            is_of_4_3=config.metadata_version_max < versions.UNREGISTER_CONTROLLER_FROM,
        ),
    )


def version_rows(api_rows: Mapping[int, ApiRow]) -> Iterator[tuple[int, int, int]]:
    """(key, lowest, highest) of every row, as ApiVersions lists them."""
    for api_row in api_rows.values():
        yield api_row.key, api_row.lowest, api_row.highest
