"""The site map: rows that are true, and which of them a listener offers."""

from __future__ import annotations

import pytest

from metaquorum.server.contract.api import API_ROWS, served_listener, sites_of
from metaquorum.testing.fake_services import plain_config
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.index import APIS

CONTROLLER = "CONTROLLER://127.0.0.1:0"
BOTH_KINDS = CONTROLLER + ",PLAINTEXT://127.0.0.1:0"


@pytest.mark.parametrize("api_row", API_ROWS, ids=lambda api_row: api_row.name)
def test_an_api_row_has_its_schemas_name_and_versions_in_its_range(api_row):
    api = APIS[api_row.key]
    assert api_row.name == api.name
    assert api.lowest <= api_row.lowest <= api_row.highest <= api.highest


@pytest.mark.parametrize("api_row", API_ROWS, ids=lambda api_row: api_row.name)
def test_a_row_names_a_handler_that_says_how_it_behaves(api_row):
    handler = api_row.handler()
    assert "Behaviour\n" in handler.__doc__
    assert "Version notes\n" in handler.__doc__
    assert callable(handler.handle)
    assert callable(handler.refusal)


@pytest.mark.parametrize("api_row", API_ROWS, ids=lambda api_row: api_row.name)
def test_a_stopping_node_redirects_clients_with_a_retriable_code(api_row):
    assert api_row.stopping is None or api_row.stopping in error_codes.RETRIABLE


def test_rows_are_in_the_order_of_their_keys():
    keys = [api_row.key for api_row in API_ROWS]
    assert keys == sorted(set(keys))


def test_the_only_kind_of_listener_stands_for_both():
    config = plain_config(CONTROLLER)
    served = served_listener(config.listeners[0], config, frozenset({52}))
    assert (served.is_broker, served.is_controller) == (True, True)
    assert 52 in served.api_rows


def test_two_kinds_of_listeners_stand_for_their_own():
    config = plain_config(BOTH_KINDS)
    controller, plain = (served_listener(one, config, frozenset({52})) for one in config.listeners)
    assert (controller.is_broker, controller.is_controller) == (False, True)
    assert (plain.is_broker, plain.is_controller) == (True, False)
    assert 52 in controller.api_rows
    assert 52 not in plain.api_rows
    of_controllers_and_brokers = {19, 20, 37, 52, 56, 58, 62, 63, 67, 70, 73}
    assert set(plain.api_rows) == set(controller.api_rows) - of_controllers_and_brokers


def test_controller_listeners_can_be_closed_to_clients():
    closed = {"metaquorum_controller_listeners_serve_clients": "false"}
    config = plain_config(CONTROLLER, **closed)
    alone = served_listener(config.listeners[0], config, frozenset({52}))
    assert (alone.is_broker, alone.is_controller) == (False, True)
    of_readers = {0, 2, 3, *range(8, 17), 21, 23, 42, 47, 48, 68, 69, 74, 75}
    assert not of_readers & set(alone.api_rows)
    assert {19, 52, 56, 60} < set(alone.api_rows)
    assert [alone.api_rows[key].lowest for key in (1, 29, 30, 31, 32)] == [4, 1, 1, 1, 1]

    config = plain_config(BOTH_KINDS, **closed)
    beside, plain = (served_listener(one, config, frozenset({52})) for one in config.listeners)
    assert set(beside.api_rows) == set(alone.api_rows)
    assert of_readers < set(plain.api_rows)
    assert plain.api_rows[1].lowest == 0


def test_a_bound_below_kafka_4_4_leaves_out_what_came_with_it():
    config = plain_config(CONTROLLER, metaquorum_metadata_version_max="32")
    rows = served_listener(config.listeners[0], config, frozenset({52})).api_rows
    config = plain_config(CONTROLLER)
    of_4_4 = served_listener(config.listeners[0], config, frozenset({52})).api_rows
    assert set(of_4_4) - set(rows) == {94}
    differing = {key: row.highest for key, row in rows.items() if row != of_4_4[key]}
    assert differing == {18: 4}


def test_what_the_quorum_does_not_serve_is_not_offered():
    assert not {52, 53, 54, 59} & set(sites_of(is_controller=True, quorum_api_keys=frozenset()))
