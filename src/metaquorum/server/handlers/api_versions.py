"""ApiVersions (18): what this listener speaks, and the cluster's feature levels.

Behaviour
- The table is the site map of the listener; every client asks first, on every connection.
- A version that we do not know is answered in version 0 with UNSUPPORTED_VERSION and the one row
  of ApiVersions itself, never with a closed connection (librdkafka would come back for ever).
- From version 3 on, a software name or version that is not letters, digits, dots and dashes
  (at least one, alphanumeric at both ends) gives INVALID_REQUEST.
- No feature is listed as finalized while there is no finalized epoch (KIP-1170), none at level 0.

Version notes
- The response header is version 0 in every version.
- 3: supported features whose lowest level is 0 are left out, because older Java clients cannot
  read them (KAFKA-17011); version 4 lists them.
- 5 (KIP-1242): a client may say which cluster and node it means to talk to. If it is another one,
  it gets REBOOTSTRAP_REQUIRED, so that it looks up its addresses anew. One of the two alone is
  INVALID_REQUEST. Kafka 4.4.0 looks at them on broker listeners only; we do so on every one.
"""

from __future__ import annotations

import re
from typing import Final

from metaquorum.server.contract.api import version_rows
from metaquorum.server.contract.api_row import ApiRow
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import FeatureView, Services
from metaquorum.server.contract.steps import Encoded
from metaquorum.wire.generated import api_versions_response, error_codes
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest
from metaquorum.wire.generated.api_versions_response import (
    ApiVersion,
    ApiVersionsResponse,
    FinalizedFeatureKey,
    SupportedFeatureKey,
)

_SOFTWARE: Final = re.compile(r"[a-zA-Z0-9](?:[a-zA-Z0-9\-.]*[a-zA-Z0-9])?")
_NO_NODE: Final = -1


def handle(
    request: Request[ApiVersionsRequest], services: Services
) -> ApiVersionsResponse | Encoded:
    """The table of this listener, or why the client should not use it."""
    asked = request.message
    if not _is_valid(asked, request.version):
        return ApiVersionsResponse(error_code=error_codes.INVALID_REQUEST)
    if _means_another_node(asked, services):
        return ApiVersionsResponse(error_code=error_codes.REBOOTSTRAP_REQUIRED)
    features, version = services.features, request.version
    rows = [ApiVersion(*row) for row in version_rows(request.origin.listener.api_rows)]
    response = ApiVersionsResponse(api_keys=rows)
    if version >= 3:
        _put_features(response, features, lowest_zero_too=version >= 4)
    return Encoded([api_versions_response.encode(response, version)])


def refusal(
    request: Request[ApiVersionsRequest], code: int, reason: str | None
) -> ApiVersionsResponse:
    """The answer that carries nothing but an error code."""
    return ApiVersionsResponse(error_code=code)


def unsupported_version(api_row: ApiRow) -> ApiVersionsResponse:
    """For a version we do not know; to be written in version 0 (KIP-511)."""
    return ApiVersionsResponse(
        error_code=error_codes.UNSUPPORTED_VERSION,
        api_keys=[ApiVersion(api_row.key, api_row.lowest, api_row.highest)],
    )


def _is_valid(asked: ApiVersionsRequest, version: int) -> bool:
    if version >= 5 and (asked.cluster_id is None) != (asked.node_id == _NO_NODE):
        return False
    return version < 3 or bool(
        _SOFTWARE.fullmatch(asked.client_software_name)
        and _SOFTWARE.fullmatch(asked.client_software_version)
    )


def _means_another_node(asked: ApiVersionsRequest, services: Services) -> bool:
    if asked.cluster_id is None:
        return False
    return (asked.cluster_id, asked.node_id) != (services.cluster_id, services.node_id)


def _put_features(
    response: ApiVersionsResponse, features: FeatureView, *, lowest_zero_too: bool
) -> None:
    response.supported_features = [
        SupportedFeatureKey(name, lowest, highest)
        for name, (lowest, highest) in sorted(features.supported.items())
        if lowest_zero_too or lowest > 0
    ]
    if features.finalized_epoch < 0:
        return
    response.finalized_features_epoch = features.finalized_epoch
    response.finalized_features = [
        FinalizedFeatureKey(name, level, level)
        for name, level in sorted(features.finalized.items())
        if level > 0
    ]
