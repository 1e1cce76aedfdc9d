"""``storage``: what lies on disk afterwards, and what is printed; beside Kafka's own tool.

``format`` outputs are those of 4.3.1, the layout of files that of 4.4.0 (KIP-1170).
"""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

import pytest

from metaquorum.cli.dump_batches import BatchDump, DumpOptions
from metaquorum.cli.main import run

CLUSTER = "4L6g3nShT-eMCtK--X86sw"
OTHER_CLUSTER = "5L6g3nShT-eMCtK--X86sw"
ZERO = "__cluster_metadata-0/00000000000000000000-0000000000.checkpoint"
CONTROLLER = {
    "process.roles": "controller",
    "node.id": "1",
    "listeners": "CONTROLLER://localhost:9093",
    "controller.listener.names": "CONTROLLER",
    "controller.quorum.bootstrap.servers": "localhost:9093",
    "log.dirs": "d1,d2",
    "metadata.log.dir": "m",
}
STATIC = {"controller__quorum__voters": "1@localhost:9093"}

FEATURES_OF_A_FORMAT = (
    ("metadata.version", 30),
    ("eligible.leader.replicas.version", 1),
    ("group.version", 1),
    ("share.version", 1),
    ("streams.version", 1),
    ("transaction.version", 2),
)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def storage(*arguments: str, **changes: str) -> int:
    """Run one command of ``storage`` with the controller's configuration, changed."""
    properties = CONTROLLER | {name.replace("__", "."): text for name, text in changes.items()}
    text = "".join(f"{key}={value}\n" for key, value in properties.items() if value)
    Path("c.properties").write_text(text)
    return run(["storage", *arguments, "-c", "c.properties"])


def format_with(*arguments: str, cluster: str = CLUSTER, **changes: str) -> int:
    return storage("format", "-t", cluster, *arguments, **changes)


def files() -> dict[str, int]:
    """Every file but the configuration, with its size."""
    return {
        str(path): path.stat().st_size
        for path in sorted(Path().rglob("*"))
        if path.is_file() and path.name != "c.properties"
    }


def masked_dump(path: str) -> list[str]:
    """A snapshot's dump with times, checksums and drawn ids masked."""
    options = DumpOptions(deep=True, payloads=True, metadata=True)
    lines = (line.text for line in BatchDump(path, options).lines())
    return [
        re.sub(r'(Time:|crc:|imestamp":|voterDirectoryId":) ?"?[\w-]+"?', r"\1 X", line)
        for line in lines
    ]


def test_a_standalone_controller_gets_one_checkpoint_and_3_identities(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert format_with("--standalone") == 0
    assert files() == {
        "d1/meta.properties": 122,
        "d2/meta.properties": 122,
        f"m/{ZERO}": 494,
        "m/meta.properties": 122,
    }
    assert capsys.readouterr().out == (
        "Bootstrap metadata: BootstrapMetadata(records=["
        + ", ".join(
            f"ApiMessageAndVersion(FeatureLevelRecord(name='{name}', featureLevel={level}) "
            "at version 0)"
            for name, level in FEATURES_OF_A_FORMAT
        )
        + "], metadataVersionLevel=30, source=format command)\n"
        "Formatting data directory d1 with metadata.version 4.3-IV0.\n"
        "Formatting dynamic metadata voter directory m with metadata.version 4.3-IV0.\n"
        "Formatting data directory d2 with metadata.version 4.3-IV0.\n"
    )


def test_the_checkpoint_holds_header_voters_features_and_footer() -> None:
    format_with("--standalone")
    lines = masked_dump(f"m/{ZERO}")
    assert [line.partition("headerKeys: [] ")[2] for line in lines if line.startswith("|")] == [
        'SnapshotHeader {"version":0,"lastContainedLogTimestamp": X}',
        'KRaftVersion {"version":0,"kRaftVersion":1}',
        'KRaftVoters {"version":0,"voters":[{"voterId":1,"voterDirectoryId": X,'
        '"endpoints":[{"name":"CONTROLLER","host":"localhost","port":9093}],'
        '"kRaftVersionFeature":{"minSupportedVersion":0,"maxSupportedVersion":1}}]}',
        *(
            'payload: {"type":"FEATURE_LEVEL_RECORD","version":0,'
            f'"data":{{"name":"{name}","featureLevel":{level}}}}}'
            for name, level in FEATURES_OF_A_FORMAT
        ),
        'SnapshotFooter {"version":0}',
    ]
    batches = [line for line in lines if line.startswith("baseOffset")]
    assert [re.search(r"position: (\d+)", line)[1] for line in batches] == ["0", "166", "419"]  # type: ignore[index]
    assert all("isvalid: true" in line for line in batches)


def test_a_finished_checkpoint_cannot_be_written() -> None:
    format_with("--standalone")
    assert stat.S_IMODE(os.stat(f"m/{ZERO}").st_mode) == 0o400


def test_meta_properties_have_kafkas_lines() -> None:
    format_with("--standalone")
    lines = Path("m/meta.properties").read_text().splitlines()
    assert lines[0] == "#"
    assert re.fullmatch(r"#\w{3} \w{3} \d\d \d\d:\d\d:\d\d [\w+:-]+ \d{4}", lines[1])
    assert lines[2] == "node.id=1"
    assert re.fullmatch(r"directory\.id=[\w-]{22}", lines[3])
    assert lines[4:] == ["version=1", f"cluster.id={CLUSTER}"]


# Sizes as 4.4.0 writes them.
@pytest.mark.parametrize(
    ("arguments", "changes", "size"),
    [
        (["-N", "-r", "4.4"], {}, 427),
        (["-r", "4.4"], {"controller__quorum__voters": "1@localhost:9093"}, 411),
        (["-r", "3.8"], {"controller__quorum__voters": "1@localhost:9093"}, 249),
        (["-I", "2@h:2:dddddddddddddddddddd2A", "-r", "4.4"], {}, 485),
        (
            [
                "-I",
                "1@h:1:dddddddddddddddddddd1A,2@h:2:dddddddddddddddddddd2A,"
                "3@[::1]:3:dddddddddddddddddddd3A",
                "-r",
                "4.4",
            ],
            {},
            587,
        ),
    ],
)
def test_every_kind_of_quorum_has_its_checkpoint(
    arguments: list[str], changes: dict[str, str], size: int
) -> None:
    assert format_with(*arguments, **changes) == 0
    assert files()[f"m/{ZERO}"] == size


def test_a_broker_gets_its_identity_and_nothing_else() -> None:
    assert format_with(process__roles="broker", listeners="PLAINTEXT://localhost:9092") == 0
    assert [name for name in files() if not name.endswith("meta.properties")] == []


def test_the_older_layout_is_what_releases_before_4_4_write() -> None:
    assert format_with("--standalone", "--legacy-bootstrap") == 0
    sizes = files()
    assert sizes[f"m/{ZERO}"] == 241
    assert [sizes[f"{name}/bootstrap.checkpoint"] for name in ("d1", "d2", "m")] == [411] * 3
    assert masked_dump("m/bootstrap.checkpoint")[0] == "KRaft bootstrap snapshot"


def test_formatting_twice_is_refused_and_changes_nothing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    format_with("--standalone")
    before = {name: Path(name).read_bytes() for name in files()}
    capsys.readouterr()
    assert format_with("--standalone") == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "d1 is formatted already; with --ignore-formatted" in said.err
    assert {name: Path(name).read_bytes() for name in files()} == before


def test_ignoring_what_is_formatted_leaves_nothing_to_do(
    capsys: pytest.CaptureFixture[str],
) -> None:
    format_with("--standalone")
    capsys.readouterr()
    assert format_with("--standalone", "-g") == 0
    assert capsys.readouterr().out == "All of the log directories are already formatted.\n"


def test_ignoring_what_is_formatted_formats_the_rest(capsys: pytest.CaptureFixture[str]) -> None:
    format_with("--standalone", log__dirs="d1")
    capsys.readouterr()
    assert format_with("--standalone", "-g") == 0
    assert capsys.readouterr().out.splitlines()[1:] == [
        "Formatting data directory d2 with metadata.version 4.3-IV0."
    ]


@pytest.mark.parametrize(
    ("cluster", "changes", "told"),
    [
        (OTHER_CLUSTER, {}, f"meta.properties belongs to cluster {CLUSTER}, and {OTHER_CLUSTER}"),
        (CLUSTER, {"node__id": "2"}, "meta.properties belongs to node 1, and the configuration"),
    ],
)
def test_a_directory_of_somebody_else_is_never_taken(
    cluster: str, changes: dict[str, str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    format_with("--standalone")
    assert format_with("--standalone", "-g", cluster=cluster, **changes) == 1
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("left_over", ["m/bootstrap.checkpoint", f"m/{ZERO}"])
def test_a_checkpoint_without_an_identity_is_not_written_over(
    left_over: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """KIP-1170: format fails if either file is there, and skips the directory with the flag."""
    Path(left_over).parent.mkdir(parents=True)
    Path(left_over).write_bytes(b"x")
    assert format_with("--standalone") == 1
    assert f"{left_over} is there although m has no meta.properties" in capsys.readouterr().err
    assert format_with("--standalone", "-g") == 0
    assert Path(left_over).read_bytes() == b"x"
    assert "m/meta.properties" not in files()


def test_a_file_in_the_place_of_a_directory_is_left_out(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("d2").write_text("x")
    assert format_with("--standalone") == 0
    assert "d2 is not a directory; it is left out." in capsys.readouterr().err
    assert format_with("-N", metadata__log__dir="d2") == 1


def test_a_directory_that_cannot_be_made_stops_a_format_at_the_start(
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("f").write_text("x")
    assert format_with("--standalone", log__dirs="d1,f/below") == 1
    assert "cannot make f/below: Not a directory" in capsys.readouterr().err
    assert files() == {"f": 1}


def test_users_come_after_the_features_and_are_shown_as_by_kafka(
    capsys: pytest.CaptureFixture[str],
) -> None:
    user = "SCRAM-SHA-256=[name=alice,salt=N3E=,saltedpassword=YCE=]"
    other = "SCRAM-SHA-512=[name=bob,salt=N3E=,saltedpassword=YCE=,iterations=8192]"
    assert format_with("--standalone", "-r", "3.9", "-S", user, "--add-scram", other) == 0
    shown = capsys.readouterr().out.splitlines()[0]
    assert shown.startswith(
        "Bootstrap metadata: BootstrapMetadata(records=[ApiMessageAndVersion(FeatureLevelRecord("
        "name='metadata.version', featureLevel=21) at version 0), ApiMessageAndVersion("
        "UserScramCredentialRecord(name='alice', mechanism=1, salt=[55, 113], "
        "storedKey=[-24, -19, 126, 121, -88,"
    )
    assert "iterations=8192) at version 0)], metadataVersionLevel=21" in shown
    payloads = [line for line in masked_dump(f"m/{ZERO}") if "payload" in line]
    assert [re.search(r'"type":"(\w+)"', line)[1] for line in payloads] == [  # type: ignore[index]
        "FEATURE_LEVEL_RECORD",
        "USER_SCRAM_CREDENTIAL_RECORD",
        "USER_SCRAM_CREDENTIAL_RECORD",
    ]
    assert '"name":"bob","mechanism":2,"salt":"N3E="' in payloads[2]


def test_users_go_into_the_older_file_where_that_is_asked_for() -> None:
    user = "SCRAM-SHA-256=[name=alice,password=secret]"
    assert format_with("--standalone", "--legacy-bootstrap", "-S", user) == 0
    assert "USER_SCRAM_CREDENTIAL_RECORD" in masked_dump("m/bootstrap.checkpoint")[-3]
    assert files()[f"m/{ZERO}"] == 241


def test_a_user_that_cannot_be_added_stops_the_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert format_with("--standalone", "-S", "SCRAM-SHA-256=[name=a]") == 1
    assert format_with("-r", "3.5-IV1", "-S", "nonsense", **STATIC) == 1
    assert capsys.readouterr().err.splitlines() == [
        "metaquorum: You must supply one of 'password' or 'saltedpassword' to add-scram",
        "metaquorum: SCRAM is only supported in metadata.version 3.5-IV2 or later.",
    ]
    assert files() == {}


@pytest.mark.parametrize("cluster", ["", " ", "a b"])
def test_a_cluster_id_without_a_form_is_refused(cluster: str) -> None:
    assert format_with("--standalone", cluster=cluster) == 1


def test_random_ids_are_drawn_in_kafkas_form(capsys: pytest.CaptureFixture[str]) -> None:
    for _ in range(50):
        assert run(["storage", "random-uuid"]) == 0
    drawn = capsys.readouterr().out.split()
    assert len(set(drawn)) == 50
    assert all(re.fullmatch(r"\w[\w-]{21}", one) for one in drawn)


def test_info_shows_directories_and_identity(capsys: pytest.CaptureFixture[str]) -> None:
    format_with("--standalone")
    capsys.readouterr()
    assert storage("info") == 0
    shown = re.sub(r"directory\.id=[\w-]+", "directory.id=X", capsys.readouterr().out)
    assert shown == (
        "Found log directories:\n  d1\n  d2\n  m\n\n"
        f"Found metadata: {{cluster.id={CLUSTER}, directory.id=X, node.id=1, version=1}}\n\n"
    )


def test_info_tells_problems_and_fails(capsys: pytest.CaptureFixture[str]) -> None:
    format_with("--standalone", log__dirs="d1", metadata__log__dir="")
    Path("d2").mkdir()
    Path("f").write_text("x")
    capsys.readouterr()
    assert storage("info", log__dirs="d1,d2,f,gone", metadata__log__dir="") == 1
    shown = re.sub(r"directory\.id=[\w-]+", "directory.id=X", capsys.readouterr().out)
    assert shown == (
        "Found log directories:\n  d1\n  d2\n\n"
        f"Found metadata: {{cluster.id={CLUSTER}, directory.id=X, node.id=1, version=1}}\n\n"
        "Found problems:\n  d2 is not formatted.\n  f is not a directory\n"
        "  gone does not exist\n\n"
    )


def test_info_tells_directories_of_two_clusters(capsys: pytest.CaptureFixture[str]) -> None:
    format_with("--standalone", log__dirs="d1", metadata__log__dir="")
    format_with(
        "--standalone", cluster=OTHER_CLUSTER, log__dirs="d2", metadata__log__dir="", node__id="2"
    )
    capsys.readouterr()
    assert storage("info", metadata__log__dir="") == 1
    assert capsys.readouterr().out.endswith(
        "Found problems:\n"
        "  Mismatched cluster IDs between storage directories.\n"
        "  Mismatched node IDs between storage directories.\n\n"
    )


def test_the_mapping_of_a_release_is_shown_as_kafka_shows_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["storage", "version-mapping", "-r", "3.9"]) == 0
    assert capsys.readouterr().out == (
        "metadata.version=21 (3.9)\nkraft.version=1\ntransaction.version=0\ngroup.version=0\n"
        "eligible.leader.replicas.version=0\nshare.version=0\nstreams.version=0\n"
    )
    assert run(["storage", "version-mapping"]) == 0
    assert capsys.readouterr().out.startswith("metadata.version=30 (4.3-IV0)\n")


def test_dependencies_are_shown_for_each_feature(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["-f", "eligible.leader.replicas.version=1", "-f", "group.version=1"]
    assert run(["storage", "feature-dependencies", *flags]) == 0
    assert capsys.readouterr().out == (
        "eligible.leader.replicas.version=1 requires:\n    metadata.version=23 (4.0-IV1)\n"
        "group.version=1 has no dependencies.\n"
    )


def test_both_commands_speak_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert format_with("--standalone", "-o", "json") == 0
    made = json.loads(capsys.readouterr().out)
    assert (made["clusterId"], made["nodeId"], made["kraftVersion"]) == (CLUSTER, 1, 1)
    assert made["features"]["metadata.version"] == 30
    assert made["voters"][0]["endpoints"] == ["CONTROLLER://localhost:9093"]
    assert sorted(one["path"] for one in made["directories"]) == ["d1", "d2", "m"]
    assert storage("info", "-o", "json", log__dirs="d1,d2,gone") == 1
    found = json.loads(capsys.readouterr().out)
    assert found["directories"] == ["d1", "d2", "m"]
    assert found["metadata"]["cluster.id"] == CLUSTER
    assert found["problems"] == ["gone does not exist"]
