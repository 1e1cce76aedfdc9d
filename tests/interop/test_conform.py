"""Our schemas say what the definitions inside Kafka's own jars say."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.kafka.jars import CONFORM_VERSIONS, message_jars
from tools.kafka.tool import finished

TIMEOUT_S = 120


def test_our_schemas_conform_to_the_jars_of_the_newest_and_the_last_old_release() -> None:
    found: list[str | Path] = [jar for one in CONFORM_VERSIONS for jar in message_jars(one)]
    done = finished([sys.executable, "-m", "codegen", "--conform", *found], TIMEOUT_S)
    assert done.exit_code == 0, done.stdout
    assert " 0 differences" in done.stdout.splitlines()[-1]
