"""A quorum is formatted for the oldest release of Kafka in it, which follows no newer one."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from tools.mixed.__main__ import main
from tools.mixed.node import KAFKA, KAFKA_3, OURS
from tools.mixed.quorum import release_for


@pytest.mark.parametrize(
    ("kinds", "release"),
    [
        ((OURS, OURS, OURS), None),
        ((OURS, KAFKA, KAFKA), None),
        ((OURS, KAFKA, "4.4.0"), None),
        ((OURS, OURS, "4.0.0"), "4.0"),
        ((OURS, "4.2.0", "4.1.1"), "4.1"),
        ((OURS, KAFKA, KAFKA_3), "3.9"),
    ],
)
def test_the_oldest_decides(kinds: tuple[str, ...], release: str | None) -> None:
    assert release_for(kinds) == release


def test_what_is_no_release_is_refused_by_name() -> None:
    told = CliRunner().invoke(main, ["ours", "ours", "theirs", "--record", "run.recording"])
    assert told.exit_code == 2
    assert "'theirs' is neither 'ours', 'ours-on-pypy' nor a release such as 4.3.1" in told.output
