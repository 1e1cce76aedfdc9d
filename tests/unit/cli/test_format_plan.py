"""What a format decides before it writes: voters, kinds of directories, orders, refusals."""

from __future__ import annotations

import itertools

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import parse_uuid
from metaquorum.cli.format_plan import (
    FormatOrder,
    FormatPlan,
    java_host,
    java_text_order,
    parse_initial_controllers,
    plan_format,
)
from metaquorum.cli.releases import Release, parse_release
from metaquorum.config.node_config import NodeConfig

CLUSTER = "4L6g3nShT-eMCtK--X86sw"
ONE, TWO, THREE = (f"dddddddddddddddddddd{n}A" for n in (1, 2, 3))


def node(**changes: str) -> NodeConfig:
    properties = {
        "process.roles": "controller",
        "node.id": "1",
        "listeners": "CONTROLLER://h:9093",
        "controller.listener.names": "CONTROLLER",
        "controller.quorum.bootstrap.servers": "h:9093",
        "log.dirs": "/d1,/d2",
        "metadata.log.dir": "/m",
    }
    properties |= {name.replace("__", "."): value for name, value in changes.items()}
    return NodeConfig.of(properties, "f", host_name=lambda: "this.machine")[0]


def plan(config: NodeConfig | None = None, **order: object) -> FormatPlan:
    numbers = itertools.count(1)
    return plan_format(
        config or node(),
        FormatOrder(cluster_id=CLUSTER, **order),  # type: ignore[arg-type]
        ["/d1", "/d2", "/m"],
        lambda: next(numbers).to_bytes(16, "big"),
        lambda: b"salt",
    )


def user(name: str) -> str:
    """Costs no stretching of passwords, so that there may be many."""
    return f"SCRAM-SHA-256=[name={name},salt=N3E=,saltedpassword=YCE=]"


def test_below_transactions_the_first_records_are_one_batch_of_8_mib() -> None:
    static = node(controller__quorum__bootstrap__servers="", controller__quorum__voters="1@h:9093")
    names = ["u" * 30_000 + str(number) for number in range(300)]
    few, many = [user(one) for one in names[:270]], [user(one) for one in names]
    before, after = parse_release("3.6-IV0"), parse_release("3.6-IV1")
    assert len(plan(static, release=before, scram=few).credentials) == 270
    with pytest.raises(OperatorError, match="need more than one batch of 8388608 bytes"):
        plan(static, release=before, scram=many)
    assert len(plan(static, release=after, scram=many).credentials) == 300


def test_a_user_that_fits_no_batch_is_refused() -> None:
    salt = "A" * (12 * 2**20)
    with pytest.raises(OperatorError, match="fits no batch"):
        plan(standalone=True, scram=[f"SCRAM-SHA-256=[name=a,salt={salt},password=x]"])


def kinds(made: FormatPlan) -> dict[str, str]:
    return {one.path: one.kind for one in made.directories}


def test_a_standalone_controller_is_sole_voter_where_others_reach_it() -> None:
    made = plan(standalone=True)
    (voter,) = made.voters
    (endpoint,) = voter.endpoints
    assert (voter.id, endpoint.listener, endpoint.host, endpoint.port) == (
        1,
        "CONTROLLER",
        "h",
        9093,
    )
    assert made.kraft_version == 1
    assert kinds(made) == {
        "/m": "dynamic metadata voter directory",
        "/d1": "data directory",
        "/d2": "data directory",
    }


def test_the_voters_directory_is_the_metadata_directory() -> None:
    made = plan(standalone=True)
    by_path = {one.path: one.directory_id for one in made.directories}
    assert by_path["/m"] == made.voters[0].key.directory_id
    assert len(set(by_path.values())) == 3


def test_an_advertised_listener_is_the_voters_endpoint() -> None:
    made = plan(node(advertised__listeners="CONTROLLER://front:19093"), standalone=True)
    assert made.voters[0].endpoints[0].host == "front"


def test_an_initial_controller_gets_the_directory_id_of_the_list() -> None:
    made = plan(initial_controllers=f"1@a:1:{ONE},2@b:2:{TWO}")
    by_path = {one.path: one.directory_id for one in made.directories}
    assert by_path["/m"] == parse_uuid(ONE)
    assert kinds(made)["/m"] == "dynamic metadata voter directory"


def test_a_node_that_is_not_on_the_list_knows_the_voters_all_the_same() -> None:
    made = plan(initial_controllers=f"2@b:2:{TWO}")
    assert kinds(made)["/m"] == "dynamic metadata directory"
    assert [voter.id for voter in made.voters] == [2]


def test_a_joining_controller_has_kraft_version_1_and_no_voters() -> None:
    made = plan(joining=True)
    assert (made.kraft_version, made.voters) == (1, ())
    assert kinds(made)["/m"] == "metadata directory"


def test_static_voters_mean_kraft_version_0() -> None:
    config = node(controller__quorum__voters="1@h:9093")
    for made in (plan(config), plan(config, joining=True)):
        assert (made.kraft_version, made.voters) == (0, ())


def test_a_broker_gets_no_bootstrap_records() -> None:
    config = node(process__roles="broker", listeners="PLAINTEXT://h:9092")
    assert not plan(config).has_bootstrap


def test_a_broker_is_formatted_with_dynamic_quorum_flags_as_by_kafka() -> None:
    config = node(process__roles="broker", listeners="PLAINTEXT://h:9092")
    assert plan(config, features={"kraft.version": 1}).kraft_version == 1
    assert plan(config, joining=True).kraft_version == 1


def test_the_records_are_shown_as_kafka_shows_them() -> None:
    made = plan(standalone=True, release=parse_release("4.0"))
    assert made.bootstrap_line() == (
        "Bootstrap metadata: BootstrapMetadata(records=["
        "ApiMessageAndVersion(FeatureLevelRecord(name='metadata.version', featureLevel=25) "
        "at version 0), "
        "ApiMessageAndVersion(FeatureLevelRecord(name='group.version', featureLevel=1) "
        "at version 0), "
        "ApiMessageAndVersion(FeatureLevelRecord(name='transaction.version', featureLevel=2) "
        "at version 0)], metadataVersionLevel=25, source=format command)"
    )


def test_metadata_version_may_be_given_as_a_feature() -> None:
    assert plan(standalone=True, features={"metadata.version": 25}).release == Release(25)


@pytest.mark.parametrize(
    ("changes", "order", "told"),
    [
        ({}, {}, "the first voters are unknown"),
        ({}, {"standalone": True, "joining": True}, "exclude each other"),
        ({}, {"standalone": True, "initial_controllers": "x"}, "exclude each other"),
        (
            {"controller__quorum__voters": "1@h:9093"},
            {"standalone": True},
            "leave controller.quorum.voters out",
        ),
        (
            {"controller__quorum__voters": "1@h:9093"},
            {"features": {"kraft.version": 1}},
            "kraft.version 1 is for voters that can change",
        ),
        ({}, {"standalone": True, "features": {"kraft.version": 0}}, "needs kraft.version 1"),
        ({}, {"joining": True, "features": {"kraft.version": 0}}, "needs kraft.version 1"),
        (
            {},
            {"standalone": True, "release": Release(25), "features": {"metadata.version": 25}},
            "say the same thing",
        ),
        (
            {},
            {"standalone": True, "features": {"metadata.version": 99}},
            "metadata.version 99 is not known here",
        ),
        (
            {"process__roles": "broker", "listeners": "PLAINTEXT://h:9092"},
            {"standalone": True},
            "is for controllers",
        ),
    ],
)
def test_orders_that_contradict_themselves_are_refused(
    changes: dict[str, str], order: dict[str, object], told: str
) -> None:
    with pytest.raises(OperatorError, match=told):
        plan(node(**changes), **order)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1@h:1", "is not id@host:port:directory"),
        (f"x@h:1:{ONE}", "is not id@host:port:directory"),
        (f"1@:1:{ONE}", "names no host"),
        ("1@h:1:xyz", "a uuid has 16"),
        ("1@h:1:AAAAAAAAAAAAAAAAAAAAAA", "is reserved"),
        (f"1@h:1:{ONE},1@g:1:{TWO}", "node id 1 stands there twice"),
        (",", "names nobody"),
    ],
)
def test_a_bad_list_of_initial_controllers_is_refused(text: str, told: str) -> None:
    with pytest.raises(OperatorError, match=told):
        parse_initial_controllers(text, "CONTROLLER")


def test_an_address_of_version_6_stands_in_brackets() -> None:
    first, second = parse_initial_controllers(f"1@[::1]:1:{ONE},2@h:2:{TWO}", "CONTROLLER")
    assert (first.endpoints[0].host, first.endpoints[0].port) == ("0:0:0:0:0:0:0:1", 1)
    assert (second.id, second.endpoints[0].host) == (2, "h")


@pytest.mark.parametrize("place", ["::1:9", "[::1]:9", "CONTROLLER://[::1]:9", "SASL_SSL://::1:9"])
def test_first_voters_take_every_form_of_an_address(place: str) -> None:
    (voter,) = parse_initial_controllers(f"1@{place}:{ONE}", "CONTROLLER")
    assert (voter.endpoints[0].host, voter.endpoints[0].port) == ("0:0:0:0:0:0:0:1", 9)


def test_dynamic_voters_are_formatted_for_older_releases_as_by_kafka() -> None:
    release = parse_release("3.8-IV0")
    assert plan(standalone=True, release=release).release == release


def test_voters_come_in_the_order_that_kafka_writes() -> None:
    text = f"17@a:1:{ONE},1@b:1:{TWO},33@c:1:{THREE},3@d:1:{ONE},2000@e:1:{TWO}"
    ids = [voter.id for voter in parse_initial_controllers(text, "CONTROLLER")]
    assert ids == [2000, 1, 17, 33, 3]


def test_directories_come_in_the_order_that_kafka_prints() -> None:
    assert java_text_order([f"/data/kafka/{name}" for name in "zamq"]) == [
        f"/data/kafka/{name}" for name in "aqmz"
    ]


@pytest.mark.parametrize(
    ("host", "spelt"),
    [("FE80::1:2", "fe80:0:0:0:0:0:1:2"), ("::1", "0:0:0:0:0:0:0:1"), ("H", "H"), ("1.2.3.4",) * 2],
)
def test_addresses_are_spelt_as_java_spells_them(host: str, spelt: str) -> None:
    assert java_host(host) == spelt
