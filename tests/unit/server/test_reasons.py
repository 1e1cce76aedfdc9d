"""What the client sent comes back in the text of an error, however long it was."""

from __future__ import annotations

from metaquorum.base.errors import MAX_REASON_CHARS, RequestError, short_reason
from metaquorum.metadata.state import MetadataState
from metaquorum.server.handlers import describe_cluster
from metaquorum.server.pipeline.reasons import shorten_reasons
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated.describe_cluster_request import DescribeClusterRequest
from metaquorum.wire.generated.describe_cluster_response import DescribeClusterResponse
from metaquorum.wire.generated.describe_user_scram_credentials_request import (
    DescribeUserScramCredentialsRequest,
    UserName,
)
from metaquorum.wire.generated.find_coordinator_response import (
    Coordinator,
    FindCoordinatorResponse,
)
from metaquorum.wire.primitives import MAX_TEXT_BYTES

LONGEST = "\0" * MAX_TEXT_BYTES


def client() -> PipelineClient:
    return PipelineClient(services_with_eight_records(state=MetadataState().committed()))


def test_a_user_with_the_longest_name_is_told_why_in_short():
    asked = DescribeUserScramCredentialsRequest([UserName(LONGEST)])
    (row,) = client().ask(asked, 0).results
    assert row.user == LONGEST
    assert len(row.error_message) == MAX_REASON_CHARS
    assert row.error_message.startswith("user '\\x00") and row.error_message.endswith("...")


def test_the_reason_of_a_refusal_is_short():
    assert RequestError(42, "a" * 5_000).reason == short_reason("a" * 5_000)
    assert short_reason("a" * MAX_REASON_CHARS) == "a" * MAX_REASON_CHARS
    assert RequestError(42).reason is None


def test_a_response_with_too_long_an_error_message_has_it_shortened(monkeypatch):
    long = DescribeClusterResponse(error_code=42, error_message=LONGEST + "!", cluster_id="c")
    monkeypatch.setattr(describe_cluster, "handle", lambda request, services: long)
    answer = client().ask(DescribeClusterRequest(), 0)
    assert answer.error_code == 42
    assert len(answer.error_message) == MAX_REASON_CHARS


def test_reasons_of_rows_are_found_too():
    rows = [Coordinator(error_message="x" * 40_000), Coordinator(error_message=None)]
    answer = FindCoordinatorResponse(coordinators=rows)
    assert shorten_reasons(answer)
    assert len(rows[0].error_message) == MAX_REASON_CHARS
    assert not shorten_reasons(answer)
