"""The JSON form; the texts in the first test were printed by Kafka 4.3.1's own converters."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from metaquorum.wire.errors import EncodeError, UnsupportedField
from metaquorum.wire.generated import (
    api_versions_response,
    describe_quorum_response,
    fetch_request,
    fetch_response,
    vote_request,
)
from metaquorum.wire.generated.records import client_quota_record, partition_record
from metaquorum.wire.json_form import (
    JsonFormError,
    double_text,
    from_json,
    json_text,
    to_json,
)
from metaquorum.wire.registry import Codec
from metaquorum.wire.slices import FileSlice
from tests.unit.wire.random_messages import Maker, all_codecs, versions_of

UUID = bytes(15) + b"\x01"
QUOTA = client_quota_record.ClientQuotaRecord(
    [
        client_quota_record.EntityData("user", 'al"ice\x01'),
        client_quota_record.EntityData("ip", None),
    ],
    "consumer_byte_rate",
    12_345_678.0,
)
QUOTA_TEXT = (
    '{"entity":[{"entityType":"user","entityName":"al\\"ice\\u0001"},'
    '{"entityType":"ip","entityName":null}],'
    '"key":"consumer_byte_rate","value":1.2345678E7,"remove":false}'
)
PARTITION = partition_record.PartitionRecord(
    1,
    UUID,
    [1, 2],
    [1],
    leader=1,
    leader_epoch=3,
    leader_recovery_state=1,
    directories=[UUID, bytes(16)],
)
PARTITION_TEXT = (
    '{"partitionId":1,"topicId":"AAAAAAAAAAAAAAAAAAAAAQ","replicas":[1,2],"isr":[1],'
    '"removingReplicas":[],"addingReplicas":[],"leader":1,"leaderRecoveryState":1,'
    '"leaderEpoch":3,"partitionEpoch":-1,'
    '"directories":["AAAAAAAAAAAAAAAAAAAAAQ","AAAAAAAAAAAAAAAAAAAAAA"]}'
)


@pytest.mark.parametrize(
    ("codec", "message", "version", "text"),
    [
        (client_quota_record, QUOTA, 0, QUOTA_TEXT),
        (partition_record, PARTITION, 1, PARTITION_TEXT),
        (
            vote_request,
            vote_request.VoteRequest(topics=[vote_request.TopicData("a")]),
            0,
            '{"clusterId":null,"topics":[{"topicName":"a","partitions":[]}]}',
        ),
    ],
)
def test_messages_print_as_kafka_prints_them(
    codec: Codec, message: Any, version: int, text: str
) -> None:
    assert json_text(to_json(codec, message, version)) == text


def test_tagged_fields_are_there_only_when_they_are_set() -> None:
    plain = api_versions_response.ApiVersionsResponse()
    assert list(to_json(api_versions_response, plain, 3)) == [
        "errorCode", "apiKeys", "throttleTimeMs",
    ]  # fmt: skip
    plain.finalized_features_epoch = 5
    assert to_json(api_versions_response, plain, 3)["finalizedFeaturesEpoch"] == 5


def test_fields_that_the_version_lacks_are_left_out_or_refused() -> None:
    message = vote_request.VoteRequest(voter_id=3)
    assert "voterId" not in to_json(vote_request, message, 0)  # ignorable
    partition = vote_request.PartitionData(pre_vote=True)
    message.topics = [vote_request.TopicData("a", [partition])]
    with pytest.raises(UnsupportedField, match=r"VoteRequest\.topics\[0\].*pre_vote: version 1"):
        to_json(vote_request, message, 1)
    with pytest.raises(EncodeError, match="version 9 is not known, 0 to 2 are"):
        to_json(vote_request, message, 9)


def records_response(records: Any) -> fetch_response.FetchResponse:
    partition = fetch_response.PartitionData(records=records)
    topic = fetch_response.FetchableTopicResponse(partitions=[partition])
    return fetch_response.FetchResponse(responses=[topic])


def test_records_are_base64_or_only_their_size() -> None:
    def partition(records: Any, **how: bool) -> Any:
        form = to_json(fetch_response, records_response(records), 13, **how)
        return form["responses"][0]["partitions"][0]

    assert partition(b"\xff\xfe")["records"] == "//4="
    assert partition(memoryview(b"\xff\xfe"), with_records=False)["recordsSizeInBytes"] == 2
    assert partition(None, with_records=False)["records"] is None
    with pytest.raises(EncodeError, match="a slice of a file has no JSON form"):
        partition(FileSlice(-1, 0, 5))


@pytest.mark.parametrize("codec", all_codecs(), ids=lambda codec: codec.NAME)
def test_every_message_survives_the_form(codec: Codec) -> None:
    maker = Maker(codec, Random(codec.NAME), unknown_tags=False)
    for version in versions_of(codec):
        message = maker.message(version)
        assert from_json(codec, to_json(codec, message, version), version) == message


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"voterId": None}, r"VoteRequest\.voterId: null"),
        ({"voterId": True}, r"VoteRequest\.voterId: expected a number, found bool"),
        ({"voterId": 1 << 31}, r"VoteRequest\.voterId: 2147483648 is no int32"),
        ({"voterId": "x1"}, r"VoteRequest\.voterId: 'x1' is no int32"),
        ({"clusterId": 5}, r"VoteRequest\.clusterId: expected a text, found int"),
        ({"topics": {}}, r"VoteRequest\.topics: expected a list, found dict"),
        ({"topics": [7]}, r"VoteRequest\.topics\[0\]: expected an object, found int"),
        ({"topics": [{"topicName": "a"}]}, r"topics\[0\]: partitions is missing, version 2"),
    ],
)
def test_a_form_that_is_no_message_is_told_with_its_path(change: dict[str, Any], why: str) -> None:
    good: dict[str, Any] = {"clusterId": "a", "voterId": 1, "topics": []}
    assert from_json(vote_request, good, 2) == vote_request.VoteRequest("a", 1)
    with pytest.raises(JsonFormError, match=why):
        from_json(vote_request, good | change, 2)


def test_integers_may_be_written_as_text_and_unknown_keys_are_ignored() -> None:
    form = {"clusterId": None, "voterId": "0x10", "topics": [], "colour": "red"}
    assert from_json(vote_request, form, 2) == vote_request.VoteRequest(None, 16)


def test_an_integer_of_endless_text_is_refused() -> None:
    spelled = {"clusterId": None, "voterId": "0x" + "f" * 5_000, "topics": []}
    with pytest.raises(JsonFormError, match=r"VoteRequest\.voterId: 5002 characters are no int32"):
        from_json(vote_request, spelled, 2)


@pytest.mark.parametrize(
    ("spelled", "value"),
    [("NaN", float("nan")), ("Infinity", float("inf")), ("-Infinity", float("-inf")), (3, 3.0)],
)
def test_floats_that_are_not_finite_are_texts(spelled: object, value: float) -> None:
    form = {"entity": [], "key": "k", "value": spelled, "remove": False}
    found = from_json(client_quota_record, form, 0)

    assert repr(found.value) == repr(value)
    if isinstance(spelled, str):
        assert json_text(to_json(client_quota_record, found, 0)["value"]) == f'"{spelled}"'


@pytest.mark.parametrize("spelled", ["1.5", "nan", True, 10**400])
def test_what_is_no_float_is_refused(spelled: object) -> None:
    form = {"entity": [], "key": "k", "value": spelled, "remove": False}
    with pytest.raises(JsonFormError, match=r"ClientQuotaRecord\.value: "):
        from_json(client_quota_record, form, 0)


def test_tagged_fields_may_be_left_out() -> None:
    form = to_json(fetch_request, fetch_request.FetchRequest(cluster_id="c"), 17)
    assert form.pop("clusterId") == "c"
    assert from_json(fetch_request, form, 17).cluster_id is None


def test_bad_base64_and_bad_uuids_are_refused() -> None:
    form = to_json(partition_record, PARTITION, 1)
    with pytest.raises(JsonFormError, match=r"PartitionRecord\.topicId: "):
        from_json(partition_record, form | {"topicId": "AAAA"}, 1)
    response = to_json(fetch_response, records_response(b"a"), 13)
    response["responses"][0]["partitions"][0]["records"] = "?"
    with pytest.raises(JsonFormError, match=r"partitions\[0\]\.records: "):
        from_json(fetch_response, response, 13)


def test_deep_structs_keep_the_order_of_the_schema() -> None:
    state = describe_quorum_response.ReplicaState(1, UUID, 5)
    assert list(vars_of(state)) == [
        "replicaId", "replicaDirectoryId", "logEndOffset", "lastFetchTimestamp",
        "lastCaughtUpTimestamp",
    ]  # fmt: skip


def vars_of(state: describe_quorum_response.ReplicaState) -> Any:
    partition = describe_quorum_response.PartitionData(current_voters=[state])
    topic = describe_quorum_response.TopicData("a", [partition])
    message = describe_quorum_response.DescribeQuorumResponse(topics=[topic])
    form = to_json(describe_quorum_response, message, 2)
    return form["topics"][0]["partitions"][0]["currentVoters"][0]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0.0"), (-0.0, "-0.0"), (1.0, "1.0"), (100.0, "100.0"), (1.5, "1.5"),
        (9_999_999.0, "9999999.0"), (1e7, "1.0E7"), (12_345_678.9, "1.23456789E7"),
        (0.001, "0.001"), (0.0001, "1.0E-4"), (-1.1e-5, "-1.1E-5"), (1e22, "1.0E22"),
        (float("inf"), "Infinity"), (float("nan"), "NaN"),
    ],
)  # fmt: skip
def test_floats_print_as_java_prints_doubles(value: float, text: str) -> None:
    assert double_text(value) == text


def test_json_text_escapes_as_kafkas_tools_do() -> None:
    assert json_text({"a": ['\n\t\r\b\f"\\/', "é\x7f\x1f", None, True, float("inf")]}) == (
        '{"a":["\\n\\t\\r\\b\\f\\"\\\\/","é\x7f\\u001F",null,true,"Infinity"]}'
    )
    with pytest.raises(TypeError):
        json_text(object())
