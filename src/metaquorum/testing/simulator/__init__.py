"""Long lives in nasty weather: several nodes, one thread, one seed, virtual time."""
