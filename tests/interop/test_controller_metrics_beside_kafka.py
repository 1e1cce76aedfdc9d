"""Metrics of our controller are what Kafka's says over JMX after the same commands."""

from __future__ import annotations

from pathlib import Path

from tests.interop.exporting import OF_CONTROLLER
from tools.differential.controllers import two_controllers
from tools.kafka.beans import BeanReader, Beans, jmx_flags
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_exporter import Figures, scraped
from tools.process import until

STEPS = 200
DOMAIN = "kafka.controller:type="
OF_ONE_NODE = (
    *OF_CONTROLLER,
    "ActiveControllerCount",
    "MetadataErrorCount",
    "IgnoredStaticVoters",
    "EventQueueOperationsTimedOutCount",
    "TimedOutBrokerHeartbeatCount",
    "NewActiveControllersCount",
)
ELECTIONS = ("UncleanLeaderElections", "ElectionFromEligibleLeaderReplicas")
PER_BROKER = ("BrokerRegistrationState",)
HISTOGRAMS = ("EventQueueTimeMs", "EventQueueProcessingTimeMs")


def of_kafka(beans: Beans) -> Figures:
    """The beans' numbers under our names."""
    prefix = "kafka_controller_kafkacontroller_"
    found: Figures = {
        prefix + name.lower(): beans[f"{DOMAIN}KafkaController,name={name}"]["Value"]
        for name in OF_ONE_NODE
    }
    for name in PER_BROKER:
        start = f"{DOMAIN}KafkaController,name={name},broker="
        for bean, row in beans.items():
            if bean.startswith(start):
                broker = bean.removeprefix(start)
                found[f'{prefix}{name.lower()}{{broker="{broker}"}}'] = row["Value"]
    for name in ELECTIONS:
        count = beans[f"{DOMAIN}ControllerStats,name={name}PerSec"]["Count"]
        found[f"kafka_controller_controllerstats_{name.lower()}_total"] = count
    return found


def differences(theirs: Figures, ours: Figures, *, began_anew: bool) -> list[str]:
    """What is not equal; elections count from the start of Kafka's process."""
    return [
        f"{name}: {value} with Kafka, {ours.get(name)} here"
        for name, value in theirs.items()
        if ours.get(name) != value and not (began_anew and "elections" in name)
    ]


def test_after_random_commands_both_tell_the_same_figures(tmp_path: Path) -> None:
    jmx_port, metrics_port = free_ports(2)
    page = {"metrics.listener": f"{LOOPBACK}:{metrics_port}"}
    with (
        BeanReader() as beans,
        two_controllers(tmp_path, 7, flags=jmx_flags(jmx_port), more=page) as play,
    ):
        for _ in range(STEPS):
            play.step()
        while not play.draw().topics():  # the last one may just have been deleted
            play.step()
        url = f"http://{LOOPBACK}:{metrics_port}/metrics"

        def differ() -> list[str]:
            theirs = of_kafka(beans.read(jmx_port, f"{DOMAIN}*,*"))
            return differences(theirs, scraped(url), began_anew=bool(play.failed))

        until(lambda: not differ(), lambda: "\n".join(differ()))  # Kafka's follow the log
        ours, theirs = scraped(url), beans.read(jmx_port, f"{DOMAIN}*,*")
        assert ours["kafka_controller_kafkacontroller_globaltopiccount"] > 0
        started = "kafka_controller_kafkacontroller_eventqueueoperationsstartedcount"
        assert ours[started] > STEPS / 4
        silent = "kafka_controller_kafkacontroller_timesincelastheartbeatreceivedms"
        heard = {one.rpartition("=")[2] for one in theirs if "TimeSinceLastHeartbeat" in one}
        told = {one.split('"')[1] for one in ours if one.startswith(silent)}
        assert told <= heard  # Kafka goes on to tell it of some that are fenced
        assert len(told) == ours["kafka_controller_kafkacontroller_activebrokercount"]
        for name in HISTOGRAMS:
            family = f"kafka_controller_controllereventmanager_{name.lower()}"
            assert ours[f"{family}_count"] > 0
        assert 0 < ours["kafka_controller_controllereventmanager_avgidleratio"] < 1
