"""``metaquorum dump-log``: print log segments, snapshots and the files beside them.

Flags and output are those of Kafka's ``kafka-dump-log.sh``; ``-o json`` gives one JSON object a
line instead. Nothing is ever written to the files that are looked at.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import click

from metaquorum.cli.command import OneDashCommand
from metaquorum.cli.dump_batches import BatchDump, DumpOptions, Line
from metaquorum.cli.dump_coordinators import (
    Content,
    offsets_content,
    share_state_content,
    transaction_content,
)
from metaquorum.cli.dump_indexes import (
    IndexFaults,
    ProducerSnapshotDamaged,
    offset_index_lines,
    producer_snapshot_lines,
    sanity_line,
    time_index_lines,
    transaction_index_lines,
)
from metaquorum.cli.dump_remote_metadata import remote_metadata_content
from metaquorum.cli.output import ESCAPES
from metaquorum.cli.payload_decoders import decoder_of
from metaquorum.wire.json_form import json_text

EXAMPLES = """\b
Examples:
  metaquorum dump-log --cluster-metadata-decoder --files 00000000000000000000.log
  metaquorum dump-log --cluster-metadata-decoder \\
      --files 00000000000000000140-0000000002.checkpoint -o json
  metaquorum dump-log --offsets-decoder --skip-record-metadata \\
      --files __consumer_offsets-7/00000000000000000000.log
  metaquorum dump-log --index-sanity-check --files 00000000000000000000.timeindex
"""


class Dump:
    """One run over several files, and what was wrong with them."""

    def __init__(
        self, options: DumpOptions, *, sanity: bool, verify: bool, max_message_bytes: int
    ) -> None:
        self._options = options
        self._sanity = sanity
        self._verify = verify
        self._max_message_bytes = max_message_bytes
        self._faults = IndexFaults()
        self._gaps: dict[str, list[tuple[int, int]]] = {}
        self._unknown: list[str] = []
        self._damaged: list[str] = []

    def lines(self, path: str) -> Iterator[Line]:
        """The dump of one file, its name first."""
        yield Line(f"Dumping {path}", {"kind": "file"})
        suffix = path.rpartition(".")[2]
        if suffix in ("log", "checkpoint"):
            dump = BatchDump(path, self._options)
            yield from dump.lines()
            if dump.gaps:
                self._gaps[path] = dump.gaps
        elif suffix in ("index", "timeindex") and self._sanity:
            yield sanity_line(path)
        elif suffix == "index":
            yield from offset_index_lines(
                path,
                verify_only=self._verify,
                max_message_bytes=self._max_message_bytes,
                faults=self._faults,
            )
        elif suffix == "timeindex":
            yield from time_index_lines(path, verify_only=self._verify, faults=self._faults)
        elif suffix == "txnindex":
            yield from transaction_index_lines(path)
        elif suffix == "snapshot":
            try:
                yield from producer_snapshot_lines(path)
            except ProducerSnapshotDamaged as damage:  # the files after it are still dumped
                self._damaged.append(str(damage))
        else:
            self._unknown.append(path)

    def complaints(self) -> Iterator[str]:
        """What goes to standard error after all files."""
        yield from (f"Ignoring unknown file {path}" for path in self._unknown)
        yield from self._damaged
        yield from self._faults.report()
        for path, gaps in self._gaps.items():
            yield f"Non-consecutive offsets in {path}"
            yield from (f"  {before} is followed by {after}" for before, after in gaps)


def _show_version(ctx: click.Context, _: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        from importlib.metadata import version

        click.echo(version("metaquorum"))
        ctx.exit()


@click.command(cls=OneDashCommand, name="dump-log", epilog=EXAMPLES)
@click.option(
    "--files", required=True, metavar="F[,F...]", help="Log, snapshot and index files to print."
)
@click.option(
    "--cluster-metadata-decoder",
    "metadata",
    is_flag=True,
    help="Print records as cluster metadata; implies --print-data-log.",
)
@click.option(
    "--print-data-log", "payloads", is_flag=True, help="Print keys and values as UTF-8 texts."
)
@click.option("--deep-iteration", "deep", is_flag=True, help="Print records and not only batches.")
@click.option(
    "--skip-record-metadata",
    is_flag=True,
    help="Of records, print keys and values only; leaves control records empty.",
)
@click.option(
    "--max-bytes",
    type=click.IntRange(0, 2**31 - 1),
    default=2**31 - 1,
    metavar="BYTES",
    help="Read no more than the first BYTES of each log.",
)
@click.option(
    "--index-sanity-check",
    "sanity",
    is_flag=True,
    help="Only check that indexes look as they must.",
)
@click.option(
    "--verify-index-only",
    "verify",
    is_flag=True,
    help="Check indexes against their logs without printing them.",
)
@click.option(
    "--max-message-size",
    type=click.IntRange(1, 2**31 - 1),
    default=5_242_880,
    show_default=True,
    metavar="BYTES",
    help="The largest batch that an index may point at.",
)
@click.option("--offsets-decoder", "offsets", is_flag=True, help="Read __consumer_offsets.")
@click.option(
    "--transaction-log-decoder", "transactions", is_flag=True, help="Read __transaction_state."
)
@click.option(
    "--remote-log-metadata-decoder", "remote", is_flag=True, help="Read __remote_log_metadata."
)
@click.option(
    "--share-group-state-decoder", "share", is_flag=True, help="Read __share_group_state."
)
@click.option(
    "--key-decoder-class",
    "key_class",
    metavar="CLASS",
    help="Kafka's StringDecoder, IntegerDecoder or LongDecoder, for keys.",
)
@click.option(
    "--value-decoder-class",
    "value_class",
    metavar="CLASS",
    help="The same for values.",
)
@click.option(
    "-o",
    "--output",
    type=click.Choice(["text", "json"]),
    default="text",
    help="Kafka's own text, or one JSON object a line.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Print the version, nothing else, and exit.",
)
def dump_log(
    files: str,
    metadata: bool,
    payloads: bool,
    deep: bool,
    skip_record_metadata: bool,
    max_bytes: int,
    sanity: bool,
    verify: bool,
    max_message_size: int,
    key_class: str | None,
    value_class: str | None,
    output: str,
    **own_topics: bool,
) -> int:
    """Print log segments, KRaft snapshots, indexes and producer snapshots."""
    content = _content(metadata=metadata, **own_topics)
    decoded = metadata or content is not None or key_class is not None or value_class is not None
    payloads = payloads or decoded
    options = DumpOptions(
        deep=deep or payloads,
        payloads=payloads,
        metadata=metadata,
        content=content,
        skip_record_metadata=skip_record_metadata,
        max_bytes=max_bytes,
        key_decoder=decoder_of("--key-decoder-class", key_class),
        value_decoder=decoder_of("--value-decoder-class", value_class),
    )
    dump = Dump(options, sanity=sanity, verify=verify, max_message_bytes=max_message_size)
    out, encoding = sys.stdout.buffer, sys.stdout.encoding
    errors = "replace" if output == "text" else ESCAPES  # as Java does it; what JSON can hold
    try:
        for path in filter(None, (name.strip() for name in files.split(","))):
            for line in dump.lines(path):
                text = line.text if output == "text" else _json_line(path, line)
                out.write(text.encode(encoding, errors) + b"\n")
    finally:
        out.flush()
    for complaint in dump.complaints():
        click.echo(complaint, err=True)
    return 0


def _json_line(path: str, line: Line) -> str:
    return json_text({"file": path, **line.facts})


def _content(
    *, offsets: bool, transactions: bool, metadata: bool, remote: bool, share: bool
) -> Content | None:
    """Of several decoders the one that Kafka's tool takes; None is left to the plain ones."""
    if offsets:
        return offsets_content
    if transactions:
        return transaction_content
    if metadata:
        return None
    if remote:
        return remote_metadata_content
    return share_state_content if share else None
