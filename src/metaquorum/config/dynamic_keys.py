"""Keys that Kafka changes at run time through ConfigRecords, and those that it has other words for.

Measured: a controller of Kafka 4.3.1 asked with DescribeConfigs after each key was set.
"""

from __future__ import annotations

from typing import Final

from metaquorum.config.broker_keys import AUTHORIZER_KEYS
from metaquorum.config.key import BadValue, Key
from metaquorum.config.keys import known_keys

LISTENER_PREFIX: Final = "listener.name."

_NODE_ONLY = (
    "cordoned.log.dirs",
    "listener.security.protocol.map",
    "listeners",
    "principal.builder.class",
)
_NODE_ONLY_PREFIXES = ("sasl.", "ssl.")
_LISTENER_ONLY_PREFIXES = ("ssl.key.", "ssl.keystore.", "ssl.truststore.")

_OF_A_PLUG_IN = frozenset(key.name for key in AUTHORIZER_KEYS)

_OTHER_WORDS: dict[str, tuple[str, ...]] = {
    "log.flush.interval.ms": ("log.flush.scheduler.interval.ms",),
    "log.retention.minutes": ("log.retention.hours",),
    "log.retention.ms": ("log.retention.minutes", "log.retention.hours"),
    "log.roll.jitter.ms": ("log.roll.jitter.hours",),
    "log.roll.ms": ("log.roll.hours",),
}

DYNAMIC_KEYS: Final = frozenset(
    (
        "background.threads",
        "compression.gzip.level",
        "compression.lz4.level",
        "compression.type",
        "compression.zstd.level",
        "config.providers",
        "cordoned.log.dirs",
        "follower.fetch.last.tiered.offset.enable",
        "follower.replication.throttled.rate",
        "group.consumer.assignment.interval.ms",
        "group.coordinator.cached.buffer.max.bytes",
        "group.share.assignment.interval.ms",
        "group.streams.assignment.interval.ms",
        "leader.replication.throttled.rate",
        "listener.security.protocol.map",
        "listeners",
        "log.cleaner.backoff.ms",
        "log.cleaner.dedupe.buffer.size",
        "log.cleaner.delete.retention.ms",
        "log.cleaner.io.buffer.load.factor",
        "log.cleaner.io.buffer.size",
        "log.cleaner.io.max.bytes.per.second",
        "log.cleaner.max.compaction.lag.ms",
        "log.cleaner.min.cleanable.ratio",
        "log.cleaner.min.compaction.lag.ms",
        "log.cleaner.threads",
        "log.cleanup.policy",
        "log.flush.interval.messages",
        "log.flush.interval.ms",
        "log.index.interval.bytes",
        "log.index.size.max.bytes",
        "log.local.retention.bytes",
        "log.local.retention.ms",
        "log.message.timestamp.after.max.ms",
        "log.message.timestamp.before.max.ms",
        "log.message.timestamp.type",
        "log.preallocate",
        "log.retention.bytes",
        "log.retention.ms",
        "log.roll.jitter.ms",
        "log.roll.ms",
        "log.segment.bytes",
        "log.segment.delete.delay.ms",
        "max.connection.creation.rate",
        "max.connections",
        "max.connections.per.ip",
        "max.connections.per.ip.overrides",
        "message.max.bytes",
        "metric.reporters",
        "min.insync.replicas",
        "num.io.threads",
        "num.network.threads",
        "num.recovery.threads.per.data.dir",
        "num.replica.fetchers",
        "principal.builder.class",
        "producer.id.expiration.ms",
        "remote.fetch.max.wait.ms",
        "remote.list.offsets.request.timeout.ms",
        "remote.log.index.file.cache.total.size.bytes",
        "remote.log.manager.copier.thread.pool.size",
        "remote.log.manager.copy.max.bytes.per.second",
        "remote.log.manager.expiration.thread.pool.size",
        "remote.log.manager.fetch.max.bytes.per.second",
        "remote.log.manager.follower.thread.pool.size",
        "remote.log.reader.threads",
        "replica.alter.log.dirs.io.max.bytes.per.second",
        "sasl.enabled.mechanisms",
        "sasl.jaas.config",
        "sasl.kerberos.kinit.cmd",
        "sasl.kerberos.min.time.before.relogin",
        "sasl.kerberos.principal.to.local.rules",
        "sasl.kerberos.service.name",
        "sasl.kerberos.ticket.renew.jitter",
        "sasl.kerberos.ticket.renew.window.factor",
        "sasl.login.refresh.buffer.seconds",
        "sasl.login.refresh.min.period.seconds",
        "sasl.login.refresh.window.factor",
        "sasl.login.refresh.window.jitter",
        "sasl.mechanism.inter.broker.protocol",
        "share.coordinator.cached.buffer.max.bytes",
        "ssl.cipher.suites",
        "ssl.client.auth",
        "ssl.enabled.protocols",
        "ssl.endpoint.identification.algorithm",
        "ssl.engine.factory.class",
        "ssl.key.password",
        "ssl.keymanager.algorithm",
        "ssl.keystore.certificate.chain",
        "ssl.keystore.key",
        "ssl.keystore.location",
        "ssl.keystore.password",
        "ssl.keystore.type",
        "ssl.protocol",
        "ssl.provider",
        "ssl.secure.random.implementation",
        "ssl.trustmanager.algorithm",
        "ssl.truststore.certificates",
        "ssl.truststore.location",
        "ssl.truststore.password",
        "ssl.truststore.type",
        "transaction.partition.verification.enable",
        "unclean.leader.election.enable",
    )
)


def key_behind(name: str) -> Key | None:
    """The key that gives ``name`` its meaning: itself, or the one that a listener has its own of.

    None for a name that is not in Kafka's table or ours, even if a plug-in of Kafka knows it. SASL
    keys may name a mechanism behind the listener's name.
    """
    keys = known_keys()
    if name in keys:
        return None if name in _OF_A_PLUG_IN else keys[name]
    if not name.startswith(LISTENER_PREFIX):
        return None
    _, _, rest = name.removeprefix(LISTENER_PREFIX).partition(".")
    if rest in keys:
        return keys[rest]
    return keys.get(rest.partition(".")[2])


def names_in_turn(name: str) -> tuple[str, ...]:
    """``name`` and the names that stand in for it where it is not set, the first one counts."""
    key = key_behind(name)
    if key is not None and key.name != name:
        return (name, key.name)
    return (name, *_OTHER_WORDS.get(name, ()))


def can_be_set(name: str, text: str, *, one_node: bool) -> bool:
    """Whether a ConfigRecord of brokers with this key and value has an effect.

    ``one_node`` tells whether it is for one node or for all. Names that nobody knows count: they
    may be a plug-in's.
    """
    key = key_behind(name)
    if key is None:
        return True
    for_listeners = name.startswith(_LISTENER_ONLY_PREFIXES)
    if key.name == name and (for_listeners or name not in DYNAMIC_KEYS):
        return False
    if not one_node and (key.name in _NODE_ONLY or key.name.startswith(_NODE_ONLY_PREFIXES)):
        return False
    try:
        key.parse(text)
    except BadValue:
        return False
    return True
