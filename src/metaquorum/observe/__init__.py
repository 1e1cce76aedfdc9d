"""What operators see: metrics under Kafka's names, health with reasons, one-line events."""
