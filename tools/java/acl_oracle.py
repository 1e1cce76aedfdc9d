"""Our decisions about rights against those of Kafka's own authoriser, over sets of drawn rules.

    python -m tools.java.acl_oracle                       # 3,000 questions
    python -m tools.java.acl_oracle --cases 50000 --seed 7

Names, principals and addresses are drawn from so few that rules and questions meet all the time:
literal names, their prefixes and the star; denials beside permissions; super users and the
default. Rules come and go between the questions about one set, so that the index is held against
Kafka's after removals too.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from attrs import define, field, frozen

from metaquorum.config.access_settings import AccessSettings
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.metadata.state import MetadataState
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.server.access.authorise import StandardAuthoriser, host_text
from metaquorum.wire.generated.records.access_control_entry_record import (
    AccessControlEntryRecord,
)
from metaquorum.wire.generated.records.remove_access_control_entry_record import (
    RemoveAccessControlEntryRecord,
)
from tools.kafka import helper, jars, jvm

SOURCE = Path(__file__).with_name("AclOracle.java")
CASES = 3_000
QUESTIONS = 30  # about one set of rules
NAMES = ("*", "a", "ab", "abc", "abd", "b", "ba", "kafka-cluster", "é", "éa", "__cluster_metadata")
PRINCIPALS = ("User:*", "User:alice", "User:bob", "User:", "Group:alice", "User:a:b", "User:root")
ASKERS = PRINCIPALS[1:]  # Kafka's class fails on the principal that stands for all
HOSTS = ("*", "127.0.0.1", "10.0.0.1", "0:0:0:0:0:0:0:1", "fe80:0:0:0:0:0:a:1", "")
ADDRESSES = ("127.0.0.1", "10.0.0.1", "::1", "fe80::a:1", "192.168.0.9")
SUPER_USERS = ("", "User:root", "User:root; User:bob", "Group:alice;User:a:b")
RESOURCE_TYPES = tuple(one for one in ResourceType if one > ResourceType.ANY)
OPERATIONS = tuple(one for one in Operation if one > Operation.ANY)

Rule = tuple[int, int, str, str, str, int, int]
Question = tuple[str, str, int, int, str]


@frozen
class Case:
    """A set of rules, with those that were there before and went, and questions about it."""

    number: int
    super_users: str
    allow_without_rules: bool
    gone: tuple[Rule, ...]
    rules: tuple[Rule, ...]
    questions: tuple[Question, ...]

    def line(self) -> str:
        """The case as the Java program reads it."""
        spelled = {
            "superUsers": self.super_users,
            "allowWithoutRules": str(self.allow_without_rules).lower(),
            "rules": self.rules,
            "questions": self.questions,
        }
        return json.dumps(spelled) + "\n"


@define
class Report:
    """What a run did and found; ``allowed`` tells whether the questions were any good."""

    cases: int = 0
    allowed: int = 0
    differences: list[str] = field(factory=list)


def drawn(number: int, seed: int) -> Case:
    """The case of that number."""
    chance = Random(f"{seed} {number}")
    names = chance.sample(NAMES, chance.randint(1, len(NAMES)))
    kinds = chance.sample(RESOURCE_TYPES, chance.randint(1, 3))
    every = {
        (
            chance.choice(kinds),
            chance.choice((3, 3, 4)),
            chance.choice(names),
            chance.choice(PRINCIPALS),
            chance.choice(HOSTS),
            chance.choice(OPERATIONS),
            chance.choice((2, 3, 3)),
        ): None
        for _ in range(chance.choice((0, 1, 3, 10, 40)))
    }
    rules = tuple(every)
    stays = chance.randint(0, len(rules)) if chance.random() < 0.3 else len(rules)
    questions = tuple(
        (
            chance.choice(ASKERS),
            chance.choice(ADDRESSES),
            chance.choice(OPERATIONS),
            chance.choice(kinds),
            chance.choice(NAMES),
        )
        for _ in range(QUESTIONS)
    )
    allow = chance.random() < 0.3
    return Case(number, chance.choice(SUPER_USERS), allow, rules[stays:], rules[:stays], questions)


def ours(case: Case) -> str:
    """What our authoriser says, a letter a question; its index has seen the rules that went."""
    texts = {
        "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        "super.users": case.super_users,
        "allow.everyone.if.no.acl.found": str(case.allow_without_rules).lower(),
    }
    settings = AccessSettings.read(texts.get)
    assert settings is not None
    state = MetadataState()
    authoriser = StandardAuthoriser(settings, state.live, lambda: True)
    for offset, rule in enumerate((*case.gone, *case.rules)):
        kind, pattern, name, principal, host, operation, permission = rule
        record = AccessControlEntryRecord(
            offset.to_bytes(16, "big"), kind, name, pattern, principal, host, operation, permission
        )
        state.replay(MetadataRecord(18, 0, record), offset, 1, 0)
    _letters(authoriser, case.questions[:1])
    for number in range(len(case.gone)):
        removal = RemoveAccessControlEntryRecord(number.to_bytes(16, "big"))
        state.replay(MetadataRecord(19, 0, removal), state.end_offset, 1, 0)
    return _letters(authoriser, case.questions)


def _letters(authoriser: StandardAuthoriser, questions: Sequence[Question]) -> str:
    return "".join(
        "A" if authoriser.allows(who, host_text(address), Operation(what), kind, name) else "D"
        for who, address, what, kind, name in questions
    )


@define
class Oracle(helper.JavaProgram):
    """The Java process."""

    def _start(self) -> subprocess.Popen[str]:
        return helper.started(SOURCE, jars.libs(), flags=jvm.HEAP_FLAGS)

    def ask(self, case: Case) -> str:
        """What Kafka's authoriser says, a letter a question."""
        return self._exchange(case.line()).strip()


def run(count: int = CASES, seed: int = 0) -> Report:
    """Ask at least ``count`` questions of both."""
    report = Report()
    with Oracle() as oracle:
        for number in range(-(-count // QUESTIONS)):
            case = drawn(number, seed)
            theirs, said = oracle.ask(case), ours(case)
            report.cases += len(case.questions)
            report.allowed += theirs.count("A")
            if theirs != said:
                report.differences += list(_difference(case, theirs, said))
    return report


def _difference(case: Case, theirs: str, said: str) -> Iterator[str]:
    if len(theirs) != len(said):
        yield f"case {case.number}: Kafka told {theirs!r}"
        return
    for question, one, other in zip(case.questions, theirs, said, strict=True):
        if one != other:
            yield f"case {case.number}: {question}: Kafka {one}, ours {other}; {case.rules}"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tools.java.acl_oracle",
        description="Hold our decisions about rights against those of Kafka's authoriser.",
    )
    parser.add_argument("--cases", type=int, default=CASES, help="questions")
    parser.add_argument("--seed", type=int, default=0, help="another number, other rules")
    chosen = parser.parse_args(arguments)
    report = run(chosen.cases, chosen.seed)
    for line in report.differences:
        print(line)
    print(
        f"{report.cases} questions, {report.allowed} allowed, {len(report.differences)} differences"
    )
    return 1 if report.differences else 0


if __name__ == "__main__":
    raise SystemExit(main())
