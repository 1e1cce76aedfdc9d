"""The group coordinator: a state machine over ``__consumer_offsets``, pure."""
