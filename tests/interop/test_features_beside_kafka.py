"""Levels of features go up and down on a controller of Kafka and on ours, with what follows.

Random commands as in test_random_commands_beside_kafka.py, most of them about features,
metadata.version and the settings that eligible leader replicas depend on.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.update_features_request import (
    FeatureUpdateKey,
    UpdateFeaturesRequest,
)
from tools.differential import fake_brokers, settings, topics
from tools.differential.commands import Ask
from tools.differential.controllers import two_controllers
from tools.differential.play import VERBS, Play

STEPS = int(os.environ.get("METAQUORUM_FEATURE_STEPS", "250"))
SEED = int(os.environ.get("METAQUORUM_FEATURE_SEED", "1"))
UPDATE_FEATURES, UPGRADE, SAFE, UNSAFE = 57, 1, 2, 3
MANY = 5_000
VERSION, ELR = "metadata.version", "eligible.leader.replicas.version"
OFTEN = {
    **VERBS,
    settings.update_features: 0,
    settings.update_levels: 30,
    settings.alter_min_insync_replicas: 20,
    fake_brokers.beat: 20,
    fake_brokers.register: 10,
}


def update(*rows: tuple[str, int, int], validate_only: bool = False) -> Ask:
    request: Any = UpdateFeaturesRequest(
        10_000, [FeatureUpdateKey(name, to, upgrade_type=kind) for name, to, kind in rows]
    )
    request.validate_only = validate_only
    return Ask(f"features {rows}", UPDATE_FEATURES, 2, lambda side: request)


def codes_of_updates(play: Play) -> set[int]:
    return {code for key, code in play.codes if key == UPDATE_FEATURES}


@pytest.mark.timeout(300)
@pytest.mark.parametrize("release", ["3.9", "4.3"])
def test_random_levels_do_to_ours_what_they_do_to_kafkas(tmp_path: Path, release: str) -> None:
    with two_controllers(tmp_path, SEED, release=release, verbs=OFTEN) as play:
        for _ in range(STEPS):
            play.step()
        play.finish()
    assert {error_codes.NONE, error_codes.INVALID_UPDATE_VERSION} <= codes_of_updates(play)


@pytest.mark.soak
@pytest.mark.timeout(3_600)
def test_thousands_of_levels_do_the_same_to_both(tmp_path: Path) -> None:
    with two_controllers(tmp_path, SEED, release="3.9", verbs=OFTEN) as play:
        for _ in range(MANY):
            play.step()
        play.finish()


def test_metadata_version_goes_up_and_down_where_nothing_changed(
    tmp_path: Path,
) -> None:
    with two_controllers(tmp_path, SEED, release="3.9") as play:
        for level in range(22, 31):
            play.ask(update((VERSION, level, UPGRADE), validate_only=True))
            play.ask(update((VERSION, level, UPGRADE)))
            play.ask(topics.create_topics(play.draw()))
            play.ask(fake_brokers.beat(play.draw()))
        for kind in (UPGRADE, SAFE, UNSAFE):
            for level in (29, 23, 22, 21, 7, 6, 0):
                play.ask(update((VERSION, level, kind), validate_only=True))
        play.finish()
    assert codes_of_updates(play) == {error_codes.NONE, error_codes.INVALID_UPDATE_VERSION}


def test_a_feature_and_the_version_that_it_needs_in_one_request(tmp_path: Path) -> None:
    with two_controllers(tmp_path, SEED, release="3.9") as play:
        for rows in (
            [(ELR, 1, UPGRADE)],
            [(ELR, 1, UPGRADE), (VERSION, 22, UPGRADE)],
            [(ELR, 1, UPGRADE), (VERSION, 23, UPGRADE)],
            [(VERSION, 22, SAFE), (ELR, 0, SAFE)],
            [(VERSION, 24, UPGRADE), (ELR, 0, SAFE)],
            [(ELR, 1, UPGRADE), (VERSION, 23, SAFE)],
        ):
            play.ask(update(*rows, validate_only=True))
            play.ask(update(*rows))
        play.finish()


def test_turning_elr_on_makes_the_settings_of_brokers_safe(tmp_path: Path) -> None:
    with two_controllers(tmp_path, SEED) as play:
        play.ask(update((ELR, 0, SAFE)))
        for resource in ("", "101", "102", "1"):
            play.ask(settings.set_min_insync_replicas(resource, "2"))
        play.ask(settings.set_min_insync_replicas("", None))
        play.ask(update((ELR, 1, UPGRADE), validate_only=True))
        play.ask(update((ELR, 1, UPGRADE)))
        play.ask(update((ELR, 1, UPGRADE)))
        play.ask(update((ELR, 0, SAFE)))
        play.ask(settings.set_min_insync_replicas("101", "1"))
        play.ask(update((ELR, 1, UPGRADE)))
        play.finish()
