"""Clients that come by TLS: Kafka's own and others, by certificate and by SASL_SSL."""

from __future__ import annotations

import asyncio
import json
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from attrs import frozen
from cryptography.x509.oid import NameOID

from metaquorum.testing.certificates import Authority, Identity, written
from tests.interop.errands_programs import ROOT, in_node, program
from tools.kafka import JavaHelper
from tools.kafka.helper import HelperFailed
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_node import OwnNode

TOPIC = "__cluster_metadata"
SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule"
SECRET = "admin-s3cret"
STORE_SECRET = "store-s3cret"
# Everything that Java writes in its own way: spaces at the ends, signs, unknown and repeated names.
DUKE = [
    (NameOID.COUNTRY_NAME, "US"),
    (NameOID.STATE_OR_PROVINCE_NAME, "CA"),
    (NameOID.LOCALITY_NAME, "Menlo Park"),
    (NameOID.DOMAIN_COMPONENT, "org"),
    (NameOID.ORGANIZATION_NAME, 'Org, "Inc." <x>; a=b\\c'),
    (NameOID.ORGANIZATIONAL_UNIT_NAME, "one+two"),
    (NameOID.ORGANIZATIONAL_UNIT_NAME, "#three"),
    (NameOID.EMAIL_ADDRESS, "duke@example.org"),
    (NameOID.USER_ID, "duke"),
    (NameOID.SERIAL_NUMBER, "17"),
    (NameOID.COMMON_NAME, " Dük é ჯ "),
]


@frozen
class Guarded:
    """A node of ours, where its two listeners are, and who may come."""

    node: OwnNode
    directory: Path
    authority: Authority
    duke: Identity
    reader: Identity
    ssl_place: str
    sasl_place: str

    def by_certificate(self, own: Identity | None = None) -> dict[str, str]:
        """Kafka's client keys, with PKCS12 stores as Java makes them."""
        key = self.directory / "duke.p12"
        key.write_bytes((own or self.duke).pkcs12(STORE_SECRET, self.authority.own))
        return {
            "security.protocol": "SSL",
            **self._trust(),
            "ssl.keystore.location": str(key),
            "ssl.keystore.password": STORE_SECRET,
            "ssl.key.password": STORE_SECRET,
        }

    def by_password(self) -> dict[str, str]:
        return {
            "security.protocol": "SASL_SSL",
            **self._trust(),
            "sasl.mechanism": "SCRAM-SHA-512",
            "sasl.jaas.config": f'{SCRAM} required username="admin" password="{SECRET}";',
        }

    def _trust(self) -> dict[str, str]:
        trusted = self.directory / "trusted.p12"
        trusted.write_bytes(self.authority.trust_pkcs12(STORE_SECRET))
        return {
            "ssl.truststore.location": str(trusted),
            "ssl.truststore.password": STORE_SECRET,
        }

    def command_config(self, keys: dict[str, str]) -> Path:
        """The same as a file for ``--command-config``."""
        path = self.directory / f"{keys['security.protocol']}.properties"
        return written(path, "".join(f"{key}={text}\n" for key, text in keys.items()))


@pytest.fixture(scope="module")
def guarded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Guarded]:
    """A node with a listener for certificates and one for passwords, and rights."""
    directory = tmp_path_factory.mktemp("tls")
    authority = Authority()
    by_ssl, by_sasl = (f"{LOOPBACK}:{port}" for port in free_ports(2))
    node = OwnNode(directory)
    files = {
        "ssl.keystore.location": written(directory / "n.pem", authority.identity("n").pem()),
        "ssl.truststore.location": written(directory / "t.pem", authority.pem),
    }
    node.properties = {
        "listeners": f"SSL://{by_ssl},SASL_SSL://{by_sasl},CONTROLLER://"
        f"{node.bootstrap_controller}",
        "listener.security.protocol.map": "SSL:SSL,SASL_SSL:SASL_SSL,CONTROLLER:PLAINTEXT",
        "ssl.keystore.type": "PEM",
        "ssl.truststore.type": "PEM",
        "ssl.client.auth": "required",
        "sasl.enabled.mechanisms": "SCRAM-SHA-512",
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": "User:ANONYMOUS;User:admin",
        **{key: str(path) for key, path in files.items()},
    }
    node.format("--add-scram", f"SCRAM-SHA-512=[name=admin,password={SECRET}]")
    node.start()
    try:
        node.wait_ready()
        duke = authority.identity(DUKE)
        reader = authority.identity("reader")
        yield Guarded(node, directory, authority, duke, reader, by_ssl, by_sasl)
    finally:
        node.kill()


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
    name = java_name(program("java", "default-jdk"), _pem_file(guarded, guarded.duke))
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


def _pem_file(guarded: Guarded, own: Identity) -> Path:
    return written(guarded.directory / "certificate.pem", own.certificate_pem)


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


def test_foreign_expired_and_missing_certificates_are_refused_with_a_line(
    guarded: Guarded, java: JavaHelper
) -> None:
    expired = guarded.authority.identity(DUKE, from_days=-9, to_days=-2)
    for own, why in (
        (Authority("foreign").identity(DUKE), "local issuer certificate"),
        (expired, "certificate has expired"),
    ):
        with pytest.raises(HelperFailed, match=r"SSLHandshakeException|SslAuthenticationException"):
            java.consume(guarded.ssl_place, count=1, config=guarded.by_certificate(own))
        assert why in guarded.node.log_file.read_text()
    log = guarded.node.log_file.read_text()
    assert not any(secret in log for secret in (SECRET, STORE_SECRET, "PRIVATE KEY"))


def confluent(guarded: Guarded, by_sasl: bool) -> int:
    import confluent_kafka as kafka

    config = {
        "bootstrap.servers": guarded.sasl_place if by_sasl else guarded.ssl_place,
        "group.id": "g",
        "ssl.ca.pem": guarded.authority.pem,
    }
    if by_sasl:
        config |= {
            "security.protocol": "SASL_SSL",
            "sasl.mechanism": "SCRAM-SHA-512",
            "sasl.username": "admin",
            "sasl.password": SECRET,
        }
    else:
        config |= {
            "security.protocol": "SSL",
            "ssl.certificate.pem": guarded.reader.certificate_pem,
            "ssl.key.pem": guarded.reader.key_pem(),
        }
    consumer = kafka.Consumer(config)
    consumer.assign([kafka.TopicPartition(TOPIC, 0, 0)])
    message = consumer.poll(20)
    consumer.close()
    assert message is not None
    assert message.error() is None
    return int(message.offset())


def _python_context(guarded: Guarded, by_sasl: bool) -> ssl.SSLContext:
    context = ssl.create_default_context(cadata=guarded.authority.pem)
    if not by_sasl:
        context.load_cert_chain(written(guarded.directory / "own.pem", guarded.reader.pem()))
    return context


def _python_keys(guarded: Guarded, by_sasl: bool) -> dict[str, object]:
    keys: dict[str, object] = {
        "bootstrap_servers": guarded.sasl_place if by_sasl else guarded.ssl_place,
        "ssl_context": _python_context(guarded, by_sasl),
        "security_protocol": "SASL_SSL" if by_sasl else "SSL",
        "auto_offset_reset": "earliest",
    }
    if by_sasl:
        keys |= {
            "sasl_mechanism": "SCRAM-SHA-512",
            "sasl_plain_username": "admin",
            "sasl_plain_password": SECRET,
        }
    return keys


def kafka_python(guarded: Guarded, by_sasl: bool) -> int:
    import kafka

    consumer = kafka.KafkaConsumer(**_python_keys(guarded, by_sasl), consumer_timeout_ms=20_000)
    consumer.assign([kafka.TopicPartition(TOPIC, 0)])
    offset = int(next(iter(consumer)).offset)
    consumer.close()
    return offset


def aiokafka(guarded: Guarded, by_sasl: bool) -> int:
    from aiokafka import AIOKafkaConsumer, TopicPartition

    async def first() -> int:
        consumer = AIOKafkaConsumer(**_python_keys(guarded, by_sasl))
        await consumer.start()
        try:
            consumer.assign([TopicPartition(TOPIC, 0)])
            return int((await asyncio.wait_for(consumer.getone(), 20)).offset)
        finally:
            await consumer.stop()

    return asyncio.run(first())


def kcat(guarded: Guarded, by_sasl: bool) -> int:
    directory = guarded.directory
    keys = {"ssl.ca.location": str(written(directory / "ca.pem", guarded.authority.pem))}
    if by_sasl:
        keys |= {
            "security.protocol": "SASL_SSL",
            "sasl.mechanism": "SCRAM-SHA-512",
            "sasl.username": "admin",
            "sasl.password": SECRET,
        }
    else:
        keys |= {
            "security.protocol": "SSL",
            "ssl.certificate.location": str(_pem_file(guarded, guarded.reader)),
            "ssl.key.location": str(written(directory / "own.key", guarded.reader.key_pem())),
        }
    place = guarded.sasl_place if by_sasl else guarded.ssl_place
    asked = [program("kcat", "kcat"), "-b", place, "-C", "-t", TOPIC, "-p", "0", "-o", "beginning"]
    asked += ["-c", "1", "-J", "-q"]
    for key, text in keys.items():
        asked += ["-X", f"{key}={text}"]
    done = subprocess.run(asked, check=True, capture_output=True, timeout=30)
    return int(json.loads(done.stdout)["offset"])


def kafkajs(guarded: Guarded, by_sasl: bool) -> int:
    """It reads by groups only, so it asks where the log begins."""
    keys: dict[str, object] = {"ssl": {"ca": [guarded.authority.pem]}}
    if by_sasl:
        keys["sasl"] = {"mechanism": "scram-sha-512", "username": "admin", "password": SECRET}
    else:
        own = guarded.reader
        keys["ssl"] = {
            "ca": [guarded.authority.pem],
            "key": own.key_pem(),
            "cert": own.certificate_pem,
        }
    place = guarded.sasl_place if by_sasl else guarded.ssl_place
    done = in_node(ROOT / "tools/js/kafkajs_offsets.js", place, TOPIC, json.dumps(keys))
    assert done.exit_code == 0, done.stderr
    return int(json.loads(done.stdout)[0]["low"])


@pytest.fixture(scope="module")
def reader(guarded: Guarded, java: JavaHelper) -> None:
    """Whose certificate names a reader may read."""
    config = guarded.command_config(guarded.by_password())
    added = java.tool(
        *("acls", "--bootstrap-server", guarded.sasl_place, "--command-config", config, "--add"),
        *("--allow-principal", "User:CN=reader", "--operation", "Read"),
        *("--topic", TOPIC, "--group", "g"),
    )
    assert added.exit_code == 0, added.stdout + added.stderr


@pytest.mark.parametrize("by_sasl", [False, True], ids=["SSL", "SASL_SSL"])
@pytest.mark.parametrize("client", [confluent, kafka_python, aiokafka, kcat, kafkajs])
@pytest.mark.usefixtures("reader")
def test_other_clients_read_the_log(
    guarded: Guarded, client: Callable[[Guarded, bool], int], by_sasl: bool
) -> None:
    assert client(guarded, by_sasl) >= 0
