"""The recorded queries and the alerts, with what each of them asks of whom it wakes."""

from __future__ import annotations

from typing import Final

from attrs import frozen

CRITICAL: Final = "critical"
WARNING: Final = "warning"

QUORUM: Final = "The quorum"
BROKERS: Final = "Brokers"
PARTITIONS: Final = "Partitions"
EXPORTER: Final = "The exporter"
GROUPS: Final = (QUORUM, BROKERS, PARTITIONS, EXPORTER)


@frozen
class Recording:
    """A query under a name of its own, since an alert and a panel share it."""

    name: str
    query: str


@frozen
class Alert:
    """One alert: ``holds_for`` is how long its query holds before it fires.

    ``summary`` may use the labels and the value; ``meaning`` and ``runbook`` are for people.
    """

    name: str
    group: str
    severity: str
    holds_for: str
    query: str
    summary: str
    meaning: str
    runbook: str


SPARE_VOTERS: Final = "metaquorum:quorum_spare_voters"
LEADER_CHANGES: Final = "metaquorum:quorum_leader_changes:increase30m"
LOG_BYTES: Final = "metaquorum:log_bytes:rate10m"
NOT_PREFERRED: Final = "metaquorum:partitions_not_preferred:ratio"

RECORDINGS: Final = (
    Recording(
        SPARE_VOTERS,
        """kafka_server_raft_metrics_number_of_voters{@} - metaquorum_quorum_voters_behind{@}
        - floor(kafka_server_raft_metrics_number_of_voters{@} / 2) - 1""",
    ),
    Recording(LEADER_CHANGES, "increase(metaquorum_quorum_leader_changes_total{@}[<30m>])"),
    Recording(LOG_BYTES, "rate(metaquorum_log_bytes_total{@}[<10m>])"),
    Recording(
        NOT_PREFERRED,
        """kafka_controller_kafkacontroller_preferredreplicaimbalancecount{@}
        / (kafka_controller_kafkacontroller_globalpartitioncount{@} > 0)""",
    ),
)

QUORUM_ALERTS: Final = (
    Alert(
        "KafkaQuorumHasNoLeader",
        QUORUM,
        CRITICAL,
        "30s",
        """metaquorum_exporter_source_failing{@,source="quorum",reason="no-leader"} == 1
        and on (job, instance) kafka_controller_kafkacontroller_activecontrollercount{@} == 0""",
        "Nobody leads the quorum that {{ $labels.instance }} watches",
        "Controllers answer and none of them leads. Topics, configurations and leaders of "
        "partitions cannot be changed, and a broker that fails is not noticed. Producers and "
        "consumers go on with what they know.",
        "Start the voters that are down: a majority of them elects a leader by itself. See in "
        "their logs why they ended. When most disks are lost for good, follow "
        "docs/how-to/recover-a-lost-majority.md.",
    ),
    Alert(
        "KafkaQuorumLeaderChangesOften",
        QUORUM,
        WARNING,
        "0s",
        f"{LEADER_CHANGES}{{@}} >= 5",
        "{{ $value | humanize }} changes of leader in half an hour at {{ $labels.instance }}",
        "The quorum elects again and again. Each election stops changes of metadata for seconds. "
        "Restarting three controllers one by one costs three at most.",
        "`metaquorum metadata-quorum explain` says for our nodes why each of them campaigned; for "
        "Kafka's look for `Transition from` in their logs. Usual causes: pauses of garbage "
        "collection, slow disks, a network that loses packets, and two controllers that share "
        "a machine that is too small.",
    ),
    Alert(
        "KafkaQuorumVoterDown",
        QUORUM,
        WARNING,
        "2m",
        "metaquorum_quorum_voters_silent{@} > 0",
        "{{ $value }} voters do not ask the leader for records, says {{ $labels.instance }}",
        "A voter has not fetched from the leader for more than 5 s: it is down, it hangs, or the "
        "network between the two is cut.",
        "`metaquorum metadata-quorum describe --replication` names it. `metaquorum health --live` "
        "at its address tells a node that is down from one that is cut off. Restart no other "
        "voter before it is back.",
    ),
    Alert(
        "KafkaQuorumVoterLags",
        QUORUM,
        WARNING,
        "5m",
        """(avg_over_time(metaquorum_quorum_replica_behind_ms{@,role="voter"}[<5m>]) > 1500
        unless max_over_time(metaquorum_quorum_replica_since_fetch_ms{@,role="voter"}[<5m>]) > 5000)
        or on (job, instance)
        (metaquorum_quorum_voters_behind{@} - metaquorum_quorum_voters_silent{@} > 0)""",
        "Voter {{ with $labels.node }}{{ . }}{{ else }}of the quorum{{ end }} asks for records "
        "and does not keep up, says {{ $labels.instance }}",
        "A voter fetches and stays behind the leader. It does not help to commit, and a leader "
        "that fails now may wait for it.",
        "Look at its disk first: each fetch waits for the sync of the one before. `metaquorum "
        "check host` measures a sync; `iostat -x` shows the device. Then at its processor and its "
        "network.",
    ),
    Alert(
        "KafkaQuorumOneFailureFromLoss",
        QUORUM,
        CRITICAL,
        "2m",
        f"""{SPARE_VOTERS}{{@}} <= 0
        and on (job, instance) kafka_server_raft_metrics_number_of_voters{{@}} >= 3""",
        "The quorum at {{ $labels.instance }} does not survive the loss of another voter",
        "So many voters are down or behind that just a majority, or less, is caught up. The next "
        "failure leaves no leader.",
        "Bring back a voter that is down before anything else, and restart none of those that are "
        "up: `metaquorum health --node ID --safe-to-restart` says which may be. A voter that does "
        "not come back is replaced as docs/how-to/change-the-voters.md says.",
    ),
    Alert(
        "KafkaQuorumSnapshotTooOld",
        QUORUM,
        WARNING,
        "10m",
        """metaquorum_log_snapshot_age_ms{@} / 1000 > <3h in ms> / 1000
        and on (job, instance) metaquorum_log_snapshot_lag_offsets{@} > 0""",
        "The latest snapshot at {{ $labels.instance }} ends {{ $value | humanizeDuration }} ago",
        "A snapshot is due every hour while there are records (metadata.log.max.snapshot."
        "interval.ms). Without new ones the log is kept whole, and starts take longer and longer.",
        "Look for errors of snapshots in the log of the leader, and at the free space of its "
        "disk (docs/how-to/work-with-snapshots.md). Where the interval was set to more than three "
        "hours, raise the limit in the rule.",
    ),
    Alert(
        "KafkaQuorumLogGrows",
        QUORUM,
        WARNING,
        "15m",
        f"{LOG_BYTES}{{@}} > 50000",
        "{{ $value | humanize }} bytes of metadata a second at {{ $labels.instance }}",
        "Far more is written than a cluster at work needs. A snapshot is due every 20 MB, and "
        "every broker reads all of it.",
        "The panel of changes by kind says what is written; `metaquorum tail --follow` shows the "
        "records themselves. Usual causes: a client that alters configurations in a loop, topics "
        "made and deleted by a test, a large reassignment, which ends by itself.",
    ),
    Alert(
        "KafkaClusterFormedAnew",
        QUORUM,
        CRITICAL,
        "0s",
        """sum without (why)
        (increase(metaquorum_exporter_log_begun_anew_total{@,why!="unreadable"}[<15m>])) > 0""",
        "Another cluster answers where {{ $labels.instance }} watched one",
        "The cluster's id is another one, or committed records that were read are gone: "
        "directories were formatted again, lost, or put back from a copy.",
        "If nobody meant to do that, stop the brokers before they delete what the new metadata "
        "does not know. Keep all directories, and compare them with `metaquorum check directory` "
        "(docs/how-to/recover-a-lost-majority.md).",
    ),
    Alert(
        "KafkaCertificateExpires",
        QUORUM,
        WARNING,
        "10m",
        "metaquorum_exporter_certificate_expires_in_ms{@} / 1000 < <14d in ms> / 1000",
        "The certificate at {{ $labels.certificate }} is good for {{ $value | humanizeDuration }}, "
        "says {{ $labels.instance }}",
        "A controller shows a certificate that expires within two weeks, or has expired, which is "
        "a negative time; `ours` is the exporter's own. Once it has expired no connection is made "
        "any more by those who check it: other controllers, brokers, and this exporter.",
        "Renew it. Apache Kafka's controllers use the new one after a restart; ours read the "
        "files of their key stores anew by themselves, and so does the exporter "
        "(docs/security.md). Restart controllers one by one, each after `metaquorum health --node "
        "ID --safe-to-restart`.",
    ),
)

BROKER_ALERTS: Final = (
    Alert(
        "KafkaBrokersFenced",
        BROKERS,
        WARNING,
        "2m",
        "kafka_controller_kafkacontroller_fencedbrokercount{@} > 0",
        "{{ $value }} registered brokers are fenced, says {{ $labels.instance }}",
        "A broker is registered and the controller has not heard from it, or it has not caught up "
        "with the metadata yet. It leads no partition and is in no ISR.",
        "`kafka_controller_kafkacontroller_brokerregistrationstate == 10` names it. Start it. One "
        "that is gone for good is removed by `kafka-cluster.sh unregister` once its replicas are "
        "elsewhere.",
    ),
    Alert(
        "KafkaBrokerInShutdownTooLong",
        BROKERS,
        WARNING,
        "5m",
        "kafka_controller_kafkacontroller_brokerregistrationstate{@} == 20",
        "Broker {{ $labels.broker }} has been in controlled shutdown for long, says "
        "{{ $labels.instance }}",
        "The broker asked to stop and may not yet: its partitions need another leader, or another "
        "broker has not read the metadata that moved them.",
        "See which broker's metadata stands still (its `last-applied-record-offset`) and mend or "
        "stop that one. A broker that is killed instead is fenced after "
        "broker.session.timeout.ms.",
    ),
)

PARTITION_ALERTS: Final = (
    Alert(
        "KafkaPartitionsOffline",
        PARTITIONS,
        CRITICAL,
        "1m",
        "kafka_controller_kafkacontroller_offlinepartitionscount{@} > 0",
        "{{ $value }} partitions have no leader, says {{ $labels.instance }}",
        "Nobody can write to or read from these partitions: every replica that may lead is down.",
        "`kafka-topics.sh --describe --unavailable-partitions` names them and their replicas. "
        "Start one of the brokers in the ISR or ELR. An unclean election "
        "(`kafka-leader-election.sh --election-type unclean`) loses records: it comes last.",
    ),
    Alert(
        "KafkaPartitionsUnderReplicated",
        PARTITIONS,
        WARNING,
        "5m",
        "kafka_server_replicamanager_underreplicatedpartitions{@} > 0",
        "{{ $value }} partitions miss replicas in sync, says {{ $labels.instance }}",
        "Replicas are not in the ISR: a broker is down, or it does not keep up with its leaders.",
        "When a broker is fenced as well, start it. Otherwise "
        "`kafka-topics.sh --describe --under-replicated-partitions` shows which broker is missing "
        "in all of them; look at its disk and at its network.",
    ),
    Alert(
        "KafkaPartitionsUnderMinIsr",
        PARTITIONS,
        CRITICAL,
        "1m",
        "kafka_server_replicamanager_underminisrpartitioncount{@} > 0",
        "{{ $value }} partitions refuse writes with acks=all, says {{ $labels.instance }}",
        "Fewer replicas are in sync than min.insync.replicas: the leader answers "
        "NOT_ENOUGH_REPLICAS to producers with acks=all.",
        "Bring back the brokers that are missing "
        "(`kafka-topics.sh --describe --under-min-isr-partitions`). Lowering min.insync.replicas "
        "lets producers go on and gives up what it was set for.",
    ),
    Alert(
        "KafkaLeadersNotPreferred",
        PARTITIONS,
        WARNING,
        "15m",
        f"""{NOT_PREFERRED}{{@}} > 0.1
        and on (job, instance) kafka_controller_kafkacontroller_fencedbrokercount{{@}} == 0
        and on (job, instance)
        kafka_controller_kafkacontroller_controlledshutdownbrokercount{{@}} == 0""",
        "{{ $value | humanizePercentage }} of the partitions are not led by their first replica, "
        "says {{ $labels.instance }}",
        "All brokers are at work and leaders are not back: some brokers do the work of others.",
        "The controller elects preferred leaders every leader.imbalance.check.interval.seconds "
        "unless auto.leader.rebalance.enable is false; "
        "`kafka-leader-election.sh --election-type preferred --all-topic-partitions` does it now. "
        "When it does not help, a replica is not in sync.",
    ),
)

EXPORTER_ALERTS: Final = (
    Alert(
        "MetaquorumExporterDown",
        EXPORTER,
        CRITICAL,
        "2m",
        "up{@} == 0 or absent(up{@})",
        "No metrics come from the exporter {{ $labels.instance }}",
        "Prometheus gets no answer, or has no target with the job of these rules: none of the "
        "other alerts can fire.",
        "Start the exporter; its last lines say why it ended. Without any target, give the "
        "exporter's job in prometheus.yml the name that the rules have.",
    ),
    Alert(
        "MetaquorumExporterBlind",
        EXPORTER,
        CRITICAL,
        "2m",
        """metaquorum_exporter_source_failing{@,reason=~"no-answer|unreadable|log-lost"} == 1
        or (metaquorum_exporter_source_age_ms{@} > <15m in ms>
        unless on (job, instance, source) metaquorum_exporter_source_failing{@})""",
        "The figures of {{ $labels.instance }} from the {{ $labels.source }} are no longer true",
        "No controller answers, or an answer cannot be understood, or a source stands still. All "
        "controllers may be down: from outside that looks the same as a network that is cut.",
        "`metaquorum health --bootstrap-controller ...` from the exporter's machine and from "
        "another one tells the two apart. The exporter's lines `source-fails` have the reason in "
        "words. For `unreadable` use a newer metaquorum.",
    ),
    Alert(
        "MetaquorumExporterRefused",
        EXPORTER,
        CRITICAL,
        "1m",
        'metaquorum_exporter_source_failing{@,reason=~"certificate|login|refused"} == 1',
        "Controllers do not let {{ $labels.instance }} in: {{ $labels.reason }}",
        "A certificate expired or is not trusted, a login is not taken, or the principal may not "
        "describe the cluster. What happens to the exporter happens to brokers with the same "
        "certificates.",
        "Renew the certificate or the password in the file of --command-config: it is read again "
        "at each attempt. For `refused` grant DESCRIBE and CLUSTER_ACTION on the cluster "
        "(docs/security.md). If it is a controller's own certificate, renew that first.",
    ),
)

ALERTS: Final = (*QUORUM_ALERTS, *BROKER_ALERTS, *PARTITION_ALERTS, *EXPORTER_ALERTS)
"""All of them, in the order of the page."""
