"""The watching room: metrics under Kafka's names, health with reasons, one-line events."""
