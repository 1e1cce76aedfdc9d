"""The same uploads into a store that speaks the protocol of S3, run inside this process."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.cli import tier as module
from metaquorum.cli.main import run
from metaquorum.storage.tier_check import check_store
from metaquorum.storage.tier_s3 import open_store
from metaquorum.storage.tier_store import StoreFailed, TierStore
from metaquorum.storage.tier_upload import Done
from tests.unit.storage.broker_batches import NOW_MS
from tests.unit.storage.tiered_partition import contents, orders, upload

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    """A server with one bucket."""
    import boto3
    from moto.server import ThreadedMotoServer

    with pytest.MonkeyPatch.context() as patch:
        for key in [key for key in os.environ if key.startswith("AWS_")]:
            patch.delenv(key)
        for key, value in {
            "AWS_ACCESS_KEY_ID": "any",
            "AWS_SECRET_ACCESS_KEY": "any",
            "AWS_DEFAULT_REGION": "us-east-1",
        }.items():
            patch.setenv(key, value)
        server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        server.start()
        try:
            host, port = server.get_host_and_port()
            url = f"http://{host}:{port}"
            boto3.client("s3", endpoint_url=url).create_bucket(Bucket="archive")
            yield url
        finally:
            server.stop()


def objects(store: TierStore) -> dict[str, bytes]:
    return {key: store.read(key) or b"" for key in store.sizes("")}


def test_an_object_store_gets_the_same_bytes_as_a_directory(tmp_path: Path, endpoint: str) -> None:
    directory = orders(tmp_path)
    store = open_store("s3://archive/some/prefix", endpoint)
    assert [one.done for one in upload(directory, store)] == [Done.UPLOADED] * 3
    upload(directory, tmp_path / "store")
    assert objects(store) == contents(tmp_path / "store")
    assert [one.done for one in upload(directory, store)] == [Done.THERE] * 3
    assert not any(one.problems for one in check_store(store, deep=True))
    key = f"{next(iter(store.sizes('')))}"
    assert open_store("s3://archive", endpoint).read(f"some/prefix/{key}") == store.read(key)
    assert store.read("nothing/of/that/name") is None


def test_the_command_takes_an_endpoint(
    tmp_path: Path,
    endpoint: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "wall_ms", lambda: NOW_MS)
    directory = orders(tmp_path)
    where = ["--endpoint-url", endpoint]
    to = "s3://archive/by-command"
    assert run(["tier", "upload", "--log-dir", str(directory), "--to", to, *where]) == 0
    assert run(["tier", "check", "--store", to, "--deep", *where]) == 0
    assert "3 of 3 segments are whole" in capsys.readouterr().out


def test_a_store_that_refuses_or_is_not_there_is_named(tmp_path: Path, endpoint: str) -> None:
    with pytest.raises(StoreFailed, match="s3://nobody/x"):
        upload(orders(tmp_path), open_store("s3://nobody/x", endpoint))
    with pytest.raises(OperatorError, match="no bucket"):
        open_store("s3://", endpoint)
    with pytest.raises(OperatorError, match="a store is a directory or"):
        open_store("ftp://somewhere/else")


def test_an_object_is_copied_with_its_checksum(tmp_path: Path, endpoint: str) -> None:
    stores = open_store("s3://archive/copies", endpoint), open_store(str(tmp_path / "store"))
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    for store in stores:
        store.put("steps/a", io.BytesIO(b"abc"), 3, digest)
        target = io.BytesIO()
        assert store.copy_to("steps/a", target) == digest
        assert target.getvalue() == b"abc"
        with pytest.raises(StoreFailed, match="steps/b"):
            store.copy_to("steps/b", target)
