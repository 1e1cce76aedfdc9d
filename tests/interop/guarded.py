"""A node of ours behind certificates and passwords, and each client's words for coming in."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen
from cryptography.x509.oid import NameOID

from metaquorum.testing.certificates import Authority, Identity, written
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_node import OwnNode

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
    """Where its two listeners are, and who may come.

    ``by_sasl``: by password to the one, or by certificate to the other.
    """

    node: OwnNode
    directory: Path
    authority: Authority
    duke: Identity
    reader: Identity
    ssl_place: str
    sasl_place: str

    def place(self, by_sasl: bool) -> str:
        return self.sasl_place if by_sasl else self.ssl_place

    def by_certificate(self, own: Identity | None = None) -> dict[str, str]:
        """Kafka's client keys, with PKCS12 stores as Java makes them."""
        key = self.directory / "own.p12"
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

    def java_keys(self, by_sasl: bool) -> dict[str, str]:
        """Of the reader, in Kafka's own words."""
        return self.by_password() if by_sasl else self.by_certificate(self.reader)

    def librdkafka_keys(self, by_sasl: bool) -> dict[str, str]:
        keys = {"ssl.ca.location": str(written(self.directory / "ca.pem", self.authority.pem))}
        if by_sasl:
            return keys | {
                "security.protocol": "SASL_SSL",
                "sasl.mechanism": "SCRAM-SHA-512",
                "sasl.username": "admin",
                "sasl.password": SECRET,
            }
        own = self.reader
        return keys | {
            "security.protocol": "SSL",
            "ssl.certificate.location": str(self.certificate_file(own)),
            "ssl.key.location": str(written(self.directory / "own.key", own.key_pem())),
        }

    def python_keys(self, by_sasl: bool) -> dict[str, object]:
        """For kafka-python and aiokafka."""
        context = ssl.create_default_context(cadata=self.authority.pem)
        keys: dict[str, object] = {
            "bootstrap_servers": self.place(by_sasl),
            "ssl_context": context,
            "security_protocol": "SASL_SSL" if by_sasl else "SSL",
            "auto_offset_reset": "earliest",
        }
        if by_sasl:
            return keys | {
                "sasl_mechanism": "SCRAM-SHA-512",
                "sasl_plain_username": "admin",
                "sasl_plain_password": SECRET,
            }
        context.load_cert_chain(written(self.directory / "own.pem", self.reader.pem()))
        return keys

    def kafkajs_keys(self, by_sasl: bool) -> dict[str, object]:
        trusted: dict[str, object] = {"ca": [self.authority.pem]}
        if by_sasl:
            sasl = {"mechanism": "scram-sha-512", "username": "admin", "password": SECRET}
            return {"ssl": trusted, "sasl": sasl}
        own = self.reader
        return {"ssl": {**trusted, "key": own.key_pem(), "cert": own.certificate_pem}}

    def certificate_file(self, own: Identity) -> Path:
        return written(self.directory / "certificate.pem", own.certificate_pem)

    def command_config(self, keys: dict[str, str]) -> Path:
        """The same as a file for ``--command-config``."""
        path = self.directory / f"{keys['security.protocol']}.properties"
        return written(path, "".join(f"{key}={text}\n" for key, text in keys.items()))

    def _trust(self) -> dict[str, str]:
        trusted = self.directory / "trusted.p12"
        trusted.write_bytes(self.authority.trust_pkcs12(STORE_SECRET))
        return {
            "ssl.truststore.location": str(trusted),
            "ssl.truststore.password": STORE_SECRET,
        }


@contextmanager
def guarded_node(directory: Path) -> Iterator[Guarded]:
    """A node with a listener for certificates and one for passwords, and rights."""
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
        "group.initial.rebalance.delay.ms": "0",
        **{key: str(path) for key, path in files.items()},
    }
    node.format("--add-scram", f"SCRAM-SHA-512=[name=admin,password={SECRET}]")
    with node:
        duke = authority.identity(DUKE)
        reader = authority.identity("reader")
        yield Guarded(node, directory, authority, duke, reader, by_ssl, by_sasl)
