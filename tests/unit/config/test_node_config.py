"""A node's configuration as a whole: what is accepted, what is refused, and in which words."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.config.listeners import HostPort, Listener, StaticVoter
from metaquorum.config.node_config import NodeConfig

CONTROLLER = {
    "process.roles": "controller",
    "node.id": "1",
    "listeners": "CONTROLLER://h:9093",
    "controller.listener.names": "CONTROLLER",
    "controller.quorum.bootstrap.servers": "h:9093",
    "log.dirs": "/data/a,/data/b",
}


def config(**changes: str | None) -> NodeConfig:
    """The controller's configuration with some keys changed (``__`` for a dot) or left out."""
    return built(**changes)[0]


def built(**changes: str | None) -> tuple[NodeConfig, list[str]]:
    properties = dict(CONTROLLER)
    for name, value in changes.items():
        key = name.replace("__", ".")
        if value is None:
            del properties[key]
        else:
            properties[key] = value
    return NodeConfig.of(properties, "server.properties", host_name=lambda: "this.machine")


def refusal(**changes: str | None) -> str:
    with pytest.raises(OperatorError) as caught:
        built(**changes)
    return str(caught.value)


def test_a_plain_kafka_controller_configuration_works_as_it_is() -> None:
    node, warnings = built()
    node.check_servable()
    assert warnings == []
    assert node.node_id == 1
    assert node.is_controller
    assert node.controller_listeners == (Listener("CONTROLLER", "h", 9093),)
    assert node.bootstrap_servers == (HostPort("h", 9093),)
    assert node.log_dirs == ("/data/a", "/data/b")
    assert node.metadata_log_dir == "/data/a"
    assert node.quorum_fetch_timeout_ms == 2000
    assert node.metadata_log_segment_bytes == 1 << 30
    assert node.metrics_listener is None


def test_a_file_and_its_overrides_are_read_together(tmp_path: Path) -> None:
    path = tmp_path / "server.properties"
    path.write_text("".join(f"{key}={value}\n" for key, value in CONTROLLER.items()))
    node, warnings = NodeConfig.load(path, {"node.id": "2", "nod.id": "3"})
    assert node.node_id == 2
    assert warnings == ["nod.id is not a known key and has no effect; did you mean node.id?"]


def test_an_example_from_the_kafka_distribution_gives_no_warning() -> None:
    example = {
        "num.network.threads": "3",
        "num.io.threads": "8",
        "socket.send.buffer.bytes": "102400",
        "num.partitions": "1",
        "num.recovery.threads.per.data.dir": "2",
        "offsets.topic.replication.factor": "1",
        "share.coordinator.state.topic.min.isr": "1",
        "transaction.state.log.min.isr": "1",
        "log.retention.hours": "168",
        "log.segment.bytes": "1073741824",
        "log.retention.check.interval.ms": "300000",
    }
    _, warnings = NodeConfig.of({**CONTROLLER, **example}, "f", host_name=lambda: "m")
    assert warnings == []


def test_listeners_beyond_the_controllers_serve_clients() -> None:
    node = config(listeners="PLAINTEXT://h:9092,CONTROLLER://h:9093")
    node.check_servable()
    assert [listener.name for listener in node.listeners] == ["PLAINTEXT", "CONTROLLER"]
    assert [listener.name for listener in node.controller_listeners] == ["CONTROLLER"]


def test_the_first_controller_listener_is_the_first_of_the_names() -> None:
    node = config(
        listeners="A://h:1,B://h:2",
        controller__listener__names="B,A",
        listener__security__protocol__map="A:PLAINTEXT,B:PLAINTEXT",
    )
    assert [listener.name for listener in node.controller_listeners] == ["B", "A"]


@pytest.mark.parametrize("host", ["", "0.0.0.0", "[::]"])
def test_a_wildcard_host_is_advertised_under_the_name_of_the_machine(host: str) -> None:
    node = config(listeners=f"CONTROLLER://{host}:9093")
    assert node.listeners[0].is_wildcard
    assert node.advertised_controller_listeners == (Listener("CONTROLLER", "this.machine", 9093),)


VOTERS = "1@me.example:7777,2@other.example:9093"


@pytest.mark.parametrize("host", ["", "0.0.0.0", "[::]", "::", "[0:0::0]"])
def test_a_static_voters_wildcard_listener_is_advertised_as_its_entry(host: str) -> None:
    node = config(listeners=f"CONTROLLER://{host}:9093", controller__quorum__voters=VOTERS)
    assert node.listeners[0].is_wildcard
    assert node.advertised_listeners == (Listener("CONTROLLER", "me.example", 7777),)


@pytest.mark.parametrize(
    ("listeners", "advertised", "told"),
    [
        ("CONTROLLER://h:9093", None, "CONTROLLER://h:9093"),
        ("CONTROLLER://:9093", "CONTROLLER://front:1", "CONTROLLER://front:1"),
        ("CONTROLLER://:9093", "CONTROLLER://:1", "CONTROLLER://this.machine:1"),
        ("CONTROLLER://:0", None, "CONTROLLER://me.example:7777"),
        ("CONTROLLER://:9093,C://:9092", "C://front:2", "CONTROLLER://me.example:7777 C://front:2"),
        (
            "C://:9092,CONTROLLER://:9093",
            None,
            "C://this.machine:9092 CONTROLLER://me.example:7777",
        ),
    ],
)
def test_only_an_unadvertised_wildcard_takes_the_voters_entry(
    listeners: str, advertised: str | None, told: str
) -> None:
    changes = {} if advertised is None else {"advertised__listeners": advertised}
    node = config(
        listeners=listeners,
        controller__quorum__voters=VOTERS,
        listener__security__protocol__map="CONTROLLER:PLAINTEXT,C:PLAINTEXT",
        **changes,
    )
    assert " ".join(map(str, node.advertised_listeners)) == told


def test_of_two_controller_listeners_the_first_takes_the_voters_entry() -> None:
    node = config(
        listeners="A://:1,B://:2",
        controller__listener__names="B,A",
        controller__quorum__voters=VOTERS,
        listener__security__protocol__map="A:PLAINTEXT,B:PLAINTEXT",
    )
    assert node.advertised_controller_listeners == (
        Listener("B", "me.example", 7777),
        Listener("A", "this.machine", 1),
    )


@pytest.mark.parametrize("host", ["0.0.0.0", "[::]", "::", "[0::0]"])
def test_no_wildcard_can_be_advertised(host: str) -> None:
    assert "no peer can dial" in refusal(advertised__listeners=f"CONTROLLER://{host}:9093")
    assert "no peer can reach" in refusal(controller__quorum__voters=f"1@{host}:9093")


def test_addresses_of_server_keys_may_name_a_protocol() -> None:
    node = config(
        controller__quorum__bootstrap__servers="CONTROLLER://h:1,SASL_SSL://[::1]:2,::1:3,h:1",
        controller__quorum__voters="1@CONTROLLER://h:9093,2@::1:9093,2@::1:9093",
        metrics__listener="HTTP://::1:9404",
    )
    assert node.bootstrap_servers == (HostPort("h", 1), HostPort("::1", 2), HostPort("::1", 3))
    assert node.static_voters == (StaticVoter(1, "h", 9093), StaticVoter(2, "::1", 9093))
    assert node.metrics_listener == HostPort("::1", 9404)


def test_old_tls_protocols_give_a_warning_for_the_key_that_names_them() -> None:
    own = "listener.name.controller.ssl.enabled.protocols"
    _, warnings = built(
        ssl__enabled__protocols="TLSv1.3, TLSv1.1,SSLv3",
        **{own.replace(".", "__"): "TLSv1.2,TLSv1"},
    )
    assert warnings == [
        "ssl.enabled.protocols: TLSv1.1, SSLv3 is not spoken here; TLSv1.2, TLSv1.3 are",
        f"{own}: TLSv1 is not spoken here; TLSv1.2, TLSv1.3 are",
    ]


def test_advertised_listeners_take_the_place_of_their_namesakes() -> None:
    node = config(
        listeners="PLAINTEXT://h:9092,CONTROLLER://:9093",
        advertised__listeners="CONTROLLER://front:19093",
    )
    assert node.advertised_listeners == (
        Listener("PLAINTEXT", "h", 9092),
        Listener("CONTROLLER", "front", 19093),
    )


def test_static_voters_can_stand_in_for_bootstrap_servers() -> None:
    node = config(
        controller__quorum__bootstrap__servers=None,
        controller__quorum__voters="1@h:9093,2@g:9093",
    )
    assert node.static_voters == (StaticVoter(1, "h", 9093), StaticVoter(2, "g", 9093))


def test_broker_id_is_a_synonym_of_node_id() -> None:
    assert config(node__id=None, broker__id="4").node_id == 4
    assert "broker.id is 4 and node.id is 1" in refusal(broker__id="4")


def test_log_dir_is_used_where_log_dirs_is_absent() -> None:
    node = config(log__dirs=None, log__dir="/only")
    assert node.log_dirs == ("/only",)
    assert config(log__dir="/unused").log_dirs == ("/data/a", "/data/b")


def test_the_metadata_log_may_have_a_directory_of_its_own() -> None:
    assert config(metadata__log__dir="/meta").metadata_log_dir == "/meta"


def test_the_internal_segment_size_goes_below_the_public_bound() -> None:
    assert config(internal__metadata__log__segment__bytes="65536").metadata_log_segment_bytes == (
        65536
    )


def test_the_metrics_listener_is_a_host_and_a_port() -> None:
    assert config(metrics__listener=":9404").metrics_listener == HostPort("", 9404)
    assert "metrics.listener: 'x' is not HOST:PORT" in refusal(metrics__listener="x")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"node__id": None}, "node.id is missing"),
        ({"process__roles": None}, "process.roles is missing"),
        ({"process__roles": ""}, "process.roles is empty"),
        ({"process__roles": "boss"}, "process.roles: 'boss' is not known"),
        ({"controller__listener__names": None}, "controller.listener.names is missing"),
        ({"listeners": None}, "CONTROLLER is not there"),
        ({"listeners": "PLAINTEXT://h:9092"}, "CONTROLLER is not there"),
        ({"listeners": ""}, "listeners is empty"),
        ({"controller__listener__names": "CONTROLLER,OTHER"}, "OTHER is not there"),
        ({"advertised__listeners": ""}, "advertised.listeners is empty"),
        ({"log__dirs": ""}, "log.dirs: an empty path"),
        ({"listeners": "CONTROLLER://h:1,PLAINTEXT://h:1"}, "share a port"),
        ({"controller__quorum__bootstrap__servers": None}, "neither"),
        ({"controller__quorum__bootstrap__servers": "h"}, "'h' is not HOST:PORT"),
        ({"controller__quorum__voters": "2@h:1"}, "node.id 1 is a controller but not a voter"),
        ({"controller__quorum__voters": "1@h:1,1@g:1"}, "a node id stands there twice"),
        ({"metrics__listener": "h:9093"}, "metrics.listener: h:9093 is the place"),
        ({"metrics__listener": ":9093"}, "metrics.listener: :9093 is the place of CONTROLLER://"),
        ({"log__dirs": "/a,,/b"}, "an empty path"),
        ({"advertised__listeners": "CONTROLLER://0.0.0.0:1"}, "no peer can dial"),
        (
            {"config__providers": "vault", "config__providers__vault__class": "com.acme.Vault"},
            "config.providers.vault.class: 'com.acme.Vault' is not known here",
        ),
    ],
)
def test_a_contradiction_is_refused_with_its_reason(
    changes: dict[str, str | None], told: str
) -> None:
    text = refusal(**changes)
    assert told in text
    assert text.startswith("server.properties")


def test_a_role_that_is_named_twice_counts_once() -> None:
    assert config(process__roles="controller,controller").process_roles == ("controller",)


def test_a_directory_that_is_named_twice_counts_once_and_is_told() -> None:
    made, warnings = built(log__dirs="/a,/b,/a")
    assert made.log_dirs == ("/a", "/b")
    assert warnings == ["log.dirs: /a stands there twice and counts once"]


def test_a_bad_protocol_map_is_reported_once_for_all_listeners() -> None:
    assert "\n" not in refusal(listener__security__protocol__map="CONTROLLER:TLS")


def test_an_advertised_listener_that_is_not_bound_is_warned_about() -> None:
    told = "advertised.listeners: PLAINTEXT is not among listeners and has no effect"
    assert built(advertised__listeners="PLAINTEXT://h:1")[1] == [told]


def test_the_ratio_of_changed_records_has_no_default() -> None:
    assert built()[0].metadata_min_changed_ratio is None
    node, warnings = built(metadata__snapshot__min__changed_records__ratio="0.5")
    assert (node.metadata_min_changed_ratio, warnings) == (0.5, [])
    assert "changed_records.ratio" in refusal(metadata__snapshot__min__changed_records__ratio="2")


def test_an_unknown_authorizer_is_read_but_cannot_be_served() -> None:
    node, warnings = built(authorizer__class__name="a.B", super__users="User:a")
    assert warnings == []
    with pytest.raises(OperatorError, match=r"a\.B is not known here"):
        node.check_servable()


@pytest.mark.parametrize(
    "key",
    [
        "create.topic.policy.class.name",
        "alter.config.policy.class.name",
        "client.quota.callback.class",
        "principal.builder.class",
        "listener.name.controller.principal.builder.class",
        "listener.name.controller.plain.sasl.server.callback.handler.class",
        "ssl.engine.factory.class",
    ],
)
def test_java_classes_that_decide_about_access_cannot_be_served(key: str) -> None:
    node, warnings = built(**{key.replace(".", "__"): "org.example.Ours"})
    assert warnings == []
    with pytest.raises(OperatorError, match=rf"{key}: org\.example\.Ours is a Java class"):
        node.check_servable()


def test_kafkas_own_principal_builder_and_empty_names_can_be_served() -> None:
    builder = "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder"
    built(principal__builder__class=builder)[0].check_servable()
    built(create__topic__policy__class__name=" ")[0].check_servable()


def test_all_problems_are_told_at_once() -> None:
    text = refusal(node__id="x", log__dirs="/a,", socket__request__max__bytes="0")
    assert text.splitlines() == [
        "server.properties has 3 problems:",
        "  node.id: 'x' is not a number; it must be a whole number from 0 to 2147483647",
        "  socket.request.max.bytes: 0 is out of bounds; "
        "it must be a whole number from 1 to 2147483647",
        "  log.dirs: an empty path; name a directory",
    ]


def test_the_broker_role_is_read_but_not_served() -> None:
    node = config(process__roles="broker,controller")
    with pytest.raises(OperatorError, match="asks for a broker, and this server has none"):
        node.check_servable()


def test_protocols_that_lack_their_keys_are_read_but_not_served() -> None:
    node = config(listener__security__protocol__map="CONTROLLER:SSL")
    with pytest.raises(OperatorError, match="CONTROLLER speaks SSL and needs a key"):
        node.check_servable()


def test_controllers_default_to_plaintext_unless_a_listener_uses_tls() -> None:
    assert config().listeners[0].protocol == "PLAINTEXT"
    assert "listener CONTROLLER has no security protocol" in refusal(
        listeners="SSL://h:9092,CONTROLLER://h:9093"
    )


def test_the_text_in_force_is_the_given_one_else_the_default() -> None:
    node = config(num__partitions=" 3 ")
    assert node.text_of("num.partitions") == "3"
    assert node.text_of("min.insync.replicas") == "1"
    assert node.text_of("node.id") == "1"
    assert node.text_of("broker.rack") is None


def test_every_key_that_a_node_reads_has_its_row_in_the_reference() -> None:
    from metaquorum.config.node_fields import _PLAIN_FIELDS

    page = Path(__file__).parents[3].joinpath("docs/reference/configuration.md").read_text()
    others = (
        *("node.id", "process.roles", "listeners", "advertised.listeners", "metrics.listener"),
        *("controller.listener.names", "listener.security.protocol.map", "log.dir", "log.dirs"),
        *("metadata.log.dir", "controller.quorum.bootstrap.servers", "controller.quorum.voters"),
        *("metadata.log.segment.bytes", "internal.metadata.log.segment.bytes"),
    )
    missing = [key for key in (*_PLAIN_FIELDS.values(), *others) if f"`{key}`" not in page]
    assert missing == []
