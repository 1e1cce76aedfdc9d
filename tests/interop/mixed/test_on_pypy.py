"""Our nodes on PyPy beside Kafka's controllers, and a directory that changes Pythons."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interop.mixed.conftest import Form
from tests.interop.mixed.test_either_side_leads import fail_over
from tools.mixed.node import KAFKA, OURS, OURS_ON_PYPY


@pytest.mark.soak
def test_a_node_on_pypy_leads_two_of_kafkas_is_killed_and_comes_back(form: Form) -> None:
    with form(OURS_ON_PYPY, KAFKA, KAFKA) as quorum:
        assert Path(f"/proc/{quorum.nodes[1].pid}/exe").resolve().name.startswith("pypy")
        fail_over(quorum, quorum.lead_by(quorum.of(OURS_ON_PYPY)), pause=False)
        fail_over(quorum, quorum.lead_by(quorum.of(KAFKA)), pause=True)
        quorum.lead_by(quorum.of(OURS_ON_PYPY))
        quorum.written(30)
        assert quorum.end() == []


def test_a_quorum_moves_cpython_pypy_kafka_and_back_losing_no_write(
    form: Form,
) -> None:
    with form(OURS, OURS, KAFKA) as quorum:
        for kind in (OURS_ON_PYPY, KAFKA, OURS_ON_PYPY, OURS):
            for node_id in (1, 2):
                node = quorum.nodes[node_id]
                node.stop()
                quorum.written()
                node.start(kind)
                quorum.caught_up(node_id)
            quorum.written(20)
        assert quorum.end() == []
