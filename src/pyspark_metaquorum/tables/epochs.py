"""The epochs of the quorum itself, as its leaders wrote them down."""

from __future__ import annotations

from typing import Any

from pyspark.sql import Window
from pyspark.sql import functions as F


def leader_epochs(log: Any) -> Any:
    """Each epoch with its leader, its voters and who granted, from its first record to the next.

    ``ended`` is null for the last epoch; ``lasted_ms`` is from one leader's first record to the
    next one's, the election in between included.
    """
    ordered = Window.orderBy("offset")
    message = "leader_change_message"
    return (
        log.where((F.col("type") == "LeaderChangeMessage") & F.col("snapshot_offset").isNull())
        .select(
            "epoch",
            F.col(f"{message}.leader_id").alias("leader_id"),
            F.col("offset").alias("start_offset"),
            F.col("timestamp").alias("started"),
            F.col(f"{message}.voters.voter_id").alias("voters"),
            F.col(f"{message}.granting_voters.voter_id").alias("granting_voters"),
            "offset",
        )
        .withColumn("end_offset", F.lead("offset").over(ordered))
        .withColumn("ended", F.lead("started").over(ordered))
        .withColumn("lasted_ms", F.unix_millis("ended") - F.unix_millis("started"))
    )
