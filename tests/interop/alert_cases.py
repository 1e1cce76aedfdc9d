"""Series of a calm quorum, and of each trouble, as promtool takes them; and what fires then.

Values stand every half minute, in promtool's notation: ``0x20 1x20`` is ten minutes of 0 and then
1; ``a+bxN`` grows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from attrs import field, frozen

from codegen.monitoring.alerts import ALERTS

INTERVAL_S: Final = 30
EXPORTER: Final = {"job": "kafka-quorum", "instance": "exporter:9404"}
CALM: Final = "x400"


def series(name: str, **labels: str) -> str:
    """One series of the exporter."""
    told = {**EXPORTER, **labels}
    inside = ",".join(f'{key}="{value}"' for key, value in told.items())
    return f"{name}{{{inside}}}"


def voter(name: str, node: int) -> str:
    return series(f"metaquorum_quorum_replica_{name}", node=str(node), role="voter")


def failing(source: str, reason: str) -> str:
    return series("metaquorum_exporter_source_failing", source=source, reason=reason)


def age(source: str) -> str:
    return series("metaquorum_exporter_source_age_ms", source=source)


def anew(why: str) -> str:
    return series("metaquorum_exporter_log_begun_anew_total", why=why)


def expires(whose: str) -> str:
    return series("metaquorum_exporter_certificate_expires_in_ms", certificate=whose)


def broker(number: int) -> str:
    return series("kafka_controller_kafkacontroller_brokerregistrationstate", broker=str(number))


CONTROLLER: Final = "kafka_controller_kafkacontroller_"
REPLICAS: Final = "kafka_server_replicamanager_"
UP: Final = series("up")
LEADS: Final = series(f"{CONTROLLER}activecontrollercount")
VOTERS: Final = series("kafka_server_raft_metrics_number_of_voters")
SILENT: Final = series("metaquorum_quorum_voters_silent")
BEHIND: Final = series("metaquorum_quorum_voters_behind")
CHANGES: Final = series("metaquorum_quorum_leader_changes_total")
BYTES: Final = series("metaquorum_log_bytes_total")
SNAPSHOT_AGE: Final = series("metaquorum_log_snapshot_age_ms")
SNAPSHOT_LAG: Final = series("metaquorum_log_snapshot_lag_offsets")
FENCED: Final = series(f"{CONTROLLER}fencedbrokercount")
STOPPING: Final = series(f"{CONTROLLER}controlledshutdownbrokercount")
OFFLINE: Final = series(f"{CONTROLLER}offlinepartitionscount")
IMBALANCE: Final = series(f"{CONTROLLER}preferredreplicaimbalancecount")
PARTITIONS: Final = series(f"{CONTROLLER}globalpartitioncount")
MISSING: Final = series(f"{REPLICAS}underreplicatedpartitions")
UNDER_MIN: Final = series(f"{REPLICAS}underminisrpartitioncount")

CALM_SERIES: Final[Mapping[str, str]] = {
    UP: f"1{CALM}",
    LEADS: f"1{CALM}",
    VOTERS: f"3{CALM}",
    SILENT: f"0{CALM}",
    BEHIND: f"0{CALM}",
    CHANGES: f"2{CALM}",
    BYTES: f"0+5000{CALM}",
    SNAPSHOT_AGE: f"0+30000{CALM}",
    SNAPSHOT_LAG: f"1{CALM}",
    FENCED: f"0{CALM}",
    STOPPING: f"0{CALM}",
    OFFLINE: f"0{CALM}",
    IMBALANCE: f"1{CALM}",
    PARTITIONS: f"100{CALM}",
    MISSING: f"0{CALM}",
    UNDER_MIN: f"0{CALM}",
    **{voter("behind_ms", node): f"500{CALM}" for node in (1, 2, 3)},
    **{voter("since_fetch_ms", node): f"400{CALM}" for node in (2, 3)},
    **{age(source): f"500{CALM}" for source in ("log", "quorum")},
    **{anew(why): f"0{CALM}" for why in ("another-cluster", "log-lost", "unreadable")},
    **{broker(number): f"30{CALM}" for number in (101, 102, 103)},
    **{expires(whose): f"2592000000-30000{CALM}" for whose in ("c1:9093", "ours")},
}


@frozen
class Case:
    """A trouble that begins after ten minutes: its series, and what fires how long after.

    ``fires`` has by alert the minutes after which it fires and not before; ``ends_at_min`` is
    when the whole is looked at. None as values takes a series away, from the start.
    """

    name: str
    changes: Mapping[str, str | None]
    fires: Mapping[str, float] = field(factory=dict)
    ends_at_min: float = 40


def then(before: str, after: str) -> str:
    """Ten minutes as before, and then."""
    return f"{before}x19 {after}x200"


CASES: Final = (
    Case("calm", {}),
    Case(
        "nobody leads",
        {
            LEADS: then("1", "0"),
            failing("quorum", "no-leader"): "_x20 1x200",
            failing("log", "no-leader"): "_x20 1x200",
            age("quorum"): "500x19 0+30000x200",
        },
        {"KafkaQuorumHasNoLeader": 0.5},
    ),
    Case(
        "three elections, of a rolling restart",
        {CHANGES: "2x19 3x4 4x4 5x200"},
    ),
    Case("many elections", {CHANGES: "2x19 4x4 7x200"}, {"KafkaQuorumLeaderChangesOften": 2.5}, 15),
    Case(
        "a voter is down",
        {
            SILENT: then("0", "1"),
            BEHIND: then("0", "1"),
            voter("behind_ms", 3): "500x19 5000+30000x200",
            voter("since_fetch_ms", 3): "400x19 5000+30000x200",
        },
        {"KafkaQuorumVoterDown": 2, "KafkaQuorumOneFailureFromLoss": 2},
    ),
    Case(
        "one voter of five is down",
        {VOTERS: f"5{CALM}", SILENT: then("0", "1"), BEHIND: then("0", "1")},
        {"KafkaQuorumVoterDown": 2},
    ),
    Case(
        "a voter whose disk is slow",
        {voter("behind_ms", 3): then("500", "4000"), voter("since_fetch_ms", 3): f"2500{CALM}"},
        {"KafkaQuorumVoterLags": 6.5},
    ),
    Case(
        "a voter that never caught up with this leader",
        {BEHIND: then("0", "1"), voter("behind_ms", 3): "500x19 _x200"},
        {"KafkaQuorumVoterLags": 5, "KafkaQuorumOneFailureFromLoss": 2},
    ),
    Case(
        "a quorum of one voter",
        {VOTERS: f"1{CALM}"},
    ),
    Case(
        "snapshots are no longer written",
        {SNAPSHOT_AGE: f"10600000+30000{CALM}"},
        {"KafkaQuorumSnapshotTooOld": 3.5},
    ),
    Case(
        "nothing was written since an old snapshot",
        {SNAPSHOT_AGE: f"90000000+30000{CALM}", SNAPSHOT_LAG: f"0{CALM}"},
    ),
    Case(
        "a client writes without end",
        {BYTES: "0+5000x19 100000+3000000x200"},
        {"KafkaQuorumLogGrows": 20},
        45,
    ),
    Case(
        "the cluster was formed again",
        {anew("another-cluster"): then("0", "1")},
        {"KafkaClusterFormedAnew": 0},
        15,
    ),
    *(
        Case(
            f"a certificate expires in two weeks: {whose}",
            {expires(whose): f"1209900000-30000{CALM}"},
            {"KafkaCertificateExpires": 5.5},
        )
        for whose in ("c1:9093", "ours")
    ),
    Case(
        "a certificate has expired",
        {expires("c1:9093"): f"-60000-30000{CALM}"},
        {"KafkaCertificateExpires": 0},
        20,
    ),
    Case("a record could not be read once", {anew("unreadable"): then("0", "1")}),
    Case("a broker is fenced", {FENCED: then("0", "1")}, {"KafkaBrokersFenced": 2}),
    Case(
        "a broker does not come out of its shutdown",
        {broker(102): then("30", "20"), STOPPING: then("0", "1"), IMBALANCE: then("1", "30")},
        {"KafkaBrokerInShutdownTooLong": 5},
    ),
    Case("a broker restarts", {broker(102): "30x19 20x2 10x1 30x200", FENCED: "0x21 1x2 0x200"}),
    Case("partitions without a leader", {OFFLINE: then("0", "3")}, {"KafkaPartitionsOffline": 1}),
    Case(
        "replicas are missing",
        {MISSING: then("0", "3")},
        {"KafkaPartitionsUnderReplicated": 5},
    ),
    Case(
        "too few replicas for producers",
        {MISSING: then("0", "3"), UNDER_MIN: then("0", "3")},
        {"KafkaPartitionsUnderReplicated": 5, "KafkaPartitionsUnderMinIsr": 1},
    ),
    Case(
        "leaders did not come back",
        {IMBALANCE: then("1", "30")},
        {"KafkaLeadersNotPreferred": 15},
    ),
    Case(
        "leaders moved while a broker is away",
        {IMBALANCE: then("1", "30"), FENCED: then("0", "1")},
        {"KafkaBrokersFenced": 2},
    ),
    Case("no partition at all", {IMBALANCE: f"0{CALM}", PARTITIONS: f"0{CALM}"}),
    Case("the exporter ended", {UP: then("1", "0")}, {"MetaquorumExporterDown": 2}),
    Case("Prometheus knows no exporter", {UP: None}, {"MetaquorumExporterDown": -8}, 5),
    *(
        Case(
            f"{source} fails: {reason}",
            {failing(source, reason): "_x20 1x200"},
            {alert: after},
        )
        for source, reason, alert, after in (
            ("quorum", "no-answer", "MetaquorumExporterBlind", 2),
            ("log", "unreadable", "MetaquorumExporterBlind", 2),
            ("log", "log-lost", "MetaquorumExporterBlind", 2),
            ("quorum", "certificate", "MetaquorumExporterRefused", 1),
            ("log", "login", "MetaquorumExporterRefused", 1),
            ("log", "refused", "MetaquorumExporterRefused", 1),
        )
    ),
    Case(
        "a source stands still",
        {age("log"): "500x19 500+30000x200"},
        {"MetaquorumExporterBlind": 17},
    ),
    Case(
        "the same of another job",
        {OFFLINE.replace("kafka-quorum", "kafka-jmx"): then("0", "3")},
    ),
)


def cases_file(rules: str) -> dict[str, Any]:
    """What ``promtool test rules`` reads."""
    return {
        "rule_files": [rules],
        "evaluation_interval": f"{INTERVAL_S}s",
        "tests": [_test(case) for case in CASES],
    }


def _test(case: Case) -> dict[str, Any]:
    shown = {
        name: values
        for name, values in {**CALM_SERIES, **case.changes}.items()
        if values is not None
    }
    looks = [_look(case.ends_at_min, set(case.fires))]
    for alert, after_min in case.fires.items():
        begins_min = 10 + after_min
        looks.append(_one(alert, begins_min, fires=True))
        if begins_min > 0:
            looks.append(_one(alert, begins_min - 0.5, fires=False))
    return {
        "name": case.name,
        "interval": f"{INTERVAL_S}s",
        "input_series": [{"series": name, "values": values} for name, values in shown.items()],
        "promql_expr_test": looks,
    }


def _look(at_min: float, names: set[str]) -> dict[str, Any]:
    """All that fires at this time, with severities."""
    severities = {one.name: one.severity for one in ALERTS}
    return {
        "expr": 'min by (alertname, severity) (ALERTS{alertstate="firing"})',
        "eval_time": f"{int(at_min * 60)}s",
        "exp_samples": [
            {"labels": f'{{alertname="{name}",severity="{severities[name]}"}}', "value": 1}
            for name in sorted(names)
        ],
    }


def _one(alert: str, at_min: float, *, fires: bool) -> dict[str, Any]:
    return {
        "expr": f'count(ALERTS{{alertname="{alert}",alertstate="firing"}})',
        "eval_time": f"{int(at_min * 60)}s",
        "exp_samples": [{"labels": "{}", "value": 1}] if fires else [],
    }
