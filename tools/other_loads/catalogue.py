"""The loads by name."""

from __future__ import annotations

from typing import Final

from tools.kafka.log_errors import SENT_TO_TWO_LEADERS
from tools.other_loads import franz_go, programs, sarama, trogdor
from tools.other_loads.load import Load

SUITES: Final = (franz_go.SUITE, sarama.SUITE)
LOADS: Final = (
    Load(
        "performance",
        "ProducerPerformance: every number it sent stands in the topic once",
        programs.performance,
    ),
    Load(
        "performance-in-transactions",
        "the same, a transaction each half second",
        programs.performance_in_transactions,
    ),
    Load(
        "verifiable",
        "VerifiableProducer, two VerifiableConsumers in a classic group",
        programs.verifiable,
    ),
    Load(
        "verifiable-kip-848",
        "the same, by the consumer protocol",
        programs.verifiable_by_kip_848,
    ),
    Load(
        "verifiable-confluent",
        "the same, by the programs that confluent-kafka's package carries",
        programs.verifiable_of_confluent,
    ),
    Load(
        "copier",
        "TransactionalMessageCopier with random aborts: the copy has every record once",
        programs.copied,
        # A batch is refused until the markers of the transaction before are written, and so is
        # the one sent behind it: on Kafka's controllers as well (decision 265).
        brokers_may_log=("org.apache.kafka.common.errors.OutOfOrderSequenceException",),
    ),
    Load(
        "trogdor",
        "RoundTripWorkload while ProcessStopFault stops controllers and brokers",
        trogdor.round_trips,
        seconds=60.0,
        # A record that were lost so would not come back.
        excused=(SENT_TO_TWO_LEADERS,),
    ),
    *(one.load() for one in SUITES),
)
