"""DescribeClientQuotas (48): the quotas that match a filter, from the committed state.

Behaviour
- Any node answers from what it knows to be committed; validation is the controller's own
  (``controller.managers.quotas``).
- Entries are null in an answer with an error, as in Kafka.

Version notes
- 0 and 1 mean the same; 1 is flexible.
"""

from __future__ import annotations

from metaquorum.controller.managers import quotas
from metaquorum.server.house import House
from metaquorum.server.request import Request
from metaquorum.wire.generated.describe_client_quotas_request import DescribeClientQuotasRequest
from metaquorum.wire.generated.describe_client_quotas_response import DescribeClientQuotasResponse


def handle(
    request: Request[DescribeClientQuotasRequest], house: House
) -> DescribeClientQuotasResponse:
    """The quotas that match."""
    return quotas.describe(house.committed(), request.message)


def refusal(
    request: Request[DescribeClientQuotasRequest], code: int, reason: str | None
) -> DescribeClientQuotasResponse:
    """An error and no entries."""
    return DescribeClientQuotasResponse(error_code=code, error_message=reason, entries=None)
