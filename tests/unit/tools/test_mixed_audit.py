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


REGISTERED_TOO_LATE = [
    "[23:14:02.967] ERROR [ControllerApis nodeId=2] Unexpected error handling request "
    "RequestHeader(apiKey=CONTROLLER_REGISTRATION, apiVersion=0, clientId=2, ...) ... "
    "ClientInformation(softwareName=apache-kafka-java, softwareVersion=4.3.1)",
    "java.util.concurrent.CompletionException: org.apache.kafka.common.errors."
    "NotControllerException: The active controller appears to be node 3.",
]


def test_a_registration_that_meets_a_change_of_leaders_is_kafkas_own_affair_but_not_ours() -> None:
    assert kafkas_faults(REGISTERED_TOO_LATE) == []
    ours = REGISTERED_TOO_LATE[0].replace("apache-kafka-java", "metaquorum")
    assert len(kafkas_faults([ours, REGISTERED_TOO_LATE[1]])) == 1
    assert len(kafkas_faults([REGISTERED_TOO_LATE[0], "java.lang.Oh: no"])) == 1


def test_only_the_question_for_versions_that_comes_too_soon_is_no_error_of_the_quorum() -> None:
    assert kafkas_faults(TOO_SOON) == []
    assert len(kafkas_faults([TOO_SOON[0], "java.lang.Oh: no"])) == 1
    assert len(kafkas_faults([TOO_SOON[0].replace("API_VERSIONS", "VOTE"), TOO_SOON[1]])) == 1
