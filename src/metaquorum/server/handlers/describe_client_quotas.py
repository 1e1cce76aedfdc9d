"""DescribeClientQuotas (48): the quotas that match a filter, from the committed state.

Behaviour
- Any node answers from what it knows to be committed; validation is the controller's own
  (``controller.managers.quotas``).
- Entries are null in an answer with an error, as in Kafka.
- Many quotas are described in steps, all as of the moment in which the request was served.

Version notes
- 0 and 1 mean the same; 1 is flexible.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import ROWS_PER_STEP
from metaquorum.controller.managers import quotas
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.server.contract.steps import Encoded, InSteps, RowsApart
from metaquorum.wire.generated import describe_client_quotas_response
from metaquorum.wire.generated.describe_client_quotas_request import DescribeClientQuotasRequest
from metaquorum.wire.generated.describe_client_quotas_response import DescribeClientQuotasResponse

_FLEXIBLE_FROM: Final = 1


def handle(
    request: Request[DescribeClientQuotasRequest], services: Services
) -> DescribeClientQuotasResponse | InSteps[DescribeClientQuotasResponse | Encoded]:
    """The quotas that match."""
    if len(services.committed().quotas) <= ROWS_PER_STEP:
        return quotas.describe(services.committed(), request.message)
    return InSteps(_steps(request, services))


def _steps(
    request: Request[DescribeClientQuotasRequest], services: Services
) -> Generator[None, None, DescribeClientQuotasResponse | Encoded]:
    try:
        chosen = quotas.filter_of(request.message)
    except RequestError as error:
        return refusal(request, error.code, error.reason)
    empty = DescribeClientQuotasResponse(error_message="")  # not null: as Kafka's
    answer = RowsApart(
        describe_client_quotas_response, empty, "entries", request.version, _FLEXIBLE_FROM
    )
    for rows in quotas.described_in_steps(services.committed(), chosen):
        if rows:
            answer.add(rows)
        yield
    return answer.done()


def refusal(
    request: Request[DescribeClientQuotasRequest], code: int, reason: str | None
) -> DescribeClientQuotasResponse:
    """An error and no entries."""
    return DescribeClientQuotasResponse(error_code=code, error_message=reason, entries=None)
