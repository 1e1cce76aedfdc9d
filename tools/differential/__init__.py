"""The same random commands to a controller of Kafka and to one of ours, and what differs.

Fake brokers register, beat, lead, shrink their ISRs, lose directories and stop; administrators
change everything else, as themselves and through envelopes. ``python -m tools.differential --help``
"""
