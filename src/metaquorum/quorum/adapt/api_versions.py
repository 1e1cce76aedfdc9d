"""ApiVersions as a leader asks it of a voter to be: which kraft.versions it supports (KIP-853)."""

from __future__ import annotations

from metaquorum.base.version import SOFTWARE
from metaquorum.quorum.messages import NONE, ApiVersionsRequest, ApiVersionsResponse
from metaquorum.wire.generated import api_versions_request as asked
from metaquorum.wire.generated import api_versions_response as given

KRAFT_VERSION = "kraft.version"


def write_request(
    version: int, message: ApiVersionsRequest, cluster_id: str
) -> asked.ApiVersionsRequest:
    """The wire form; it names no cluster, because a voter to be may not know it yet."""
    return asked.ApiVersionsRequest(
        client_software_name=SOFTWARE[0], client_software_version=SOFTWARE[1]
    )


def read_response(
    version: int, response: given.ApiVersionsResponse, listener: str
) -> ApiVersionsResponse:
    """The core's form: the error, or the supported range of kraft.version where one is named."""
    if response.error_code != NONE:
        return ApiVersionsResponse(response.error_code)
    for feature in response.supported_features:
        if feature.name == KRAFT_VERSION:
            return ApiVersionsResponse(NONE, (feature.min_version, feature.max_version))
    return ApiVersionsResponse(NONE)
