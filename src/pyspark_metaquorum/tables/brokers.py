"""The lives of brokers: from registration to the next one, and when they were fenced."""

from __future__ import annotations

from typing import Any

from pyspark.sql import functions as F

from pyspark_metaquorum.tables.state import changes, history


def broker_sessions(log: Any) -> Any:
    """One row a life of a broker: a registration, until it was unregistered or registered anew.

    ``unfenced`` is how often it was let in, ``serving_ms`` how long it was neither fenced nor gone
    (up to its last record, for a life that still goes on).
    """
    serving = (~F.col("fenced")) & F.col("valid_to").isNotNull()
    lasted = F.unix_millis("valid_to") - F.unix_millis("valid_from")

    def has_ended(column: str) -> Any:
        return F.when(F.col("ended_offset") < _NEVER, F.col(column)).alias(column)

    return (
        history(log, "brokers")
        .groupBy("broker_id", "broker_epoch", "incarnation_id")
        .agg(
            F.min("valid_from_offset").alias("registered_offset"),
            F.min("valid_from").alias("registered"),
            F.max(F.coalesce("valid_to_offset", F.lit(_NEVER))).alias("ended_offset"),
            F.max(F.coalesce("valid_to", F.lit(_LATE).cast("timestamp"))).alias("ended"),
            F.sum((~F.col("fenced")).cast("int")).alias("unfenced"),
            F.coalesce(F.sum(F.when(serving, lasted)), F.lit(0)).alias("serving_ms"),
        )
        .select(
            "broker_id",
            "broker_epoch",
            "incarnation_id",
            "registered_offset",
            "registered",
            has_ended("ended_offset"),
            has_ended("ended"),
            "unfenced",
            "serving_ms",
        )
    )


def fencing(log: Any) -> Any:
    """Each time a broker was fenced, let in, or began or ended a controlled shutdown."""
    flags = ("fenced", "in_controlled_shutdown")
    rows = [
        F.coalesce(F.col(f"before.{flag}"), F.lit(None).cast("boolean")).alias(f"{flag}_before")
        for flag in flags
    ]
    after = [F.col(f"after.{flag}").alias(flag) for flag in flags]
    moved = F.lit(False)
    for flag in flags:
        moved = moved | ~F.col(f"before.{flag}").eqNullSafe(F.col(f"after.{flag}"))
    return (
        changes(log, "brokers")
        .where(moved)
        .select(
            "offset",
            "timestamp",
            F.coalesce("after.broker_id", "before.broker_id").alias("broker_id"),
            F.coalesce("after.broker_epoch", "before.broker_epoch").alias("broker_epoch"),
            *rows,
            *after,
        )
    )


_NEVER = (1 << 63) - 1
_LATE = "9999-01-01T00:00:00Z"
