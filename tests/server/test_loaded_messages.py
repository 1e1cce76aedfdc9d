"""Every command loads the codecs of the messages that it uses, and no others.

A node loads those of all that it may be asked, once, before it says that it is ready.

Each runs in a process of its own that writes down every module it looks for, however it is
imported. The lists are whole: a codec too many fails as one too few does.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from metaquorum.testing import golden
from metaquorum.testing.schemas import message

WATCHED = """
import sys
class Watch:
    out = open(sys.argv.pop(1), "w", buffering=1)
    def find_spec(self, name, path=None, target=None):
        self.out.write(name + chr(10))
sys.meta_path.insert(0, Watch())
from metaquorum.cli.main import main, run
"""
GENERATED = "metaquorum.wire.generated."
TABLES = {"index", "error_codes", "records"}  # generated too, but of no message
CONFIG = """\
process.roles=controller
node.id=1
controller.quorum.bootstrap.servers=127.0.0.1:1
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:0
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
metadata.max.idle.interval.ms=0
metaquorum.groups.enable=false
log.dirs={data}
"""
CONNECTION = {"api_versions_request", "api_versions_response"}
FETCH = {"fetch_request", "fetch_response"}
ASK = {
    *CONNECTION,
    "describe_cluster_request",
    "describe_cluster_response",
    "describe_quorum_request",
    "describe_quorum_response",
}
FIRST_RECORDS = {
    "leader_change_message",
    "kraft_version_record",
    "voters_record",
    "records.begin_transaction_record",
    "records.feature_level_record",
    "records.config_record",
    "records.end_transaction_record",
    "records.register_controller_record",
}
REGISTRATION = {"controller_registration_request", "controller_registration_response"}
CHECKPOINT = {
    "snapshot_header_record",
    "kraft_version_record",
    "voters_record",
    "records.feature_level_record",
    "snapshot_footer_record",
}
HELPS = [
    [],
    ["server"],
    ["server", "start"],
    ["storage"],
    ["storage", "format"],
    ["storage", "info"],
    ["storage", "random-uuid"],
    ["metadata-quorum"],
    ["metadata-quorum", "describe"],
    ["metadata-quorum", "explain"],
    ["tail"],
    ["dump-log"],
    ["frame"],
    ["frame", "decode"],
    ["frame", "encode"],
    ["record"],
    ["record", "decode"],
    ["metrics"],
]


def messages(listing: Path) -> set[str]:
    """The generated codecs among the modules in ``listing``."""
    found = {
        name.removeprefix(GENERATED)
        for name in listing.read_text().split()
        if name.startswith(GENERATED)
    }
    return found - TABLES


def loaded(tmp_path: Path, *arguments: object, text: str = "") -> set[str]:
    """The codecs that one command line loads; it must succeed."""
    listing = tmp_path / "modules"
    program = [sys.executable, "-c", WATCHED + "main()", listing, *map(str, arguments)]
    done = subprocess.run(program, input=text, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "metaquorum.cli.main" in listing.read_text()
    return messages(listing)


@contextmanager
def watched_server(config: Path, listing: Path) -> Iterator[str]:
    """Our server in a process that lists its modules; gives the controller's address.

    It leads by then and its first records are committed: the command line says so.
    """
    program = [sys.executable, "-c", WATCHED + "main()", listing, "server", "start", config]
    server = subprocess.Popen(
        list(map(str, program)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    try:
        assert server.stderr is not None
        address, leads = "", False
        for line in server.stderr:
            if (ports := re.search(r" info started .* controller=(\d+)", line)) is not None:
                address = f"127.0.0.1:{ports.group(1)}"
            leads = leads or "after=Leader" in line
            if address and leads:
                break
        assert address
        yield address
    finally:
        server.terminate()
        server.communicate()


def test_import_of_the_package_and_every_help_load_no_message(tmp_path: Path) -> None:
    listing = tmp_path / "modules"
    program = (
        f"{WATCHED}import metaquorum\nfor one in {HELPS}:\n    assert run([*one, '--help']) == 0"
    )
    subprocess.run([sys.executable, "-c", program, listing], check=True, stdout=subprocess.DEVNULL)
    assert "metaquorum.cli.frame" in listing.read_text()
    assert messages(listing) == set()


def test_the_parts_of_the_package_that_read_nothing_load_no_message(tmp_path: Path) -> None:
    assert loaded(tmp_path, "--version") == set()
    assert loaded(tmp_path, "storage", "random-uuid") == set()


@pytest.mark.parametrize("name", ["VoteRequest", "FetchRequest"])
def test_a_frame_loads_the_codec_of_its_own_message(name: str, tmp_path: Path) -> None:
    schema = message(name)
    frame = golden.frames(schema)[-1]
    assert schema.api_key is not None
    head = schema.api_key.to_bytes(2, "big") + frame.version.to_bytes(2, "big") + bytes(4)
    line = (head + b"\xff\xff\0" + frame.data).hex()
    assert loaded(tmp_path, "frame", "decode", text=line) == {schema.module}


def test_a_record_loads_the_codec_of_its_own_type(tmp_path: Path) -> None:
    assert loaded(tmp_path, "record", "decode", text="01140000") == {"records.no_op_record"}


def test_a_node_from_format_to_log_dump_loads_only_messages_it_uses(
    tmp_path: Path,
) -> None:
    config = tmp_path / "server.properties"
    config.write_text(CONFIG.format(data=tmp_path / "data"))
    cluster = "Uo6TSTGdSTaZF1yMAgtwbw"
    formatting = ["storage", "format", "-t", cluster, "-c", config, "--standalone"]
    assert loaded(tmp_path, *formatting) == CHECKPOINT
    assert loaded(tmp_path, "storage", "info", "-c", config) == set()
    listing = tmp_path / "server"
    with watched_server(config, listing) as address:
        controller = ["--bootstrap-controller", address]
        served = messages(listing)
        assert {*ASK, *FIRST_RECORDS, *REGISTRATION, *CHECKPOINT, *FETCH} <= served
        assert "leader_and_isr_request" not in served
        described = loaded(tmp_path, "metadata-quorum", *controller, "describe", "--status")
        assert described == ASK
        tailing = loaded(tmp_path, "tail", *controller)
        assert tailing == {*CONNECTION, *FETCH, *FIRST_RECORDS}
        assert messages(listing) == served
    log = tmp_path / "data" / "__cluster_metadata-0" / "00000000000000000000.log"
    assert loaded(tmp_path, "dump-log", "--files", log) == set()
    dumped = loaded(tmp_path, "dump-log", "--cluster-metadata-decoder", "--files", log)
    assert dumped == FIRST_RECORDS
