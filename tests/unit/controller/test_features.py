"""Feature levels: what may be set, what is refused with its reason, and what is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import MAX_RECORDS_PER_BATCH
from metaquorum.controller.commands import UpdateFeatures
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.records import register_broker_record, register_controller_record
from metaquorum.wire.generated.records.config_record import ConfigRecord
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord
from metaquorum.wire.generated.update_features_request import (
    FeatureUpdateKey,
    UpdateFeaturesRequest,
)

UP, SAFE, UNSAFE = 1, 2, 3
SUPPORTED = {
    "metadata.version": (7, 33),
    "kraft.version": (0, 1),
    "eligible.leader.replicas.version": (0, 1),
    "group.version": (0, 1),
}
ELR = "eligible.leader.replicas.version"


def level(name: str, to: int) -> MetadataRecord:
    return MetadataRecord(12, 0, FeatureLevelRecord(name, to))


def controller(node_id: int, **ranges: tuple[int, int]) -> MetadataRecord:
    """A registered controller that supports everything but for what is named."""
    supported = {**SUPPORTED, **{k.replace("_", "."): v for k, v in ranges.items()}}
    features = [register_controller_record.ControllerFeature(n, *r) for n, r in supported.items()]
    ends = [register_controller_record.ControllerEndpoint("CONTROLLER", "a", 1, 0)]
    record = register_controller_record.RegisterControllerRecord(
        node_id, bytes(range(16)), False, ends, features
    )
    return MetadataRecord(27, 0, record)


def broker(node_id: int, *features: tuple[str, int, int]) -> MetadataRecord:
    record = register_broker_record.RegisterBrokerRecord(
        broker_id=node_id,
        incarnation_id=bytes(range(16)),
        features=[register_broker_record.BrokerFeature(*one) for one in features],
    )
    return MetadataRecord(0, 0, record)


def leading(make_host: Callable[..., Any], *records: MetadataRecord) -> Any:
    """A leader whose cluster begins with these records; of 30 and two controllers by default."""
    host = make_host(records or (level("metadata.version", 30), controller(1), controller(2)))
    host.lead()
    host.commit()
    return host


FAILED = "The update failed for all features since the following feature had an error: "
NO_DOWNGRADE = (
    "Can't downgrade the version of this feature without setting the upgrade type to either safe "
    "or unsafe downgrade."
)


def update(
    *updates: tuple[str, int, int], version: int = 2, validate_only: bool = False, **more: Any
) -> UpdateFeatures:
    keys = [
        FeatureUpdateKey(name, to, allow_downgrade=kind != UP, upgrade_type=kind)
        if version == 0
        else FeatureUpdateKey(name, to, upgrade_type=kind)
        for name, to, kind in updates
    ]
    request = UpdateFeaturesRequest(1_000, keys, validate_only)
    known = {"voter_ids": (2,), "node_id": 1, "kraft_version": 1, **more}
    return UpdateFeatures(request, version, SUPPORTED, **known)


def asked(host: Any, command: UpdateFeatures) -> Any:
    number = host.ask(command)
    host.commit()
    return host.replies[number]


def refusal(host: Any, command: UpdateFeatures) -> str:
    before = host.end
    reply = asked(host, command)
    assert isinstance(reply, RequestError), reply
    assert reply.code == error_codes.INVALID_UPDATE_VERSION
    assert reply.reason is not None and reply.reason.startswith(FAILED)
    assert host.end == before, "all or nothing"
    return reply.reason.removeprefix(FAILED)


def levels(host: Any) -> dict[str, int]:
    return dict(host.core.committed().features)


def test_levels_are_raised_together(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    reply = asked(host, update(("metadata.version", 31, UP), ("group.version", 1, UP)))
    assert (reply.error_code, reply.error_message, list(reply.results)) == (0, None, [])
    assert levels(host) == {"metadata.version": 31, "group.version": 1}
    assert host.core.committed().features.epoch == host.end - 1


@pytest.mark.parametrize("version", [0, 1])
def test_older_versions_get_a_row_for_each_feature(
    make_host: Callable[..., Any], version: int
) -> None:
    host = leading(make_host)
    reply = asked(host, update(("group.version", 1, UP), version=version))
    assert [(one.feature, one.error_code, one.error_message) for one in reply.results] == [
        ("group.version", 0, "NONE")
    ]


def test_only_validating_writes_nothing(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    before = host.end
    reply = asked(host, update(("group.version", 1, UP), validate_only=True))
    assert reply.error_code == 0 and host.end == before
    assert refusal(host, update(("group.version", 5, UP), validate_only=True))


def test_a_level_already_set_is_accepted_with_any_type_and_rewritten(
    make_host: Callable[..., Any],
) -> None:
    host = leading(make_host)
    for kind in (UP, SAFE, UNSAFE):
        before = host.end
        assert asked(host, update(("metadata.version", 30, kind))).error_code == 0
        assert host.end == before + 1


def test_nothing_asked_for_is_nothing_done(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    before = host.end
    assert asked(host, update()).error_code == 0
    assert host.end == before


def test_level_0_takes_a_feature_away(make_host: Callable[..., Any]) -> None:
    host = leading(make_host, level("metadata.version", 30), level("group.version", 1))
    reply = asked(host, update(("group.version", 0, SAFE), voter_ids=()))
    assert reply.error_code == 0
    assert levels(host) == {"metadata.version": 30}


@pytest.mark.parametrize(
    ("wanted", "reason"),
    [
        (("group.version", 1, 0), "The controller does not support the given upgrade type."),
        (("group.version", 1, 4), "The controller does not support the given upgrade type."),
        (("group.version", -1, UP), "A feature version cannot be less than 0."),
        (("group.version", 2, UP), "Local controller 1 only supports versions 0-1"),
        (("metadata.version", 34, UP), "Local controller 1 only supports versions 7-33"),
        (("metadata.version", 6, UNSAFE), "Local controller 1 only supports versions 7-33"),
        (("metadata.version", 0, UNSAFE), "Local controller 1 only supports versions 7-33"),
        (("no.such.version", 0, SAFE), "Local controller 1 does not support this feature."),
        (("metadata.version", 29, UP), NO_DOWNGRADE),
        (("metadata.version", 31, SAFE), "Can't downgrade to a newer version."),
        (("kraft.version", 0, UP), NO_DOWNGRADE),
        (("kraft.version", 0, SAFE), "Can't downgrade the version of this feature."),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(
    make_host: Callable[..., Any], wanted: tuple[str, int, int], reason: str
) -> None:
    told = refusal(leading(make_host), update(wanted))
    assert told == f"Invalid update version {wanted[1]} for feature {wanted[0]}. {reason}"


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (
            SAFE,
            "Refusing to perform the requested downgrade because it might delete metadata "
            "information.",
        ),
        (UNSAFE, "Unsafe metadata downgrade is not supported in this version."),
    ],
)
def test_metadata_does_not_go_back_where_it_changed(
    make_host: Callable[..., Any], kind: int, reason: str
) -> None:
    told = refusal(leading(make_host), update(("metadata.version", 29, kind)))
    assert told == f"Unsupported metadata.version downgrade from 30 to 29. {reason}"


def test_kraft_version_is_only_raised_by_an_upgrade(make_host: Callable[..., Any]) -> None:
    told = refusal(leading(make_host), update(("kraft.version", 1, SAFE), kraft_version=0))
    assert told.endswith("Can't downgrade to a newer version.")


def test_version_0_allows_no_downgrade_as_with_kafka(make_host: Callable[..., Any]) -> None:
    host = leading(make_host, level("metadata.version", 32), controller(1), controller(2))
    assert NO_DOWNGRADE in refusal(host, update(("metadata.version", 31, UP), version=0))
    assert NO_DOWNGRADE in refusal(host, update(("metadata.version", 31, SAFE), version=0))


def test_metadata_goes_back_where_nothing_changed(make_host: Callable[..., Any]) -> None:
    host = leading(make_host, level("metadata.version", 29), controller(1), controller(2))
    assert asked(host, update(("metadata.version", 24, SAFE))).error_code == 0
    assert levels(host) == {"metadata.version": 24}


def test_every_node_must_support_the_level(make_host: Callable[..., Any]) -> None:
    start = level("metadata.version", 30)
    host = leading(make_host, start, controller(1), controller(2, metadata_version=(7, 30)))
    assert refusal(host, update(("metadata.version", 31, UP))).endswith(
        "Controller 2 only supports versions 7-30"
    )
    host = leading(make_host, start, controller(1), controller(2), broker(101))
    assert refusal(host, update(("group.version", 1, UP))).endswith(
        "Broker 101 does not support this feature."
    )
    host = leading(
        make_host, start, controller(1), controller(2), broker(5, ("group.version", 0, 1))
    )
    assert asked(host, update(("group.version", 1, UP))).error_code == 0


def test_every_voter_must_have_registered(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    told = refusal(host, update(("group.version", 1, UP), voter_ids=(2, 3)))
    assert "controller 3 has not registered" in told
    alone = leading(make_host, level("metadata.version", 30))
    assert asked(alone, update(("group.version", 1, UP), voter_ids=())).error_code == 0
    host = leading(make_host, level("metadata.version", 14))
    assert asked(host, update(("metadata.version", 15, UP), voter_ids=(1, 2, 3))).error_code == 0


def test_a_level_needs_the_levels_that_it_rests_on(make_host: Callable[..., Any]) -> None:
    host = leading(make_host, level("metadata.version", 22), controller(1), controller(2))
    assert refusal(host, update((ELR, 1, UP))).endswith(
        f"{ELR} could not be set to 1 because it depends on metadata.version=23 (4.0-IV1)"
    )
    assert asked(host, update((ELR, 1, UP), ("metadata.version", 23, UP))).error_code == 0


def test_with_elr_min_insync_replicas_is_set_unless_already_set(
    make_host: Callable[..., Any],
) -> None:
    host = leading(make_host)
    asked(host, update((ELR, 1, UP), min_insync_replicas=2))
    assert host.core.committed().configs.get((4, "")) == {"min.insync.replicas": "2"}
    own = MetadataRecord(4, 0, ConfigRecord(4, "", "min.insync.replicas", "3"))
    start = level("metadata.version", 30)
    host = leading(make_host, start, controller(1), controller(2), own)
    asked(host, update((ELR, 1, UP), min_insync_replicas=2))
    assert host.core.committed().configs.get((4, "")) == {"min.insync.replicas": "3"}


def test_kraft_version_writes_no_record_but_needs_a_metadata_version(
    make_host: Callable[..., Any],
) -> None:
    host = leading(make_host)
    before = host.end
    assert asked(host, update(("kraft.version", 1, UP))).error_code == 0
    assert host.end == before
    old = leading(make_host, level("metadata.version", 20), controller(1), controller(2))
    told = refusal(old, update(("kraft.version", 1, UP)))
    assert told.endswith("because it depends on metadata.version=21 (3.9-IV0)")
    both = update(("kraft.version", 1, UP), ("metadata.version", 21, UP), kraft_version=0)
    assert asked(old, both).error_code == 0
    assert levels(old) == {"metadata.version": 21}


def min_insync_replicas(resource: str, value: str = "2") -> MetadataRecord:
    return MetadataRecord(4, 0, ConfigRecord(4, resource, "min.insync.replicas", value))


def last_batch(host: Any) -> list[tuple[str, str, str | int | None]]:
    """What the last request wrote: kind, name, and value or level."""
    found: list[tuple[str, str, str | int | None]] = []
    for one in host.log[-1][2]:
        message = one.message
        if isinstance(message, ConfigRecord):
            found.append(("config", message.resource_name, message.value))
        else:
            found.append(("feature", message.name, message.feature_level))
    return found


def test_with_elr_no_broker_keeps_a_min_insync_replicas_of_its_own(
    make_host: Callable[..., Any],
) -> None:
    other = MetadataRecord(4, 0, ConfigRecord(4, "102", "num.io.threads", "9"))
    start = level("metadata.version", 30), controller(1), controller(2)
    host = leading(make_host, *start, min_insync_replicas("101"), min_insync_replicas("99"), other)
    asked(host, update((ELR, 1, UP), min_insync_replicas=3))
    assert last_batch(host) == [
        *(("config", "", "3"), ("config", "101", None), ("config", "99", None)),
        ("feature", ELR, 1),
    ]
    asked(host, update((ELR, 1, UP)))
    assert last_batch(host) == [("feature", ELR, 1)]


def test_turning_elr_off_leaves_the_settings(make_host: Callable[..., Any]) -> None:
    start = level("metadata.version", 30), controller(1), controller(2), level(ELR, 1)
    host = leading(make_host, *start, min_insync_replicas(""))
    asked(host, update((ELR, 0, SAFE)))
    assert last_batch(host) == [("feature", ELR, 0)]
    assert levels(host) == {"metadata.version": 30}


def test_too_many_settings_of_brokers_refuse_elr(make_host: Callable[..., Any]) -> None:
    start = level("metadata.version", 30), controller(1), controller(2)
    many = [min_insync_replicas(str(number)) for number in range(MAX_RECORDS_PER_BATCH)]
    host = make_host(start)
    host.lead()
    for at in range(0, len(many), 5_000):
        host.append(many[at : at + 5_000], host.epoch, atomic=True, timestamp_ms=0)
    host.follow(keep=9)
    host.lead()
    before = host.end
    answer = asked(host, update((ELR, 1, UP)))
    assert answer.code == error_codes.POLICY_VIOLATION
    assert host.end == before


@pytest.mark.parametrize(
    "updates",
    [
        (("metadata.version", 23, UP), (ELR, 1, UP)),
        ((ELR, 1, UP), ("metadata.version", 23, UP)),
    ],
)
def test_what_a_level_rests_on_may_come_in_the_same_request(
    make_host: Callable[..., Any], updates: tuple[tuple[str, int, int], ...]
) -> None:
    host = leading(make_host, level("metadata.version", 22), controller(1), controller(2))
    assert asked(host, update(*updates)).error_code == 0
    assert levels(host) == {"metadata.version": 23, ELR: 1}


@pytest.mark.parametrize("version", [1, 2])
def test_of_a_feature_that_is_named_twice_the_last_row_counts(
    make_host: Callable[..., Any], version: int
) -> None:
    host = leading(make_host)
    rows = ("group.version", 5, UP), ("group.version", 1, UP)
    reply = asked(host, update(*rows, version=version))
    assert last_batch(host) == [("feature", "group.version", 1)]
    assert len(reply.results) == (1 if version == 1 else 0)
    assert refusal(host, update(*reversed(rows)))
