"""The one rule from an MBean's name to an OpenMetrics name; ``docs/reference/metrics.md`` has it.

Domain, ``type``, ``name`` and attribute, joined by underscores, in lower case, every other sign
an underscore; what is left of the MBean's properties becomes labels. That is what the usual JMX
exporters make of Kafka's MBeans, so dashboards made for KRaft find their series here.
"""

from __future__ import annotations

import re
from functools import cache

from attrs import frozen

_FOREIGN = re.compile(r"[^a-z0-9_]+")
_SILENT_ATTRIBUTES = ("Value", "Count", "")  # a gauge's or counter's only number says nothing new


@frozen
class MetricName:
    """The name of a family, and the labels that every sample of it carries."""

    family: str
    labels: tuple[tuple[str, str], ...] = ()


def sanitized(text: str) -> str:
    """``text`` as part of a metric or label name: ``current-leader`` is ``current_leader``."""
    return _FOREIGN.sub("_", text.lower()).strip("_")


@cache
def metric_name(mbean: str, attribute: str = "") -> MetricName:
    """The OpenMetrics name for one attribute of ``domain:type=T[,name=N][,key=value]``.

    ValueError when the text is not the name of an MBean.
    """
    domain, separator, rest = mbean.partition(":")
    pairs = [pair.partition("=") for pair in rest.split(",")]
    if not separator or not domain or any(not key or not sign for key, sign, _ in pairs):
        raise ValueError(f"{mbean!r} is not domain:type=T[,name=N][,key=value]")
    properties = {key.strip(): value.strip() for key, _, value in pairs}
    parts = [domain, properties.pop("type", ""), properties.pop("name", "")]
    if attribute not in _SILENT_ATTRIBUTES:
        parts.append(attribute)
    family = "_".join(sanitized(part) for part in parts if part)
    labels = tuple((sanitized(key), value) for key, value in sorted(properties.items()))
    return MetricName(family, labels)


def counter_family(family: str) -> str:
    """The family of a counter: a meter's ``PerSec`` goes, since ``_total`` takes its place."""
    return family.removesuffix("persec").removesuffix("_total").rstrip("_")
