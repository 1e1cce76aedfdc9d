"""What is made of the landed log: every table of history and report, by its path in a target."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from pyspark_metaquorum.pipeline.faults import errors
from pyspark_metaquorum.tables.audit import acl_audit, config_audit
from pyspark_metaquorum.tables.brokers import broker_sessions, fencing
from pyspark_metaquorum.tables.churn import isr_changes, leader_changes
from pyspark_metaquorum.tables.epochs import leader_epochs
from pyspark_metaquorum.tables.mix import growth, record_mix
from pyspark_metaquorum.tables.movers import top_movers
from pyspark_metaquorum.tables.shape import TABLES
from pyspark_metaquorum.tables.state import history

HISTORY: Final = "history"
REPORT: Final = "report"
ERRORS: Final = "errors"
CHANGES: Final = "changes"

_OF_LOG: Final[dict[str, Callable[[Any], Any]]] = {
    f"{REPORT}/leader_epochs": leader_epochs,
    f"{REPORT}/record_mix": record_mix,
    ERRORS: errors,
}
_OF_CHANGES: Final[dict[str, Callable[[Any], Any]]] = {
    f"{REPORT}/isr_changes": isr_changes,
    f"{REPORT}/leader_changes": leader_changes,
    f"{REPORT}/top_movers": top_movers,
    f"{REPORT}/broker_sessions": broker_sessions,
    f"{REPORT}/fencing": fencing,
    f"{REPORT}/config_audit": config_audit,
    f"{REPORT}/acl_audit": acl_audit,
}
_GROWTH: Final = f"{REPORT}/growth"
NAMES: Final = (*[f"{HISTORY}/{table}" for table in TABLES], *_OF_LOG, *_OF_CHANGES, _GROWTH)


def derived(name: str, log: Any, told: Any, stretch: str) -> Any:
    """One of the tables in ``NAMES``.

    ``log`` is all that has landed, ``told`` what ``all_changes`` made of it, ``stretch`` how long
    a row of the table of growth is, in Spark's words.
    """
    if name in _OF_LOG:
        return _OF_LOG[name](log)
    if name in _OF_CHANGES:
        return _OF_CHANGES[name](told)
    if name == _GROWTH:
        return growth(told, stretch)
    return history(told, name.removeprefix(f"{HISTORY}/"))
