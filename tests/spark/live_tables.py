"""What the tables that the records make say, in the form in which the Admin API was asked."""

from __future__ import annotations

from typing import Any

from pyspark_metaquorum.tables.state import state_at
from tools.live_cluster import Facts


def table_facts(log: Any) -> Facts:
    """The same out of the tables that the records make."""
    log = log.coalesce(1).cache()

    def rows(table: str) -> list[Any]:
        return list(state_at(log, table).collect())

    return {
        "topics": {(row["name"],) for row in rows("topics")},
        "partitions": {
            (
                row["topic"],
                row["partition"],
                row["leader"],
                tuple(row["replicas"]),
                tuple(sorted(row["isr"])),
            )
            for row in rows("partitions")
        },
        "configs": {
            (row["resource"], row["name"], row["value"])
            for row in rows("configs")
            if row["resource_type"] == "topic"
        },
        "features": {(row["feature"], row["level"]) for row in rows("features")},
        "quotas": {
            (row["entity"][0]["name"], row["quota"], row["value"]) for row in rows("quotas")
        },
        "acls": {(row["principal"], row["resource"], row["operation"]) for row in rows("acls")},
    }
