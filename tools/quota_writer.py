"""AlterClientQuotas as plain requests: the writer knows exactly what was acknowledged."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define

from metaquorum.client.connection import Connection
from metaquorum.wire.generated import alter_client_quotas_request as wire
from metaquorum.wire.generated import error_codes
from tools.kafka.ports import LOOPBACK

ALTER_CLIENT_QUOTAS = 49


class QuotaRefused(Exception):
    """The server answered with an error; nothing was changed."""


def rate_request(users: Iterable[str], rate: float = 1000.0) -> wire.AlterClientQuotasRequest:
    """One request that gives each of these users this ``producer_byte_rate``."""
    ops = [wire.OpData("producer_byte_rate", rate)]
    return wire.AlterClientQuotasRequest(
        [wire.EntryData([wire.EntityData("user", user)], ops) for user in users]
    )


def put_rates(connection: Connection, users: Iterable[str], rate: float = 1000.0) -> None:
    """Send that request. Raises QuotaRefused if any of it was."""
    answer = connection.ask(ALTER_CLIENT_QUOTAS, 1, rate_request(users, rate))
    refused = {row.error_code for row in answer.entries} - {error_codes.NONE}
    if refused:
        names = ", ".join(str(error_codes.NAMES.get(code, code)) for code in sorted(refused))
        raise QuotaRefused(names)


@define
class QuotaWriter:
    """One connection that writes one quota a request and waits for each answer."""

    connection: Connection

    @classmethod
    def open(cls, port: int, host: str = LOOPBACK, timeout_ms: int = 10_000) -> QuotaWriter:
        """Connect; raises ConnectionFailed."""
        return cls(Connection.open(host, port, timeout_ms=timeout_ms))

    def __enter__(self) -> QuotaWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    def set(self, user: str, quota: str, value: float | None) -> None:
        """Set or (None) remove one quota of a user; returns once it is committed.

        Raises QuotaRefused; ConnectionFailed leaves it open whether it was committed.
        """
        operation = wire.OpData(key=quota, value=value or 0.0, remove=value is None)
        entry = wire.EntryData(
            entity=[wire.EntityData(entity_type="user", entity_name=user)], ops=[operation]
        )
        version = self.connection.best_version(ALTER_CLIENT_QUOTAS)
        answer = self.connection.ask(
            ALTER_CLIENT_QUOTAS, version, wire.AlterClientQuotasRequest(entries=[entry])
        )
        for row in answer.entries:
            if row.error_code != error_codes.NONE:
                name = error_codes.NAMES.get(row.error_code, row.error_code)
                raise QuotaRefused(f"{name}: {row.error_message}")
