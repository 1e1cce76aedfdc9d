"""How much a state holds beside topics, brokers and controllers, by kind."""

from __future__ import annotations

from metaquorum.metadata.tables.catalog import StateView


def entry_counts(view: StateView) -> dict[str, int]:
    """Numbers by the kinds that metrics know; each is the size of a table."""
    return {
        "configured-resource": len(view.configs),
        "quota-entity": len(view.quotas),
        "acl": len(view.access_rules),
        "scram-credential": len(view.scram),
        "delegation-token": len(view.tokens),
    }
