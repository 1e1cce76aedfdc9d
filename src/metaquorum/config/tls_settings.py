"""What is said about TLS in a configuration, of one listener or of a client: Kafka's ``ssl.`` keys.

For a listener each key counts as ``listener.name.<name>.<key>`` where that is given. Only texts are
read here; what the stores hold is read in ``metaquorum.tls``. Secrets are never part of a message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from attrs import field, frozen

from metaquorum.config.key import BLANKS, BadValue
from metaquorum.config.principal_rules import PrincipalRules

PEM, PKCS12, JKS = STORE_TYPES = ("PEM", "PKCS12", "JKS")
NONE, REQUESTED, REQUIRED = CLIENT_AUTH = ("none", "requested", "required")
PROTOCOLS: Final = ("TLSv1.2", "TLSv1.3")
OLD_PROTOCOLS: Final = ("SSLv2Hello", "SSLv3", "TLSv1", "TLSv1.1")
"""Names that Java knows, of protocols that are not spoken here any more."""

_PROTOCOLS_KEY: Final = "ssl.enabled.protocols"

TextOf = Callable[[str], str | None]
"""The text of a key, None where it is not given."""


@frozen
class Store:
    """Where keys or certificates are: in a file, or for PEM in the configuration itself."""

    name: str
    """The key that names the file, or holds the text: for messages."""
    type: str
    location: str | None = None
    password: str | None = field(default=None, repr=False)
    text: str | None = field(default=None, repr=False)


@frozen
class TlsSettings:
    """Of one side of connections. ``client_auth`` and ``rules`` are a server's, ``checks_names`` a
    client's: whether a server's certificate has to name the host that was dialled."""

    keystore: Store | None = None
    truststore: Store | None = None
    key_password: str | None = field(default=None, repr=False)
    client_auth: str = NONE
    protocols: tuple[str, ...] = PROTOCOLS
    cipher_suites: tuple[str, ...] = ()
    rules: PrincipalRules = field(factory=PrincipalRules)
    checks_names: bool = True

    @classmethod
    def read(cls, given_text_of: TextOf) -> TlsSettings:
        """From the texts of the keys; BadValue says what cannot be right."""

        def text_of(name: str) -> str | None:
            return (given_text_of(name) or "").strip(BLANKS) or None  # no text: it is not given

        return cls(
            keystore=_keystore(text_of),
            truststore=_truststore(text_of),
            key_password=text_of("ssl.key.password"),
            client_auth=_one_of(text_of, "ssl.client.auth", NONE, CLIENT_AUTH),
            protocols=_protocols(text_of),
            cipher_suites=_list(text_of("ssl.cipher.suites")),
            rules=PrincipalRules.read(text_of("ssl.principal.mapping.rules") or "DEFAULT"),
            checks_names=_checks_names(given_text_of),
        )

    @classmethod
    def of_listener(cls, given: Mapping[str, str], listener: str, protocol: str) -> TlsSettings:
        """What a listener serves with.

        Next to SASL nobody needs a certificate unless the listener's own key says so (KIP-684).
        """
        prefix = f"listener.name.{listener.lower()}."

        def text_of(name: str) -> str | None:
            own = given.get(prefix + name)
            if own is None and name == "ssl.client.auth" and protocol == "SASL_SSL":
                return NONE
            return given.get(name) if own is None else own

        read = cls.read(text_of)
        if read.keystore is None:
            raise BadValue(
                f"ssl.keystore.location: listener {listener} speaks {protocol} and needs a key and "
                "a certificate: a keystore, or ssl.keystore.key and ssl.keystore.certificate.chain"
            )
        return read

    @property
    def files(self) -> tuple[str, ...]:
        """The files that it was read from, or will be."""
        stores = (self.keystore, self.truststore)
        return tuple(one.location for one in stores if one is not None and one.location is not None)


def _keystore(text_of: TextOf) -> Store | None:
    name, location = "ssl.keystore.location", text_of("ssl.keystore.location")
    kind = _one_of(text_of, "ssl.keystore.type", JKS, STORE_TYPES)
    chain, key = text_of("ssl.keystore.certificate.chain"), text_of("ssl.keystore.key")
    if chain is None and key is None:
        return _stored(text_of, "keystore", name, kind, location)
    if chain is None or key is None:
        raise BadValue("ssl.keystore.key and ssl.keystore.certificate.chain go together")
    _check_inline("ssl.keystore.key", kind, name, location)
    return Store("ssl.keystore.key", PEM, text=f"{key}\n{chain}")


def _truststore(text_of: TextOf) -> Store | None:
    name, location = "ssl.truststore.location", text_of("ssl.truststore.location")
    kind = _one_of(text_of, "ssl.truststore.type", JKS, STORE_TYPES)
    certificates = text_of("ssl.truststore.certificates")
    if certificates is None:
        return _stored(text_of, "truststore", name, kind, location)
    _check_inline("ssl.truststore.certificates", kind, name, location)
    return Store("ssl.truststore.certificates", PEM, text=certificates)


def _stored(text_of: TextOf, what: str, name: str, kind: str, location: str | None) -> Store | None:
    if location is None:
        return None
    password = text_of(f"ssl.{what}.password")
    if kind == PEM and password is not None:
        raise BadValue(f"ssl.{what}.password: a PEM file has none; ssl.key.password opens its key")
    return Store(name, kind, location, password)


def _check_inline(name: str, kind: str, other: str, location: str | None) -> None:
    if kind != PEM:
        raise BadValue(
            f"{name}: only PEM stands in the configuration itself, and the type is {kind}"
        )
    if location is not None:
        raise BadValue(f"{name} and {other} are both there; leave one of them out")


def _one_of(text_of: TextOf, name: str, default: str, allowed: tuple[str, ...]) -> str:
    text = (text_of(name) or default).strip()
    for one in allowed:
        if text.lower() == one.lower():
            return one
    raise BadValue(f"{name}: {text!r} is not known here, {', '.join(allowed)} are")


def old_protocol_warnings(given: Mapping[str, str]) -> list[str]:
    """One sentence for each key that enables protocols which are not spoken any more."""
    found = {
        key: [one for one in _list(text) if one in OLD_PROTOCOLS]
        for key, text in given.items()
        if key == _PROTOCOLS_KEY
        or (key.startswith("listener.name.") and key.endswith(f".{_PROTOCOLS_KEY}"))
    }
    return [
        f"{key}: {', '.join(old)} is not spoken here; {', '.join(PROTOCOLS)} are"
        for key, old in found.items()
        if old
    ]


def _protocols(text_of: TextOf) -> tuple[str, ...]:
    """Those that are spoken; old ones beside them do nothing."""
    text = text_of(_PROTOCOLS_KEY)
    if text is None:
        return PROTOCOLS
    named = _list(text)
    unknown = [one for one in named if one not in (*PROTOCOLS, *OLD_PROTOCOLS)]
    spoken = tuple(one for one in named if one in PROTOCOLS)
    if unknown or not spoken:
        refused = unknown or named
        raise BadValue(
            f"{_PROTOCOLS_KEY}: {', '.join(refused) or 'nothing'} is not spoken here, "
            f"{', '.join(PROTOCOLS)} are"
        )
    return spoken


def _checks_names(text_of: TextOf) -> bool:
    """The empty text turns it off, so an empty text counts here."""
    text = text_of("ssl.endpoint.identification.algorithm")
    if text is None or text.strip().lower() == "https":
        return True
    if text.strip():
        raise BadValue(
            f"ssl.endpoint.identification.algorithm: {text!r} is not known here; it must be https, "
            "or empty to trust a certificate whatever host it names"
        )
    return False


def _list(text: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.strip() for one in (text or "").split(",") if one.strip()))
