"""Kafka's own integration tests, from its test jars, with metaquorum processes as controllers.

The tests are bytecode from Maven Central and stay as they are. All start their cluster by one
class, ``KafkaClusterTestKit``; ours of that name stands earlier on the class path
(``tools/java/kafkatests``). What Kafka's own kit passes is recorded, and ours is held against it.
"""
