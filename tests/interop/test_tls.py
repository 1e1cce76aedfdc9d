"""Clients that come by TLS: Kafka's own and others, by certificate and by SASL_SSL."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from metaquorum.testing.certificates import Authority
from tests.interop.client_task_programs import java_client, program
from tests.interop.client_tasks import ClientTask
from tests.interop.guarded import DUKE, SECRET, STORE_SECRET, Guarded, guarded_node
from tests.interop.secured_clients import CLASSIC, CLIENTS, TOPIC, Visit, confluent
from tools.kafka import JavaHelper
from tools.kafka.helper import HelperFailed
from tools.process import until


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    with guarded_node(tmp_path_factory.mktemp("tls")) as found:
        yield found


def java_name(java: str, certificate: Path) -> str:
    """The subject as the JDK writes it."""
    source = certificate.with_suffix(".java")
    source.write_text(
        "import java.security.cert.*; import java.nio.file.*;\n"
        "public class Name { public static void main(String[] a) throws Exception {\n"
        'var c = (X509Certificate) CertificateFactory.getInstance("X.509")\n'
        "  .generateCertificate(Files.newInputStream(Path.of(a[0])));\n"
        'System.out.write(c.getSubjectX500Principal().getName().getBytes("UTF-8"));\n'
        "System.out.flush(); } }\n"
    )
    asked = [java, "-Xmx256m", str(source), str(certificate)]
    return subprocess.run(asked, check=True, capture_output=True, timeout=60).stdout.decode()


def test_a_certificate_names_its_client_as_kafkas_rules_do(
    guarded: Guarded, java: JavaHelper
) -> None:
    name = java_name(program("java", "default-jdk"), guarded.certificate_file(guarded.duke))
    place = ("--bootstrap-server", guarded.sasl_place)
    admin = ("--command-config", guarded.command_config(guarded.by_password()))
    with pytest.raises(HelperFailed, match="TopicAuthorizationException"):
        java.consume(guarded.ssl_place, count=1, config=guarded.by_certificate())
    rule = ("--operation", "Read", "--topic", TOPIC)
    user = f"User:{name}"
    added = java.tool("acls", *place, *admin, "--add", "--allow-principal", user, *rule)
    assert added.exit_code == 0, added.stdout + added.stderr
    assert f"principal={user}" in added.stdout
    assert len(java.consume(guarded.ssl_place, count=2, config=guarded.by_certificate())) == 2


def test_kafkas_tools_come_by_sasl_over_tls(guarded: Guarded, java: JavaHelper) -> None:
    place = ("--bootstrap-server", guarded.sasl_place)
    config = guarded.command_config(guarded.by_password())
    told = java.tool(
        *("configs", *place, "--command-config", config, "--describe"),
        *("--entity-type", "users", "--entity-name", "admin"),
    )
    assert "SCRAM-SHA-512=iterations=" in told.stdout, told.stdout + told.stderr
    read = java.tool(
        *("console-consumer", *place, "--consumer.config", config, "--topic", TOPIC),
        *("--partition", "0", "--offset", "earliest", "--max-messages", "2"),
    )
    assert "Processed a total of 2 messages" in read.stdout + read.stderr


def test_untrusted_expired_or_no_certificates_are_refused_and_logged(
    guarded: Guarded, java: JavaHelper
) -> None:
    expired = guarded.authority.identity(DUKE, from_days=-9, to_days=-2)
    for own, why in (
        (Authority("foreign").identity(DUKE), "local issuer certificate"),
        (expired, "certificate has expired"),
    ):
        with pytest.raises(HelperFailed, match=r"SSLHandshakeException|SslAuthenticationException"):
            java.consume(guarded.ssl_place, count=1, config=guarded.by_certificate(own))
        until(lambda why=why: why in guarded.node.log_file.read_text())  # a thread writes the log
    log = guarded.node.log_file.read_text()
    assert not any(secret in log for secret in (SECRET, STORE_SECRET, "PRIVATE KEY"))


@pytest.fixture(scope="module")
def reader(guarded: Guarded, java: JavaHelper) -> None:
    """Whose certificate names a reader may read, in any group."""
    config = guarded.command_config(guarded.by_password())
    added = java.tool(
        *("acls", "--bootstrap-server", guarded.sasl_place, "--command-config", config, "--add"),
        *("--allow-principal", "User:CN=reader", "--operation", "Read"),
        *("--topic", TOPIC, "--group", "*"),
    )
    assert added.exit_code == 0, added.stdout + added.stderr


@pytest.mark.parametrize("by_sasl", [False, True], ids=["SSL", "SASL_SSL"])
@pytest.mark.parametrize(
    ("client", "how"), [(client, how) for client, ways in CLIENTS.items() for how in ways]
)
@pytest.mark.usefixtures("reader")
def test_every_client_reads_the_log_and_resumes_where_its_group_was(
    guarded: Guarded, java: JavaHelper, client: Callable[[Visit], int], how: str, by_sasl: bool
) -> None:
    visit = Visit(guarded, by_sasl, how, f"{client.__name__}-{how}-{by_sasl}", java)
    first = client(visit)
    assert first >= 0
    if visit.in_group:
        assert client(visit) > first


@pytest.mark.parametrize("by_sasl", [False, True], ids=["SSL", "SASL_SSL"])
@pytest.mark.parametrize("release", ["2.8.2", "1.1.1"])
@pytest.mark.usefixtures("reader")
def test_java_clients_of_older_releases_do_their_tasks(
    guarded: Guarded, release: str, by_sasl: bool
) -> None:
    keys = guarded.command_config(guarded.java_keys(by_sasl))
    task = ClientTask(guarded.place(by_sasl), 3, 1, 2, 1)
    outcomes = java_client(release, task, keys)
    for name in ("beginning", "offset", "timestamp", "group"):
        assert outcomes[name].records, (name, outcomes[name].error)
    assert outcomes["topics"].names == (TOPIC,)


def test_operators_see_and_delete_groups_by_sasl_over_tls(
    guarded: Guarded, java: JavaHelper
) -> None:
    keys = guarded.command_config(guarded.by_password())
    place = ("--bootstrap-server", guarded.sasl_place, "--command-config", keys)
    confluent(Visit(guarded, True, CLASSIC, "shown", java))
    told = java.tool("consumer-groups", *place, "--describe", "--group", "shown", "--offsets")
    assert any(line.split()[:2] == ["shown", TOPIC] for line in told.stdout.splitlines())
    gone = java.tool("consumer-groups", *place, "--delete", "--group", "shown")
    assert "successful" in gone.stdout, gone.stdout + gone.stderr
