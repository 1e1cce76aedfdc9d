"""What administrators ask about settings, quotas, users, rights and features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from metaquorum.config.client_metrics_keys import CLIENT_METRICS_KEYS
from metaquorum.config.group_keys import GROUP_KEYS
from metaquorum.config.topic_keys import TOPIC_KEYS
from metaquorum.wire.generated import (
    alter_client_quotas_request,
    alter_configs_request,
    alter_user_scram_credentials_request,
    create_acls_request,
    delete_acls_request,
    describe_acls_request,
    incremental_alter_configs_request,
    update_features_request,
)
from tools.differential.commands import Ask, Draw
from tools.differential.topics import ASKERS, NAMES, TIMEOUT_MS

SET, DELETE, APPEND, SUBTRACT = range(4)
TOPIC, BROKER, METRICS, GROUP = 2, 4, 16, 32
RESOURCES = {
    TOPIC: (*NAMES, "absent", "", "a b", ".."),
    BROKER: ("", "", "1", "101", "55", "x", "-1", "9" * 12),
    METRICS: ("m", "n", ""),
    GROUP: ("g", "h", ""),
}
NUMBERS = (
    *("-3", "-2", "-1", "0", "1", "2", "3", " 5 ", "9", "10", "11", "22", "99", "100", "1000"),
    *("4999", "5000", "15000", "15001", "45000", "60000", "60001", "1048576", "2147483648"),
    *("9223372036854775807", "9223372036854775808", "0.5", "1.5", "+7", "1_0", "0x1"),
)
WORDS = {
    "cleanup.policy": ("compact", "delete", "compact,delete", " delete", "delete,delete", "none"),
    "compression.type": ("gzip", "zstd", "producer", "GZIP", "uncompressed"),
    "message.timestamp.type": ("CreateTime", "LogAppendTime", "createtime"),
    "match": ("client_id=a", "client_id=[", "client_id", "b=c", "client_id=a,client_source_port=9"),
    "metrics": ("*", "org.apache", "a,b", "a,"),
    "share.auto.offset.reset": ("earliest", "by_duration:PT1H", "by_duration:x", "by_duration:P1D"),
    "share.isolation.level": ("read_committed", "READ_COMMITTED", "none"),
    "follower.replication.throttled.replicas": ("*", "0:1", "0:1, 0:2", "x", "0:1:2", "0:1,0:1"),
    "leader.replication.throttled.replicas": ("*", "0:1", "0:1,1:2", "0:2", ",", "0:-1"),
}
# A node of Kafka does not take over any record for brokers while one of them has a bad value; what
# it describes would be that of the moment before. So only right values are set for brokers.
OF_BROKERS = {
    "log.retention.ms": ("-1", "5000", " 77 "),
    "log.cleanup.policy": ("compact", "delete", "compact,delete"),
    "min.insync.replicas": ("1", "2", "15000"),
    "num.io.threads": ("8", "9"),
    "unclean.leader.election.enable": ("true", "FALSE"),
    "log.retention.hours": ("1", "2"),
    "of.a.plugin": ("", "x", "1"),
    "group.consumer.session.timeout.ms": ("45000", "50000"),
    "log.preallocate": ("true", "false"),
    "compression.type": ("gzip", "producer"),
}
KEYS = {
    TOPIC: (*TOPIC_KEYS, "no.such.key", ""),
    BROKER: tuple(OF_BROKERS),
    METRICS: (*CLIENT_METRICS_KEYS, "no.such.key"),
    GROUP: (*GROUP_KEYS, "no.such.key"),
}
ANY_WORDS = ("true", "FALSE", "yes", "", "x")
OF_LEADERS = ("min.insync.replicas", "unclean.leader.election.enable")
OF_ALL = ("producer_byte_rate", "no_such_quota")
OF_OTHERS = (
    *("producer_byte_rate", "consumer_byte_rate", "request_percentage", "no_such_quota"),
    *("controller_mutation_rate", "connection_creation_rate"),
)
VERSION, ELR = "metadata.version", "eligible.leader.replicas.version"
NEWEST_OF_BOTH, NEWEST_KNOWN = 30, 34  # levels of metadata.version: Kafka 4.3.1's, and ours at all
LEVELS = {
    "eligible.leader.replicas.version": 1,
    "group.version": 1,
    "share.version": 2,
    "streams.version": 1,
    "transaction.version": 2,
    "no.such.feature": 1,
}

Operation = tuple[str, int, str | None]


def resource(draw: Draw) -> tuple[int, str]:
    """Kind and name of what has settings."""
    kind = draw.random.choice((TOPIC, TOPIC, TOPIC, BROKER, METRICS, GROUP, GROUP))
    return kind, draw.random.choice(RESOURCES[kind])


def operations(draw: Draw, kind: int, *, replaces: bool) -> tuple[Operation, ...]:
    """Without what makes Kafka's controller step down: an append of nothing."""
    made: list[Operation] = []
    for _ in range(draw.random.choice((0, 1, 1, 1, 2, 3))):
        key = draw.random.choice(KEYS[kind])
        operation = SET if replaces else draw.random.choice((SET, SET, SET, DELETE, 2, 3))
        if kind == TOPIC and draw.seldom(0.3):
            key, operation = draw.random.choice(OF_LEADERS), draw.random.choice((SET, SET, DELETE))
            operation = SET if replaces else operation
        some = draw.random.choice((WORDS.get(key, NUMBERS), NUMBERS, ANY_WORDS))
        value = None if operation == DELETE else draw.random.choice(some)
        if operation == SET and draw.seldom(0.1):
            value = None
        if operation in (APPEND, SUBTRACT) and draw.seldom(0.8):
            lists = [one for one in KEYS[kind] if one in WORDS or one == "log.cleanup.policy"]
            key = draw.random.choice(lists or KEYS[kind])
            value = draw.random.choice(WORDS.get(key, NUMBERS))
        if kind == BROKER and value is not None:
            value = draw.random.choice(OF_BROKERS[key])
            operation = SET if operation == SUBTRACT else operation
        if key in OF_LEADERS and value is not None:
            value = value.strip()  # with a blank Kafka's controller fails at the next election
        made.append((key, operation, value))
    return tuple(made)


def alter_configs(draw: Draw) -> Ask:
    """Settings of one to three resources, changed one by one or replaced."""
    replaces = draw.seldom(0.3)
    named = sorted({resource(draw) for _ in range(draw.random.randint(1, 3))})
    changes = [(kind, name, operations(draw, kind, replaces=replaces)) for kind, name in named]
    only = draw.seldom(0.1)
    request: Any
    if replaces:
        whole = alter_configs_request
        rows = [
            whole.AlterConfigsResource(
                kind, name, [whole.AlterableConfig(key, value) for key, _, value in some]
            )
            for kind, name, some in changes
        ]
        request = whole.AlterConfigsRequest(rows, only)
    else:
        single = incremental_alter_configs_request
        request = single.IncrementalAlterConfigsRequest(
            [
                single.AlterConfigsResource(
                    kind, name, [single.AlterableConfig(*one) for one in some]
                )
                for kind, name, some in changes
            ],
            only,
        )
    key = 33 if replaces else 44
    return Ask(
        f"alter configs {changes}", key, draw.version(key), lambda side: request, draw.asker(ASKERS)
    )


def alter_min_insync_replicas(draw: Draw) -> Ask:
    """What eligible leader replicas depend on, of a broker, of all or of a topic."""
    kind = draw.random.choice((BROKER, BROKER, TOPIC))
    names = (*draw.topics(), "absent") if kind == TOPIC else ("", "1", "101", "102")
    name = draw.random.choice(names)
    value = draw.random.choice(("1", "2", "3", None))
    return set_min_insync_replicas(name, value, kind)


def set_min_insync_replicas(name: str, value: str | None, kind: int = BROKER) -> Ask:
    """One value, or none, for a resource."""
    wire = incremental_alter_configs_request
    operation = DELETE if value is None else SET
    setting = wire.AlterableConfig("min.insync.replicas", operation, value)
    resources = [wire.AlterConfigsResource(kind, name, [setting])]
    request = wire.IncrementalAlterConfigsRequest(resources, False)
    what = f"min.insync.replicas of {name!r} is {value}"
    return Ask(what, 44, 1, lambda side: request)


def alter_quotas(draw: Draw) -> Ask:
    """Quotas of users, clients and addresses."""
    wire = alter_client_quotas_request
    names = draw.random.choice(
        (
            *([("user", "u")], [("user", None)], [("client-id", "c")], [("ip", "10.0.0.1")]),
            *([("user", "u"), ("client-id", None)], [("user", "")], [("other", "x")], []),
        )
    )
    # Nothing that would slow down the one who asks.
    keys = OF_OTHERS if ("user", "u") in names or ("ip", "10.0.0.1") in names else OF_ALL
    ops = [
        wire.OpData(one, draw.random.choice((1.0, 5.0, 0.5, 0.0, 100.0)), draw.seldom(0.3))
        for one in draw.random.sample(keys, draw.random.choice((1, 1, 2)))
    ]
    entry = wire.EntryData([wire.EntityData(*one) for one in names], ops)
    request = wire.AlterClientQuotasRequest([entry], draw.seldom(0.1))
    return Ask(
        f"alter quotas {names}", 49, draw.version(49), lambda side: request, draw.asker(ASKERS)
    )


def alter_users(draw: Draw) -> Ask:
    """SCRAM credentials come and go."""
    wire = alter_user_scram_credentials_request
    deletions, upsertions = [], []
    for _ in range(draw.random.choice((1, 1, 2))):
        name, mechanism = draw.random.choice(("u", "v", "w", "")), draw.random.choice((1, 2, 2, 0))
        if draw.seldom(0.4):
            deletions.append(wire.ScramCredentialDeletion(name, mechanism))
        else:
            iterations = draw.random.choice((4096, 8192, 4095, 16385))
            upsertions.append(
                wire.ScramCredentialUpsertion(name, mechanism, iterations, b"salt", bytes(32))
            )
    request = wire.AlterUserScramCredentialsRequest(deletions, upsertions)
    return Ask("alter users", 51, 0, lambda side: request, draw.asker(ASKERS))


def create_acls(draw: Draw) -> Ask:
    """Rights of alice and bob, which later requests are served by."""
    wire = create_acls_request
    creations = [
        wire.AclCreation(*_rule(draw), draw.random.choice((2, 3, 3)))
        for _ in range(draw.random.randint(1, 3))
    ]
    request = wire.CreateAclsRequest(creations)
    version = draw.version(30, least=1)
    return Ask("create ACLs", 30, version, lambda side: request, draw.asker(ASKERS))


def _rule(draw: Draw) -> tuple[int, str, int, str, str, int]:
    kind, name, pattern = draw.random.choice(
        (
            *((2, draw.random.choice(NAMES), 3), (2, "*", 3), (2, "c", 4), (4, "kafka-cluster", 3)),
            *((3, "g", 3), (2, "", 3), (4, "another", 3), (7, "User:bob", 3), (7, "User:", 4)),
        )
    )
    return (
        *(kind, name, pattern, draw.random.choice(("User:alice", "User:bob", "User:*", "nobody"))),
        *(
            draw.random.choice(("*", "*", "10.0.0.1")),
            draw.random.choice((2, 3, 4, 5, 6, 7, 8, 10, 11, 13) if kind != 7 else (2, 13, 14)),
        ),
    )


def delete_acls(draw: Draw) -> Ask:
    """Rights are taken away by filters."""
    wire = delete_acls_request
    kind, name, _, principal, host, operation = _rule(draw)
    one = wire.DeleteAclsFilter(
        draw.random.choice((1, kind)),
        draw.random.choice((None, name)),
        draw.random.choice((1, 2, 3)),
        draw.random.choice((None, principal)),
        draw.random.choice((None, host)),
        draw.random.choice((1, 1, operation)),
        1,
    )
    request = wire.DeleteAclsRequest([one])
    version = draw.version(31, least=1)
    return Ask("delete ACLs", 31, version, lambda side: request, draw.asker(ASKERS))


def describe_acls(draw: Draw) -> Ask:
    """Every right."""
    request = describe_acls_request.DescribeAclsRequest(1, None, 1, None, None, 1, 1)
    version = draw.version(29, least=1)
    return Ask("describe ACLs", 29, version, lambda side: request, draw.asker(ASKERS))


def update_features(draw: Draw) -> Ask:
    """Levels of features go up and down, metadata.version left out."""
    return _update(draw, {name: range(highest + 2) for name, highest in LEVELS.items()})


def update_levels(draw: Draw) -> Ask:
    """Levels of features and metadata.version go up and down."""
    now = draw.view.features.metadata_version
    near = {*range(now - 3, min(now + 4, NEWEST_OF_BOTH + 1)), 0, 6, NEWEST_KNOWN + 1}
    levels = {name: range(highest + 2) for name, highest in LEVELS.items()}
    of_elr = {ELR: (0, 1, 1)}
    some = draw.random.choice(({**levels, VERSION: sorted(near)}, {VERSION: sorted(near)}, of_elr))
    return _update(draw, some)


def _update(draw: Draw, levels: Mapping[str, Sequence[int]]) -> Ask:
    wire = update_features_request
    version = draw.version(57)
    rows = []
    names = draw.random.sample(sorted(levels), min(len(levels), draw.random.choice((1, 1, 2))))
    for name in names:
        row = wire.FeatureUpdateKey(name, draw.random.choice(levels[name]))
        if version == 0:
            row.allow_downgrade = draw.seldom(0.5)
        else:
            row.upgrade_type = draw.random.choice((1, 1, 2, 3, 0, 7))
        rows.append(row)
    request = wire.UpdateFeaturesRequest(TIMEOUT_MS, rows)
    if version >= 1:
        request.validate_only = draw.seldom(0.3)
    what = f"features {[(one.feature, one.max_version_level, one.upgrade_type) for one in rows]}"
    return Ask(what, 57, version, lambda side: request, draw.asker(ASKERS))
