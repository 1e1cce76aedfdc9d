"""ApiVersions: the table, the features, and what a client that errs is told."""

from __future__ import annotations

import pytest

from metaquorum.server.contract.api import API_ROWS
from metaquorum.testing.fake_services import (
    CLUSTER_ID,
    FakeFeatures,
    FakeServices,
    services_with_eight_records,
)
from metaquorum.testing.pipeline_client import PipelineClient, decoded_answer
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest


def ask(version: int, services: FakeServices | None = None, **fields):
    named = {"client_software_name": "test", "client_software_version": "1"} if version > 2 else {}
    request = ApiVersionsRequest(**{**named, **fields})
    return PipelineClient(services or services_with_eight_records()).ask(request, version)


@pytest.mark.parametrize("version", range(6))
def test_every_version_lists_the_whole_site_map(version):
    rows = {(row.api_key, row.min_version, row.max_version) for row in ask(version).api_keys}
    assert rows == {(api_row.key, api_row.lowest, api_row.highest) for api_row in API_ROWS}


@pytest.mark.parametrize("version", [6, 77, 32_767, -1])
def test_an_unknown_version_is_answered_in_version_0_with_the_range(version):
    frame = (
        b"\x00\x12" + version.to_bytes(2, "big", signed=True) + b"\x00\x00\x00\x09" + b"\xff\xff"
    )
    raw = (
        PipelineClient(services_with_eight_records())
        .send_raw(frame + b"whatever a later version holds")
        .raw
    )
    assert raw.hex(" ", 4) == bytes.fromhex(
        "00000010 00000009 0023 00000001 0012 0000 0005".replace(" ", "")
    ).hex(" ", 4)


def test_the_response_header_has_no_tags_in_any_version():
    client = PipelineClient(services_with_eight_records())
    request = ApiVersionsRequest("test", "1")
    raw = client.send(request, 3).raw
    assert raw[4:8] == b"\x00\x00\x00\x07"
    assert raw[8:10] == b"\x00\x00"  # the error code follows the correlation id at once
    assert decoded_answer(raw, 18, 3)[1].error_code == 0


@pytest.mark.parametrize("name", ["", "-x", "x-", "a b", "a_b", "é", "x\n", "."])
def test_a_software_name_that_is_none_is_invalid(name):
    assert ask(3, client_software_name=name).error_code == 42
    assert ask(4, client_software_version=name).error_code == 42


@pytest.mark.parametrize("name", ["a", "7", "apache-kafka-java", "2.16.1-rdkafka-2.16.0"])
def test_names_as_clients_have_them_are_fine(name):
    assert ask(3, client_software_name=name, client_software_version=name).error_code == 0


def test_version_3_leaves_out_features_whose_lowest_level_is_zero():
    assert [f.name for f in ask(3).supported_features] == ["metadata.version"]


def test_version_4_lists_all_supported_features():
    listed = [(f.name, f.min_version, f.max_version) for f in ask(4).supported_features]
    assert listed == [("kraft.version", 0, 1), ("metadata.version", 7, 30)]


@pytest.mark.parametrize("version", [3, 4, 5])
def test_finalized_features_omit_level_zero_and_keep_kraft_version(version):
    response = ask(version)
    listed = [
        (f.name, f.min_version_level, f.max_version_level) for f in response.finalized_features
    ]
    assert listed == [("kraft.version", 1, 1), ("metadata.version", 30, 30)]
    assert response.finalized_features_epoch == 11


def test_nothing_is_finalized_while_there_is_no_epoch_of_features():
    services = services_with_eight_records(features=FakeFeatures(finalized_epoch=-1))
    response = ask(4, services)
    assert list(response.finalized_features) == []
    assert response.finalized_features_epoch == -1


@pytest.mark.parametrize("fields", [{}, {"cluster_id": CLUSTER_ID, "node_id": 1}])
def test_a_client_that_means_us_is_answered(fields):
    assert ask(5, **fields).error_code == 0


@pytest.mark.parametrize(
    "fields",
    [
        {"cluster_id": "another", "node_id": 1},
        {"cluster_id": "", "node_id": 1},
        {"cluster_id": CLUSTER_ID, "node_id": 2},
    ],
)
def test_a_client_for_another_cluster_or_node_must_rebootstrap(fields):
    response = ask(5, **fields)
    assert response.error_code == 129
    assert list(response.api_keys) == []


@pytest.mark.parametrize("fields", [{"cluster_id": CLUSTER_ID}, {"node_id": 1}])
def test_a_cluster_id_or_node_id_without_the_other_is_invalid(fields):
    assert ask(5, **fields).error_code == 42


def test_quorum_apis_are_listed_only_if_the_quorum_serves_them():
    services = services_with_eight_records(quorum_api_keys=frozenset({52}))
    keys = {row.api_key for row in ask(4, services).api_keys}
    assert 52 in keys
    assert not keys & {53, 54, 59}
