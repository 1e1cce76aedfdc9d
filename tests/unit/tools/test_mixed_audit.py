"""The audit of mixed runs sees what it is there to see."""

from __future__ import annotations

from tools.mixed.audit import kafkas_faults

TOO_SOON = [
    "[22:40:55.919] ERROR [ControllerApis nodeId=2] Unexpected error handling request "
    "RequestHeader(apiKey=API_VERSIONS, apiVersion=4, clientId=raft-client-3, ...)",
    'java.lang.NullPointerException: Cannot invoke "kafka.raft.KafkaRaftManager.client()" '
    'because the return value of "kafka.server.ControllerServer.raftManager()" is null',
]


def test_every_error_of_kafkas_is_told_with_the_line_below_it() -> None:
    lines = ["[1] INFO fine", "[2] ERROR it broke", "java.lang.Oh: no", "[3] FATAL gone"]
    assert kafkas_faults(lines) == ["[2] ERROR it broke | java.lang.Oh: no", "[3] FATAL gone | "]


def test_only_the_question_for_versions_that_comes_too_soon_is_no_error_of_the_quorum() -> None:
    assert kafkas_faults(TOO_SOON) == []
    assert len(kafkas_faults([TOO_SOON[0], "java.lang.Oh: no"])) == 1
    assert len(kafkas_faults([TOO_SOON[0].replace("API_VERSIONS", "VOTE"), TOO_SOON[1]])) == 1
