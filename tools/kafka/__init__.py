"""The real Kafka for tests and demonstrations: fetched, formatted, started, asked, stopped.

Everything comes from Maven Central as jars and is cached under ``build/kafka``; nothing is
installed. Processes listen on loopback ports that were free a moment ago.
"""

from tools.kafka.cluster import KafkaCluster
from tools.kafka.helper import JavaHelper
from tools.kafka.jars import KAFKA_VERSION, libs, message_jars
from tools.kafka.jvm import JavaMissing, java_available
from tools.kafka.node import KafkaNode
from tools.kafka.tool import ToolResult, run_tool

__all__ = [
    "KAFKA_VERSION",
    "JavaHelper",
    "JavaMissing",
    "KafkaCluster",
    "KafkaNode",
    "ToolResult",
    "java_available",
    "libs",
    "message_jars",
    "run_tool",
]
