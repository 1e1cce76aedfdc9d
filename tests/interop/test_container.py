"""The entry point of the image, with the wheel alone and no right to anything but its volume."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from metaquorum.client.connection import ConnectionFailed
from tests.interop.image import USER, Container, Image
from tools.chaos.namespaces import NamespaceNetwork
from tools.kafka.ports import LOOPBACK, free_ports
from tools.process import until
from tools.quorum_state import describe_leader

ROOT = Path(__file__).resolve().parents[2]
CONTAINERFILE = ROOT / "deploy" / "image" / "Containerfile"
MANIFESTS = ROOT / "deploy" / "kubernetes" / "metaquorum.yaml"
CLUSTER_ID = "MkU3OEVBNTcwNTJENDM2Qk"


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    with Image.built() as image:
        yield image


@pytest.fixture
def alone(image: Image, request: pytest.FixtureRequest) -> Iterator[Container]:
    """The only voter, with a metrics listener."""
    controller, clients, metrics = free_ports(3)
    variables = {
        "CLUSTER_ID": CLUSTER_ID,
        "METAQUORUM_STANDALONE": "true",
        "KAFKA_NODE_ID": "1",
        "KAFKA_PROCESS_ROLES": "controller",
        "KAFKA_LISTENERS": f"CONTROLLER://{LOOPBACK}:{controller},CLIENTS://{LOOPBACK}:{clients}",
        "KAFKA_LISTENER_SECURITY_PROTOCOL_MAP": "CONTROLLER:PLAINTEXT,CLIENTS:PLAINTEXT",
        "KAFKA_CONTROLLER_LISTENER_NAMES": "CONTROLLER",
        "KAFKA_CONTROLLER_QUORUM_BOOTSTRAP_SERVERS": f"{LOOPBACK}:{controller}",
        "KAFKA_METRICS_LISTENER": f"{LOOPBACK}:{metrics}",
        "KAFKA_METAQUORUM_LOG_FORMAT": "json",
        "KAFKA_HEAP_OPTS": "-Xmx1g",
    }
    container = Container(image, request.node.name, variables)
    container.variables = {**variables, "KAFKA_LOG_DIRS": f"{container.volume}/log"}
    yield container
    container.kill()


def is_ready(port: str) -> bool:
    try:
        with urllib.request.urlopen(f"http://{port}/readyz", timeout=5) as answer:
            return answer.status == 200
    except OSError:
        return False


def test_a_container_formats_serves_and_stops(alone: Container):
    alone.start()
    place = alone.variables["KAFKA_METRICS_LISTENER"]
    until(lambda: is_ready(place), lambda: f"not ready:\n{alone.log_file.read_text()}", 30)
    pid = alone.first_process()
    status = Path(f"/proc/{pid}/status").read_text()
    assert f"Uid:\t{USER}\t{USER}" in status and "CapEff:\t0000000000000000" in status
    assert Path(f"/proc/{pid}/root/{alone.volume}/log/meta.properties").read_text()
    health = alone.run("health")
    assert (health.returncode, health.stdout) == (0, "ok\n"), health.stderr
    assert alone.stop(signal.SIGTERM) == 0
    told = [json.loads(line) for line in alone.log_file.read_text().splitlines()]
    names = [one["event"] for one in told]
    assert names[0] == "format" and names[-1] == "stopped" and "started" in names
    assert not [one for one in told if one["level"] in ("warn", "error")]
    assert alone.run("health").returncode == 1


def test_a_root_that_can_be_written_to_is_not_needed(alone: Container):
    alone.variables = {**alone.variables, "KAFKA_LOG_DIRS": f"{alone.image.directory}/elsewhere"}
    refused = alone.run("start")
    assert refused.returncode == 1
    assert "elsewhere" in refused.stderr and "Read-only file system" in refused.stderr


def test_a_variable_that_is_wrong_is_named_and_ends_it(alone: Container):
    alone.variables = {**alone.variables, "KAFKA_METADATA_LOG_SEGMENT_BYTES": "1"}
    refused = alone.run("start")
    assert refused.returncode == 1
    assert "KAFKA_METADATA_LOG_SEGMENT_BYTES (metadata.log.segment.bytes): 1" in refused.stderr


def test_the_first_process_obeys_before_it_serves(alone: Container):
    """The kernel ignores a signal without a handler for the first process of a namespace."""
    alone.start()
    os.kill(alone.first_process(), signal.SIGSTOP)
    os.kill(alone.first_process(), signal.SIGCONT)
    pid = alone.first_process()

    def handles() -> bool:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("SigCgt:"):
                return bool(int(line.split()[1], 16) & 1 << (signal.SIGTERM - 1))
        return False

    until(handles, "no handler", 30, 0.001)
    assert alone.stop(signal.SIGTERM) in (0, 143)


def test_the_containerfile_is_as_a_linter_wants_it():
    linter = Path(sys.executable).parent / "hadolint"
    done = subprocess.run(
        [linter, CONTAINERFILE], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stdout) == (0, "")


def resources() -> dict[str, dict]:
    """The manifests by kind and name."""
    found = yaml.safe_load_all(MANIFESTS.read_text())
    return {f"{one['kind']}/{one['metadata']['name']}": one for one in found}


@pytest.mark.parametrize("version", ["1.28", "1.32", "1.37"])
def test_the_manifests_fit_their_schemas(version: str):
    import kubernetes_validate

    for name, resource in resources().items():
        kubernetes_validate.validate(resource, version, strict=True)
        broken = {**resource, "kind": resource["kind"], "spek": {}}
        with pytest.raises(kubernetes_validate.ValidationError):
            kubernetes_validate.validate(broken, version, strict=True)
        assert name


def pod_variables(number: int) -> dict[str, str]:
    """The variables of one pod, as a kubelet makes them of the manifests."""
    known = resources()
    pod = known["StatefulSet/metaquorum"]["spec"]["template"]["spec"]
    (container,) = pod["containers"]
    fields = {
        "metadata.name": f"metaquorum-{number}",
        "metadata.labels['apps.kubernetes.io/pod-index']": str(number),
    }
    variables: dict[str, str] = {}
    for source in container["envFrom"]:
        variables |= known[f"ConfigMap/{source['configMapRef']['name']}"]["data"]
    for one in container["env"]:
        if "value" in one:
            text = one["value"]
            for name, value in variables.items():
                text = text.replace(f"$({name})", value)
            variables[one["name"]] = text
        else:
            variables[one["name"]] = fields[one["valueFrom"]["fieldRef"]["fieldPath"]]
    return variables


def test_three_pods_are_one_quorum(image: Image):
    with NamespaceNetwork.laid(3) as network:
        hosts = image.directory / "hosts"
        names = [f"metaquorum-{n}.metaquorum-voters.default.svc.cluster.local" for n in range(3)]
        hosts.write_text(
            "127.0.0.1 localhost\n"
            + "".join(f"{network.subnet}.{n + 1} {name}\n" for n, name in enumerate(names))
        )
        pods = [
            Container(
                image, f"pod-{n}", pod_variables(n), network.command_prefix(n + 1), str(hosts)
            )
            for n in range(3)
        ]
        for pod in pods:
            pod.variables = {**pod.variables, "KAFKA_LOG_DIRS": f"{pod.volume}/log"}
        try:
            for pod in pods:
                pod.start()
            places = [f"{network.subnet}.{n}:9404" for n in (1, 2, 3)]

            def all_ready() -> bool:
                return all(map(is_ready, places))

            until(all_ready, lambda: "\n".join(pod.log_file.read_text() for pod in pods), 60)
            leaders = {leader_seen_by(f"{network.subnet}.{n}") for n in (1, 2, 3)} - {None}
            assert len(leaders) == 1
            (leader,) = leaders
            assert leader is not None and pods[leader].stop(signal.SIGTERM) == 0
            rest = [place for n, place in enumerate(places) if n != leader]
            until(lambda: all(map(is_ready, rest)), "two of three are no quorum", 30)
        finally:
            for pod in pods:
                pod.kill()


def leader_seen_by(host: str) -> int | None:
    """The leader, as the node on that host tells; None if it sends us elsewhere."""
    try:
        return describe_leader(host, 9093)
    except ConnectionFailed:
        return None


def test_the_manifests_say_what_a_quorum_needs():
    known = resources()
    headless, budget = known["Service/metaquorum-voters"], known["PodDisruptionBudget/metaquorum"]
    voters = known["StatefulSet/metaquorum"]
    assert headless["spec"]["clusterIP"] == "None"
    assert headless["spec"]["publishNotReadyAddresses"] is True
    assert budget["spec"]["maxUnavailable"] == 1
    assert voters["spec"]["podManagementPolicy"] == "Parallel"
    assert voters["spec"]["serviceName"] == headless["metadata"]["name"]
    labels = voters["spec"]["template"]["metadata"]["labels"]
    for selector in (
        headless["spec"]["selector"],
        known["Service/metaquorum"]["spec"]["selector"],
        budget["spec"]["selector"]["matchLabels"],
        voters["spec"]["selector"]["matchLabels"],
    ):
        assert selector.items() <= labels.items()
    pod = voters["spec"]["template"]["spec"]
    assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] == USER
    (container,) = pod["containers"]
    assert container["securityContext"]["readOnlyRootFilesystem"] is True
    assert container["livenessProbe"]["httpGet"]["path"] == "/livez"
    assert container["readinessProbe"]["httpGet"]["path"] == "/readyz"
    first_voters = {pod_variables(n)["METAQUORUM_INITIAL_CONTROLLERS"] for n in range(3)}
    assert len(first_voters) == 1
    assert [pod_variables(n)["KAFKA_NODE_ID"] for n in range(3)] == ["0", "1", "2"]
