"""What a run and the lists look like, as tables and as JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from tools.kafka_tests.judge import Verdict
from tools.kafka_tests.lists import Reason, Recorded, class_of, reason_for

COLUMNS: Final = ("held", "broken", "by chance", "excepted", "not on Kafka")
_PACKAGES: Final = "org.apache.kafka."


def as_text(verdict: Verdict, left: Sequence[str], took_s: float) -> str:
    """The table of classes, then every test that had to pass and did not, then the counts."""
    counts = verdict.by_class()
    width = max([len(_short(name)) for name in counts] + [5])
    rows = [f"{'class':<{width}}" + "".join(f"{one:>14}" for one in COLUMNS)]
    for name, count in counts.items():
        rows.append(f"{_short(name):<{width}}" + "".join(f"{count[one]:>14}" for one in COLUMNS))
    for test, why in verdict.broken.items():
        rows += ["", f"BROKEN {test}", *(f"  {line}" for line in why.splitlines())]
    for test, chance in verdict.by_chance.items():
        rows += [
            "",
            f"BY CHANCE {test}",
            f"  it failed in a known way (on Kafka's controllers {chance.on_kafka}), then passed:",
            f"  {chance.why}",
        ]
    for test in verdict.unknown:
        rows.append(f"NOT RECORDED {test}")
    if left:
        rows.append(f"does not fit an hour: {', '.join(map(_short, left))}")
    total = len(verdict.held) + len(verdict.broken) + len(verdict.by_chance)
    rows += [
        "",
        f"{len(verdict.held)} of {total} tests that pass on Kafka's controllers pass on ours, "
        f"{len(verdict.by_chance)} passed when run again, "
        f"{len(verdict.excepted)} are excepted by name, "
        f"{len(verdict.not_on_kafka)} do not pass on Kafka's, in {took_s:.0f} s",
    ]
    return "\n".join(rows)


def as_json(verdict: Verdict, left: Sequence[str], took_s: float) -> str:
    """The same as one object."""
    return json.dumps(
        {
            "held": sorted(verdict.held),
            "broken": dict(verdict.broken),
            "byChance": {test: one.why for test, one in sorted(verdict.by_chance.items())},
            "excepted": {test: one.why for test, one in sorted(verdict.excepted.items())},
            "notOnKafka": sorted(verdict.not_on_kafka),
            "notRecorded": list(verdict.unknown),
            "doesNotFit": list(left),
            "faults": {test: list(one) for test, one in verdict.faults.items()},
            "seconds": round(took_s, 1),
        },
        indent=2,
    )


def facts_of_classes(
    classes: Sequence[str],
    in_the_jvm: Sequence[str],
    record: Mapping[str, Recorded],
    reasons: Sequence[Reason],
) -> dict[str, Any]:
    """What is recorded of each class that can be run, which are not, and which cannot be."""
    counts: dict[str, Counter[str]] = {}
    for test, one in record.items():
        excepted = one.status == "passed" and reason_for(test, reasons) is not None
        counts.setdefault(class_of(test), Counter())["excepted" if excepted else one.status] += 1
    return {
        "recorded": {name: dict(counts[name]) for name in classes if name in counts},
        "notRecordedYet": [name for name in classes if name not in counts],
        "ownControllerInTheJvm": list(in_the_jvm),
    }


def classes_text(facts: Mapping[str, Any]) -> str:
    """The same as a table."""
    columns = ("passed", "excepted", "failed", "skipped")
    names = [*map(_short, facts["recorded"]), "class"]
    width = max(map(len, names))
    rows = [f"{'class':<{width}}" + "".join(f"{one:>10}" for one in columns)]
    for name, count in facts["recorded"].items():
        row = "".join(f"{count.get(one, 0):>10}" for one in columns)
        rows.append(f"{_short(name):<{width}}{row}")
    for title, key in (
        ("not recorded yet", "notRecordedYet"),
        ("start a controller of their own in the JVM", "ownControllerInTheJvm"),
    ):
        rows += ["", f"{title} ({len(facts[key])}):", *(f"  {_short(one)}" for one in facts[key])]
    return "\n".join(rows)


def _short(name: str) -> str:
    return name.removeprefix(_PACKAGES)
