"""Asks both controllers the same, one command after the other, and compares after each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from random import Random
from typing import Any, Final

from attrs import define, field

from metaquorum.controller.partitions.facts import UNASSIGNED_DIRECTORY
from metaquorum.metadata.tables.features import ELIGIBLE_LEADER_REPLICAS_VERSION
from metaquorum.metadata.tables.nodes import FENCE, Broker
from metaquorum.metadata.tables.topics import NO_LEADER, RECOVERING, Partition, PartitionKey
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated.records.broker_registration_change_record import (
    BrokerRegistrationChangeRecord,
)
from tools.differential import fake_brokers, settings, tokens, topics
from tools.differential.commands import Ask, Draw
from tools.differential.difference import difference
from tools.differential.form import (
    PARTITION_CHANGE,
    Known,
    answer_form,
    changed_partitions,
    keeps_removed_replicas,
    partition_forms,
    record_forms,
    state_forms,
)
from tools.differential.side import Side
from tools.process import until

CREATE_ACLS, DELETE_ACLS, DESCRIBE_ACLS = 30, 31, 29
MOST_TOPICS = 6
REGISTRATION_CHANGE = 17
UNKNOWN = -1
LAST = 5

Verb = Callable[[Draw], Ask | None]

VERBS: Final[dict[Verb, int]] = {
    fake_brokers.beat: 30,
    fake_brokers.register: 6,
    fake_brokers.unregister: 1,
    fake_brokers.allocate: 2,
    fake_brokers.alter_partition: 24,
    fake_brokers.assign: 5,
    topics.create_topics: 10,
    topics.delete_topics: 3,
    topics.create_partitions: 4,
    topics.elect: 5,
    topics.reassign: 9,
    topics.list_moves: 2,
    settings.alter_configs: 10,
    settings.alter_quotas: 3,
    settings.alter_users: 2,
    settings.create_acls: 3,
    settings.delete_acls: 1,
    settings.describe_acls: 1,
    settings.update_features: 1,
    tokens.create_token: 2,
    tokens.renew_token: 1,
    tokens.expire_token: 1,
}
"""How often each is asked, in relation to the others."""


class Differs(AssertionError):
    """What the two answered, wrote or hold is not the same; the message shows both."""


@define
class Play:
    """``kafka`` is the controller of Kafka, ``ours`` the other one; both begin formatted alike.

    ``restart`` stops and starts both, None for a play without that. A difference names the last
    ``shown`` commands. With ``goes_on`` an answer that
    differs is noted in ``noted`` and the play goes on, as long as the states stay equal.
    """

    kafka: Side
    ours: Side
    random: Random
    restart: Callable[[], None] | None = None
    verbs: Mapping[Verb, int] = field(factory=lambda: VERBS)
    codes: Counter[tuple[int, int]] = field(factory=Counter)
    asked: Counter[str] = field(factory=Counter)
    goes_on: bool = False
    noted: list[str] = field(factory=list)
    shown: int = LAST
    explained: int = 0
    failed: int = 0
    last: list[str] = field(factory=list)
    spoilt: set[bytes] = field(factory=set)
    stuck: set[int] = field(factory=set)
    parted: set[str] = field(factory=set)
    """Topics that are not the same any more, for a reason that is known: they are deleted."""

    @property
    def sides(self) -> tuple[Side, Side]:
        """Kafka first."""
        return self.kafka, self.ours

    def draw(self) -> Draw:
        """What the next command is drawn from."""
        ours, theirs = self.ours.connection.versions, self.kafka.connection.versions
        both = {
            key: (max(ours[key][0], theirs[key][0]), min(ours[key][1], theirs[key][1]))
            for key in ours.keys() & theirs.keys()
        }
        return Draw(self.random, self.kafka, both, self.spoilt, self.stuck)

    def begin(self) -> None:
        """All brokers register and serve."""
        for side in self.sides:
            side.follow()
        draw = self.draw()
        for broker_id in fake_brokers.BROKERS:
            life = fake_brokers.incarnation(broker_id, 0)
            self.ask(fake_brokers.registration(draw, broker_id, life, names_epoch=False))
            self.ask(fake_brokers.heartbeat(broker_id, 1))

    def step(self) -> None:
        """One command of any kind."""
        draw = self.draw()
        verb = self.random.choices(list(self.verbs), list(self.verbs.values()))[0]
        if verb is topics.create_topics and len(draw.topics()) >= MOST_TOPICS:
            verb = topics.delete_topics
        asked = verb(draw)
        if asked is None:
            return
        self.asked[verb.__name__] += 1
        self.ask(asked)
        if verb in (fake_brokers.beat, fake_brokers.register):
            self._tell_offsets()
        self._delete_parted()

    def ask(self, asked: Ask) -> None:
        """Ask both, and compare answers, records and partitions."""
        self.last = [
            *self.last[1 - self.shown :],
            f"{asked.what} (API {asked.api_key} v{asked.version}"
            f"{'' if asked.asker is None else f', {asked.asker.principal}'})",
        ]
        before = dict(self.kafka.view.partitions.items()), dict(self.ours.view.partitions.items())
        before_brokers = dict(self.kafka.view.brokers.items())
        theirs = self._asked_of(self.kafka, asked, asked.make)
        written = self.kafka.follow()
        if UNKNOWN in _codes(answer_form(self.kafka, asked.api_key, asked.version, theirs)):
            self._kafka_failed(asked, written)
            return
        is_placed = asked.as_placed is not None
        ours = self._asked_of(self.ours, asked, (is_placed and asked.validated) or asked.make)
        if asked.as_placed is not None and not isinstance(theirs, int):
            placed = asked.as_placed(self.kafka, theirs)
            if placed is not None:
                answer = self._asked_of(self.ours, asked, placed)
                form = answer_form(self.ours, asked.api_key, asked.version, answer)
                self._same("codes of what was placed", {0}, {0, *_codes(form)})
        written = self._without_needless_fencing(before_brokers, written)
        also_written = self.ours.follow()
        forms = (
            answer_form(self.kafka, asked.api_key, asked.version, theirs),
            answer_form(self.ours, asked.api_key, asked.version, ours),
        )
        if is_placed:
            forms = _without_ids(forms[0]), _without_ids(forms[1])
        self._same("answers", *forms, may_go_on=self.goes_on)
        self._count(asked.api_key, forms[0])
        self._same_records(before, written, also_written)
        for key, one in before[0].items():
            if self.kafka.view.partitions.get(key) is None:
                self.spoilt.update(one.directories)
        self.parted |= self._with_removed_replicas()
        self._same("partitions", *(self._together(partition_forms(side)) for side in self.sides))
        if asked.api_key in (CREATE_ACLS, DELETE_ACLS) and written:
            self._rights_are_in_force()
        for record in written:
            if record.type in tokens.RECORDS:
                self._token_is_known(record.message.token_id, tokens.answers_to_probe(record))

    def _tell_offsets(self) -> None:
        """A controller of Kafka forgets what a broker has applied when its registration changes."""
        draw = self.draw()
        for broker_id in fake_brokers.BROKERS:
            if draw.is_active(broker_id):
                self.ask(fake_brokers.heartbeat(broker_id, 1))

    def _kafka_failed(self, asked: Ask, written: Sequence[MetadataRecord]) -> None:
        """A fault of Kafka's controller, which steps down and knows of no broker then.

        Ours is not asked the same, and is restarted with it (decision 244).
        """
        self._same("records of a command that failed", [], record_forms(self.kafka, written))
        self.failed += 1
        if asked.broker_id is not None:
            self.stuck.add(asked.broker_id)
        self.start_again()

    def finish(self) -> None:
        """Compare the states whole."""
        self._same("states", state_forms(self.kafka), state_forms(self.ours))

    def start_again(self) -> None:
        """Both controllers are restarted; fenced brokers come back as other processes."""
        assert self.restart is not None
        for broker_id in fake_brokers.BROKERS:
            broker = self.kafka.view.brokers.get(broker_id)
            if broker is None or broker_id in self.stuck:
                continue
            if broker.in_controlled_shutdown and not broker.fenced:
                self.ask(fake_brokers.unregistration(broker_id))  # decision 231: Kafka forgets it
        self.last = [*self.last[1 - self.shown :], "both restart"]
        self.restart()
        for side in self.sides:
            side.connect()
            side.follow()
        self._rights_are_in_force()
        for token_id, _ in self.kafka.view.tokens.items():
            self._token_is_known(token_id, tokens.THERE)
        self._part_what_ours_elected()
        for broker_id in fake_brokers.BROKERS:
            broker = self.kafka.view.brokers.get(broker_id)
            if broker is None or broker_id in self.stuck:
                continue
            if broker.fenced and self.random.random() < 0.7:
                life = fake_brokers.incarnation(broker_id, self.random.randrange(4))
                names = self.random.random() < 0.5
                self.ask(fake_brokers.registration(self.draw(), broker_id, life, names_epoch=names))
                self.asked["register after a restart"] += 1
        self._delete_parted()

    def _part_what_ours_elected(self) -> None:
        """A new controller of ours elects where there is no leader though one could be had.

        Decision 243. Kafka's waits for the next change of a broker. Where nobody could be had, the
        look at a partition may end its reassignment, as any change of it does.
        """
        theirs, ours = partition_forms(self.kafka), partition_forms(self.ours)
        in_ours = dict(self._partitions(self.ours))
        offline = {key: one for key, one in self._partitions(self.kafka) if one.leader == NO_LEADER}
        changed = {
            key
            for key, one in offline.items()
            if key in in_ours
            and (in_ours[key].leader != NO_LEADER or (_moves(one) and not _moves(in_ours[key])))
        }
        differ = {key for key in {**theirs, **ours} if theirs.get(key) != ours.get(key)}
        if differ <= changed:
            self.explained += len(differ)
            self.parted |= {topic for topic, _ in differ}

    @staticmethod
    def _partitions(side: Side) -> Iterator[tuple[tuple[str, int], Partition]]:
        for key, one in side.view.partitions.items():
            yield (side.topic_name(key[0]), key[1]), one

    def _delete_parted(self) -> None:
        for topic in sorted(self.parted):
            self.ask(topics.delete_topic(topic))
        self.parted.clear()

    def _asked_of(self, side: Side, asked: Ask, make: Callable[[Side], Any]) -> Any:
        return side.ask(asked.api_key, asked.version, make(side), asked.asker)

    def _without_needless_fencing(
        self, before: Mapping[int, Broker], written: list[MetadataRecord]
    ) -> list[MetadataRecord]:
        """Kafka fences a fenced broker again, and writes that no directory is left as no change.

        Decision 231.
        """
        fenced = {broker_id for broker_id, one in before.items() if one.fenced}
        kept = [
            one
            for one in written
            if one.type != REGISTRATION_CHANGE or _changes(one.message, fenced)
        ]
        self.explained += len(written) - len(kept)
        return kept

    def _same_records(
        self,
        before: tuple[dict[Any, Any], dict[Any, Any]],
        theirs: Sequence[MetadataRecord],
        ours: Sequence[MetadataRecord],
    ) -> None:
        """Equal records; or partitions that become the same by other records, with a reason."""
        forms = record_forms(self.kafka, theirs), record_forms(self.ours, ours)
        if forms[0] == forms[1]:
            return
        rest = [
            record_forms(side, [one for one in some if one.type != PARTITION_CHANGE])
            for side, some in zip(self.sides, (theirs, ours), strict=True)
        ]
        self._same("records", *(forms if rest[0] != rest[1] else rest))
        changes = [[one for one in some if one.type == PARTITION_CHANGE] for some in (theirs, ours)]
        made = [
            changed_partitions(side, old, some)
            for side, old, some in zip(self.sides, before, changes, strict=True)
        ]
        differ = {key for key in {**made[0], **made[1]} if made[0].get(key) != made[1].get(key)}
        known = self._uneven(before[0]) | self._led_by_eligible(before[0])
        known |= self._changed_twice(changes[0]) | self._keep_last_leaders()
        known |= self._led_where_lost(before[0])
        if differ and {topic for topic, _ in differ} <= known:
            self.parted |= {topic for topic, _ in differ}
        elif differ:
            self.last += [
                f"{self.kafka.topic_name(topic_id)}-{number} was {one}"
                for (topic_id, number), one in before[0].items()
                if {(self.kafka.topic_name(topic_id), number)} & {*made[0], *made[1]}
            ]
            self._same("partitions after the records", *made)
        elif not self._is_known(before[0], changes[0]):
            self._same("records", *forms)
        self.explained += 1

    def _is_known(self, before: dict[Any, Any], theirs: Sequence[MetadataRecord]) -> bool:
        """Two records for one partition, or eligible ones that are no replicas (decision 234)."""
        keys = [(bytes(one.message.topic_id), one.message.partition_id) for one in theirs]
        now = self.kafka.view.partitions
        return len(set(keys)) < len(keys) or any(
            one is not None and keeps_removed_replicas(one)
            for key in keys
            for one in (before.get(key), now.get(key))
        )

    def _with_removed_replicas(self) -> set[str]:
        return {
            self.kafka.topic_name(topic_id)
            for (topic_id, _), one in self.kafka.view.partitions.items()
            if keeps_removed_replicas(one)
        }

    def _uneven(self, before: Mapping[PartitionKey, Partition]) -> set[str]:
        """Topics of partitions with more and with less replicas.

        Kafka takes the number of partition 0 for all of them where it looks whether the ISR is
        large enough (decision 234).
        """
        counts: dict[str, set[int]] = {}
        for table in (before, dict(self.kafka.view.partitions.items())):
            for (topic_id, _), one in table.items():
                counts.setdefault(self.kafka.topic_name(topic_id), set()).add(len(one.replicas))
        return {topic for topic, found in counts.items() if len(found) > 1}

    def _led_by_eligible(self, before: Mapping[PartitionKey, Partition]) -> set[str]:
        """Topics of partitions that nobody in sync can lead, and an eligible replica does with us.

        Kafka asks the ELR only when nobody is in sync at all (decision 243): it elects nobody, or
        that replica uncleanly. The leader may have lost its directory just now, or long ago: one
        process that registers again may have others.
        """
        ours = {
            (self.ours.topic_name(topic_id), number): one
            for (topic_id, number), one in self.ours.view.partitions.items()
        }
        found: set[str] = set()
        for key, one in self.kafka.view.partitions.items():
            name = self.kafka.topic_name(key[0])
            mine, old = ours.get((name, key[1])), before.get(key)
            if mine is None or old is None:
                continue
            if one.leader == NO_LEADER:
                is_known = bool(one.isr) and mine.leader in one.elr
            else:
                is_unclean = one.leader_recovery_state == RECOVERING and mine.leader == one.leader
                # An ELR that is left says that too few stayed in sync: who left is eligible.
                has_just_left = mine.leader in old.isr and bool(mine.elr)
                is_known = is_unclean and (mine.leader in old.elr or has_just_left)
            if is_known:
                found.add(name)
        return found

    def _led_where_lost(self, before: Mapping[PartitionKey, Partition]) -> set[str]:
        """Topics of partitions that Kafka has led in the directory that the leader has just lost.

        Kafka judges a replica that moves by the directory where it was (decision 244).
        """
        brokers = self.kafka.view.brokers
        return {
            self.kafka.topic_name(key[0])
            for key, one in self.kafka.view.partitions.items()
            if one.leader != NO_LEADER and key in before and before[key].leader == NO_LEADER
            if (leader := brokers.get(one.leader)) is not None and leader.log_dirs
            if one.directories[one.replicas.index(one.leader)]
            not in (*leader.log_dirs, UNASSIGNED_DIRECTORY)
        }

    def _keep_last_leaders(self) -> set[str]:
        """Topics of partitions that remember a last leader while the ELR feature is off.

        Kafka keeps it through all changes until the feature is on again (decision 244).
        """
        if self.kafka.view.features.level(ELIGIBLE_LEADER_REPLICAS_VERSION):
            return set()
        return {
            self.kafka.topic_name(topic_id)
            for (topic_id, _), one in self.kafka.view.partitions.items()
            if one.last_known_elr
        }

    def _changed_twice(self, theirs: Sequence[MetadataRecord]) -> set[str]:
        """Topics of partitions that Kafka changes by two records of one batch (decision 233)."""
        times = Counter((bytes(one.message.topic_id), one.message.partition_id) for one in theirs)
        return {self.kafka.topic_name(key[0]) for key, count in times.items() if count > 1}

    def _together(self, forms: dict[Known, object]) -> dict[Known, object]:
        return {key: one for key, one in forms.items() if key[0] not in self.parted}

    def _rights_are_in_force(self) -> None:
        """Kafka's authorizer follows the log by itself, a moment later."""
        rules = sum(1 for _ in self.kafka.view.access_rules.items())
        asked = settings.describe_acls(self.draw())

        def shown() -> bool:
            answer = self.kafka.ask(asked.api_key, asked.version, asked.make(self.kafka))
            return sum(len(one.acls) for one in answer.resources) == rules

        until(shown, "Kafka's authorizer does not follow")

    def _token_is_known(self, token_id: str, codes: Sequence[int]) -> None:
        """Kafka's controller knows tokens by what it follows of the log, a moment later, too."""
        asked = tokens.probe(self.kafka.token_name(token_id))

        def shown() -> bool:
            answer = self.kafka.ask(
                asked.api_key, asked.version, asked.make(self.kafka), asked.asker
            )
            return not isinstance(answer, int) and answer.error_code in codes

        until(shown, "Kafka's controller does not follow")

    def _count(self, api_key: int, form: object) -> None:
        for code in _codes(form):
            self.codes[api_key, code] += 1

    def _same(self, what: str, theirs: object, ours: object, *, may_go_on: bool = False) -> None:
        if theirs == ours:
            return
        asked = "\n  ".join(self.last[-1:] if may_go_on else self.last)
        found = f"{what} differ after\n  {asked}\n{difference(theirs, ours)}"
        if not may_go_on:
            raise Differs(found)
        self.noted.append(found)


def _changes(message: BrokerRegistrationChangeRecord, fenced: Set[int]) -> bool:
    if message.fenced == FENCE:
        return message.broker_id not in fenced
    return bool(
        message.fenced
        or message.in_controlled_shutdown
        or message.log_dirs
        or message.cordoned_log_dirs is not None
    )


def _moves(partition: Partition) -> bool:
    """Whether a reassignment of it is running."""
    return bool(partition.adding_replicas or partition.removing_replicas)


def _without_ids(form: object) -> object:
    """Without the ids of topics: that of a topic that is only validated is nobody's."""
    if isinstance(form, dict):
        return {key: _without_ids(one) for key, one in form.items() if key != "topicId"}
    if isinstance(form, list):
        return sorted(map(_without_ids, form), key=repr)
    return form


def _codes(form: object) -> list[int]:
    if isinstance(form, int) and not isinstance(form, bool):
        return [form]
    if isinstance(form, dict):
        found = [one for key, one in form.items() if key == "errorCode"]
        return [*found, *(code for one in form.values() for code in _nested(one))]
    return _nested(form)


def _nested(form: object) -> list[int]:
    if isinstance(form, dict):
        return _codes(form)
    if isinstance(form, list):
        return [code for one in form if isinstance(one, dict | list) for code in _nested(one)]
    return []
