"""What can be asked of the active controller: one class per command, around the wire request."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import frozen

if TYPE_CHECKING:
    from metaquorum.wire.generated.alter_client_quotas_request import AlterClientQuotasRequest


@frozen
class AlterClientQuotas:
    """Set and remove client quotas; the reply is an AlterClientQuotasResponse (KIP-546)."""

    request: AlterClientQuotasRequest


Command = AlterClientQuotas
