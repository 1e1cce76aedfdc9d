"""Every order of what can happen to one or two partitions and the brokers that hold them."""
