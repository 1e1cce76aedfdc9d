"""Metadata (3): the nodes that clients can reach on this listener, and the metadata topic.

Behaviour
- Nodes are listed with their endpoints on the listener that was asked, so that a client that came
  in here can go on here. The controller is the leader where it is listed, else this node.
- ``__cluster_metadata`` is an ordinary topic, not an internal one: Kafka's own set of internal
  topics does not hold it either, and Spark, pattern subscriptions and topic listings would hide it.
- Without a leader, or with one that is not reachable here, the partition says
  LEADER_NOT_AVAILABLE and leader -1; clients ask again. The topic itself stays known: kafkajs
  gives up at once on UNKNOWN_TOPIC_OR_PARTITION.
- Nothing is ever created, whatever the client allows; unknown names are
  UNKNOWN_TOPIC_OR_PARTITION, impossible ones INVALID_TOPIC_EXCEPTION, unknown ids UNKNOWN_TOPIC_ID
  with the id echoed and no name.
- Without DESCRIBE on a topic its name is refused with TOPIC_AUTHORIZATION_FAILED, whether it exists
  or not, its id is unknown, and a list of all topics leaves it out.

Version notes
- 0: an empty list means all topics. 1+: null means all, empty means none.
- 10, 11: topic ids in a request and null names are illegal: INVALID_REQUEST.
- 12: a topic may be asked for by id; a non-zero id wins over the name (Java sends both).
- 13: an error code for the whole answer.
"""

from __future__ import annotations

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC, METADATA_TOPIC_ID, ZERO_UUID
from metaquorum.server.contract import topics
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.metadata_request import MetadataRequest, MetadataRequestTopic
from metaquorum.wire.generated.metadata_response import (
    MetadataResponse,
    MetadataResponseBroker,
    MetadataResponsePartition,
    MetadataResponseTopic,
)

_IDS_ALLOWED_FROM = 12


def handle(request: Request[MetadataRequest], services: Services) -> MetadataResponse:
    """Nodes, and the topics that were asked for."""
    asked = request.message
    listener = request.origin.listener.name
    response = _nodes(request, services)
    wanted = _wanted(asked, request.version)
    if _wants_all(asked, request.version):
        wanted = [
            one for one in wanted if topics.may_describe(request, METADATA_TOPIC, noted=False)
        ]
    rows = [_topic(one, request, services, listener) for one in wanted]
    response.topics = list({(row.name, bytes(row.topic_id)): row for row in rows}.values())
    if asked.include_cluster_authorized_operations:
        response.cluster_authorized_operations = topics.cluster_operations(request)
    return response


def refusal(request: Request[MetadataRequest], code: int, reason: str | None) -> MetadataResponse:
    """The code for each topic that was named, and from version 13 on for the whole."""
    named = [
        _topic_error(one, code, request.version)
        for one in _wanted(request.message, request.version)
    ]
    return MetadataResponse(topics=named, error_code=code)


def _wants_all(asked: MetadataRequest, version: int) -> bool:
    return asked.topics is None or (version == 0 and not asked.topics)


def _wanted(asked: MetadataRequest, version: int) -> list[MetadataRequestTopic]:
    if asked.topics is None or _wants_all(asked, version):
        return [MetadataRequestTopic(name=METADATA_TOPIC)]
    return list(asked.topics)


def _nodes(request: Request[MetadataRequest], services: Services) -> MetadataResponse:
    listener = request.origin.listener.name
    return MetadataResponse(
        brokers=[
            MetadataResponseBroker(node_id, endpoint.host, endpoint.port)
            for node_id, endpoint in sorted(services.endpoints(listener).items())
        ],
        cluster_id=services.cluster_id,
        controller_id=topics.controller_id(services, listener),
    )


def _topic(
    one: MetadataRequestTopic, request: Request[MetadataRequest], services: Services, listener: str
) -> MetadataResponseTopic:
    by_id = bytes(one.topic_id) != ZERO_UUID
    if (by_id or one.name is None) and request.version < _IDS_ALLOWED_FROM:
        return _topic_error(one, error_codes.INVALID_REQUEST, request.version)
    known = topics.is_metadata(one.name, one.topic_id)
    if not by_id and one.name is not None and not topics.may_describe(request, one.name):
        return _topic_error(one, error_codes.TOPIC_AUTHORIZATION_FAILED, request.version)
    if not known or (by_id and not topics.may_describe(request, METADATA_TOPIC)):
        code = error_codes.UNKNOWN_TOPIC_ID
        if not by_id and one.name is not None:
            code = topics.unknown_topic(one.name)
        return _topic_error(one, code, request.version)
    place = topics.metadata_place(services, listener)
    topic = MetadataResponseTopic(
        name=METADATA_TOPIC,
        topic_id=METADATA_TOPIC_ID,
        partitions=[
            MetadataResponsePartition(
                error_code=place.error_code,
                partition_index=METADATA_PARTITION,
                leader_id=place.leader_id,
                leader_epoch=place.leader_epoch,
                replica_nodes=list(place.replicas),
                isr_nodes=list(place.replicas),
            )
        ],
    )
    if request.message.include_topic_authorized_operations:
        topic.topic_authorized_operations = topics.metadata_operations(request)
    return topic


def _topic_error(one: MetadataRequestTopic, code: int, version: int) -> MetadataResponseTopic:
    by_id = bytes(one.topic_id) != ZERO_UUID
    name = None if by_id and version >= _IDS_ALLOWED_FROM else one.name
    if name is None and version < _IDS_ALLOWED_FROM:
        name = ""
    return MetadataResponseTopic(error_code=code, name=name, topic_id=one.topic_id)
