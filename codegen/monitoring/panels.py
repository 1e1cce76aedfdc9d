"""The dashboards: rows of panels, each with its queries and what it shows."""

from __future__ import annotations

from typing import Final

from attrs import frozen

from codegen.monitoring.alerts import LOG_BYTES, NOT_PREFERRED, SPARE_VOTERS

NUMBER: Final = "stat"
LINES: Final = "timeseries"
BANDS: Final = "state-timeline"

COUNT, PER_SECOND, MS, BYTES, BYTES_A_SECOND = "short", "ops", "ms", "bytes", "Bps"
SHARE, SECONDS = "percentunit", "s"

RATE: Final = "[$__rate_interval]"


@frozen
class Panel:
    """One panel; ``queries`` are pairs of a query and the legend of its series.

    ``values`` are words for numbers, and ``bad_from`` is where a number becomes red.
    """

    title: str
    about: str
    queries: tuple[tuple[str, str], ...]
    kind: str = LINES
    unit: str = COUNT
    values: tuple[tuple[int, str], ...] = ()
    bad_from: float | None = None


@frozen
class Dashboard:
    """A dashboard: panels in rows that have titles."""

    uid: str
    title: str
    about: str
    rows: tuple[tuple[str, tuple[Panel, ...]], ...]

    @property
    def panels(self) -> tuple[Panel, ...]:
        """All of them, in order."""
        return tuple(panel for _, panels in self.rows for panel in panels)


_RAFT: Final = "kafka_server_raft_metrics_"
_CONTROLLER: Final = "kafka_controller_kafkacontroller_"
_REPLICAS: Final = "kafka_server_replicamanager_"
_STATS: Final = "kafka_controller_controllerstats_"
_LOADER: Final = "kafka_server_metadataloader_"
_QUORUM: Final = "metaquorum_quorum_"
_LOG: Final = "metaquorum_log_"
_CLUSTER: Final = "metaquorum_cluster_"
_EXPORTER: Final = "metaquorum_exporter_"
_NODE: Final = "{{role}} {{node}}"


def _number(title: str, about: str, query: str, bad_from: float | None = None) -> Panel:
    return Panel(title, about, ((query, title),), NUMBER, bad_from=bad_from)


QUORUM_BOARD: Final = Dashboard(
    "metaquorum-quorum",
    "Kafka quorum",
    "Who leads, who lags, how the metadata log grows, and whether these figures are fresh",
    (
        (
            "Now",
            (
                _number("Leader", "Its node id, -1 while unknown", f"{_RAFT}current_leader{{@}}"),
                _number("Epoch", "It grows with every election", f"{_RAFT}current_epoch{{@}}"),
                _number("Voters", "All that count", f"{_RAFT}number_of_voters{{@}}"),
                _number(
                    "Voters that may fail",
                    "How many may fail and leave a majority that is caught up",
                    f"{SPARE_VOTERS}{{@}}",
                ),
                _number(
                    "Silent voters",
                    "The leader was not asked by them for 5 s",
                    f"{_QUORUM}voters_silent{{@}}",
                    1,
                ),
                _number(
                    "Voters behind",
                    "Not caught up for 5 s, or not since this leader leads",
                    f"{_QUORUM}voters_behind{{@}}",
                    1,
                ),
            ),
        ),
        (
            "Leaders",
            (
                Panel(
                    "Leader over time",
                    "The leader's node id, -1 while nobody is known to lead",
                    ((f"{_RAFT}current_leader{{@}}", "leader"),),
                    BANDS,
                ),
                Panel(
                    "Alerts",
                    "The alerts that fire",
                    (
                        (
                            'max by (alertname) (ALERTS{alertname=~"(Kafka|Metaquorum).+",'
                            'alertstate="firing"})',
                            "{{alertname}}",
                        ),
                    ),
                    BANDS,
                    values=((1, "fires"),),
                ),
                Panel(
                    "Changes of leader",
                    "Elections that the log tells of",
                    ((f"increase({_QUORUM}leader_changes_total{{@}}{RATE})", "elections"),),
                ),
                Panel(
                    "Epoch over time",
                    "One more with each attempt to elect",
                    ((f"{_RAFT}current_epoch{{@}}", "epoch"),),
                ),
            ),
        ),
        (
            "Voters and observers",
            (
                Panel(
                    "Behind",
                    "Milliseconds since a replica had all records, by the leader's clock",
                    ((f"{_QUORUM}replica_behind_ms{{@}}", _NODE),),
                    unit=MS,
                ),
                Panel(
                    "Since the last fetch",
                    "Milliseconds since the leader was asked by a replica",
                    ((f"{_QUORUM}replica_since_fetch_ms{{@}}", _NODE),),
                    unit=MS,
                ),
                Panel(
                    "Lag",
                    "Offsets from a replica's log end to the leader's",
                    ((f"{_QUORUM}replica_lag_offsets{{@}}", _NODE),),
                ),
                Panel(
                    "Replicas",
                    "Voters and observers that the leader knows",
                    (
                        (f"{_RAFT}number_of_voters{{@}}", "voters"),
                        (f"{_RAFT}number_of_observers{{@}}", "observers"),
                        (f"{_QUORUM}voters_silent{{@}}", "silent voters"),
                        (f"{_QUORUM}voters_behind{{@}}", "voters behind"),
                    ),
                ),
            ),
        ),
        (
            "The log",
            (
                Panel(
                    "Committed",
                    "Offsets that become committed in a second",
                    ((f"rate({_RAFT}high_watermark{{@}}{RATE})", "offsets"),),
                    unit=PER_SECOND,
                ),
                Panel(
                    "Written",
                    "Bytes of records in a second, now and over ten minutes",
                    (
                        (f"rate({_LOG}bytes_total{{@}}{RATE})", "now"),
                        (f"{LOG_BYTES}{{@}}", "over ten minutes"),
                    ),
                    unit=BYTES_A_SECOND,
                ),
                Panel(
                    "Offsets",
                    "Where the leader's log starts and ends",
                    (
                        (f"{_RAFT}log_end_offset{{@}}", "end"),
                        (f"{_RAFT}high_watermark{{@}}", "high watermark"),
                        (f"{_LOG}start_offset{{@}}", "start"),
                    ),
                ),
                Panel(
                    "Age of the latest snapshot",
                    "Since the last record was written that it holds",
                    ((f"{_LOG}snapshot_age_ms{{@}}", "age"),),
                    unit=MS,
                ),
                Panel(
                    "Offsets since the latest snapshot",
                    "What a start replays after it",
                    ((f"{_LOG}snapshot_lag_offsets{{@}}", "offsets"),),
                ),
                Panel(
                    "Age of the last record",
                    "By this machine's clock; half a second while a controller of Kafka's is idle",
                    ((f"{_CONTROLLER}lastappliedrecordlagms{{@}}", "age"),),
                    unit=MS,
                ),
            ),
        ),
        (
            "The exporter",
            (
                Panel(
                    "Sources",
                    "1 while a source works",
                    ((f"{_EXPORTER}source_up{{@}}", "{{source}}"),),
                    BANDS,
                    values=((0, "fails"), (1, "works")),
                ),
                Panel(
                    "Age of its figures",
                    "Since a source worked last",
                    ((f"{_EXPORTER}source_age_ms{{@}}", "{{source}}"),),
                    unit=MS,
                ),
                Panel(
                    "Not read yet",
                    "Committed offsets that the exporter has not read",
                    ((f"{_LOG}lag_offsets{{@}}", "offsets"),),
                ),
                Panel(
                    "Memory",
                    "Resident memory of the exporter",
                    (("process_resident_memory_bytes{@}", "{{instance}}"),),
                    unit=BYTES,
                ),
                Panel(
                    "Processor",
                    "Share of a core",
                    ((f"rate(process_cpu_seconds_total{{@}}{RATE})", "{{instance}}"),),
                    unit=SHARE,
                ),
                Panel(
                    "Time of a scrape",
                    "As Prometheus measures it",
                    (("scrape_duration_seconds{@}", "{{instance}}"),),
                    unit=SECONDS,
                ),
            ),
        ),
    ),
)

CLUSTER_BOARD: Final = Dashboard(
    "metaquorum-cluster",
    "Kafka cluster",
    "Brokers, partitions and changes of metadata, as the controller knows them",
    (
        (
            "Now",
            (
                _number("Active brokers", "Not fenced", f"{_CONTROLLER}activebrokercount{{@}}"),
                _number(
                    "Fenced brokers",
                    "Registered and not in use",
                    f"{_CONTROLLER}fencedbrokercount{{@}}",
                    1,
                ),
                _number(
                    "Offline partitions",
                    "Without a leader",
                    f"{_CONTROLLER}offlinepartitionscount{{@}}",
                    1,
                ),
                _number(
                    "Under min ISR",
                    "Writes with acks=all are refused",
                    f"{_REPLICAS}underminisrpartitioncount{{@}}",
                    1,
                ),
                _number(
                    "Under-replicated",
                    "Fewer replicas in sync than replicas",
                    f"{_REPLICAS}underreplicatedpartitions{{@}}",
                    1,
                ),
                _number("Partitions", "Of all topics", f"{_CONTROLLER}globalpartitioncount{{@}}"),
            ),
        ),
        (
            "Brokers",
            (
                Panel(
                    "Registrations",
                    "The state of each broker",
                    ((f"{_CONTROLLER}brokerregistrationstate{{@}}", "broker {{broker}}"),),
                    BANDS,
                    values=((10, "fenced"), (20, "in controlled shutdown"), (30, "active")),
                ),
                Panel(
                    "Brokers",
                    "Registered ones by state",
                    (
                        (f"{_CLUSTER}brokers_registered{{@}}", "registered"),
                        (f"{_CONTROLLER}activebrokercount{{@}}", "active"),
                        (f"{_CONTROLLER}fencedbrokercount{{@}}", "fenced"),
                        (f"{_CONTROLLER}controlledshutdownbrokercount{{@}}", "in shutdown"),
                    ),
                ),
                Panel(
                    "Leaders of partitions by broker",
                    "How even the work is spread",
                    ((f"{_REPLICAS}leadercount{{@}}", "broker {{broker}}"),),
                ),
                Panel(
                    "Brokers fenced",
                    "How many were fenced in this time",
                    ((f"increase({_CLUSTER}brokers_fenced_total{{@}}{RATE})", "fenced"),),
                ),
            ),
        ),
        (
            "Partitions",
            (
                Panel(
                    "In trouble",
                    "Partitions without a leader, or with too few replicas in sync",
                    (
                        (f"{_CONTROLLER}offlinepartitionscount{{@}}", "offline"),
                        (f"{_REPLICAS}underminisrpartitioncount{{@}}", "under min ISR"),
                        (f"{_REPLICAS}atminisrpartitioncount{{@}}", "at min ISR"),
                        (f"{_REPLICAS}underreplicatedpartitions{{@}}", "under-replicated"),
                    ),
                ),
                Panel(
                    "Not led by their first replica",
                    "Share of all partitions",
                    ((f"{NOT_PREFERRED}{{@}}", "share"),),
                    unit=SHARE,
                ),
                Panel(
                    "ISR",
                    "Changes that left fewer replicas in sync, or more",
                    (
                        (f"increase({_REPLICAS}isrshrinks_total{{@}}{RATE})", "shrinks"),
                        (f"increase({_REPLICAS}isrexpands_total{{@}}{RATE})", "expands"),
                    ),
                ),
                Panel(
                    "Elections of partitions",
                    "Leaders that changed, and those that were not in sync",
                    (
                        (
                            f"increase({_CLUSTER}partition_leaders_changed_total{{@}}{RATE})",
                            "leader changed",
                        ),
                        (f"increase({_STATS}uncleanleaderelections_total{{@}}{RATE})", "unclean"),
                        (
                            f"increase({_STATS}electionfromeligibleleaderreplicas_total{{@}}{RATE})",
                            "of the ELR",
                        ),
                    ),
                ),
                Panel(
                    "Reassignments and ELR",
                    "Partitions whose replicas change, and those with eligible leader replicas",
                    (
                        (f"{_REPLICAS}reassigningpartitions{{@}}", "reassigning"),
                        (f"{_CLUSTER}partitions_with_elr{{@}}", "with ELR"),
                        (f"{_CLUSTER}partitions_with_last_known_elr{{@}}", "with a last known ELR"),
                    ),
                ),
                Panel(
                    "Topics and partitions",
                    "How many there are",
                    (
                        (f"{_CONTROLLER}globaltopiccount{{@}}", "topics"),
                        (f"{_CONTROLLER}globalpartitioncount{{@}}", "partitions"),
                    ),
                ),
            ),
        ),
        (
            "Metadata",
            (
                Panel(
                    "Changes by kind",
                    "Records in a second by what they change",
                    ((f"rate({_CLUSTER}changes_total{{@}}{RATE})", "{{kind}}"),),
                    unit=PER_SECOND,
                ),
                Panel(
                    "Entries",
                    "What else the state holds",
                    ((f"{_CLUSTER}entries{{@}}", "{{kind}}"),),
                ),
                Panel(
                    "Finalized levels",
                    "Features in use",
                    ((f"{_LOADER}finalizedlevel{{@}}", "{{featurename}}"),),
                ),
                Panel(
                    "Controllers registered",
                    "By KIP-919",
                    ((f"{_CLUSTER}controllers_registered{{@}}", "controllers"),),
                ),
            ),
        ),
    ),
)

DASHBOARDS: Final = (QUORUM_BOARD, CLUSTER_BOARD)
