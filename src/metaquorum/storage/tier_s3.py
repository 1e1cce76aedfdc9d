"""A tier store in a bucket of S3, or of anything that speaks its protocol. Needs boto3."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any, BinaryIO, TypeVar

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.storage.tier_store import (
    ByteSink,
    LocalStore,
    StoreFailed,
    TierStore,
    copied,
)

_Answer = TypeVar("_Answer")
_ABSENT = ("NoSuchKey", "404", "NotFound")


def open_store(uri: str, endpoint_url: str | None = None) -> TierStore:
    """The store that a path or an ``s3://bucket/prefix`` names. Raises OperatorError."""
    scheme, found, rest = uri.partition("://")
    if not found:
        return LocalStore(uri.removeprefix("file:"))
    if scheme == "file":
        return LocalStore(rest)
    if scheme != "s3":
        raise OperatorError(f"{uri}: a store is a directory or s3://BUCKET/PREFIX")
    bucket, _, prefix = rest.partition("/")
    if not bucket:
        raise OperatorError(f"{uri}: there is no bucket in it")
    return S3Store(uri, bucket, _folder(prefix), _client(uri, endpoint_url))


def _folder(prefix: str) -> str:
    inside = prefix.strip("/")
    return f"{inside}/" if inside else ""


def _client(uri: str, endpoint_url: str | None) -> Any:
    """The client, with the credentials and region that boto3 finds by itself."""
    try:
        import boto3
        from botocore.exceptions import BotoCoreError
    except ImportError:
        raise OperatorError(
            f"{uri}: S3 needs boto3, which the extra brings: pip install 'metaquorum[tier]'"
        ) from None
    try:
        return boto3.client("s3", endpoint_url=endpoint_url)
    except (BotoCoreError, ValueError) as error:
        raise OperatorError(f"{uri}: {error}") from None


@frozen
class S3Store:
    """Objects below a prefix. One request puts an object, so it is there whole or not at all."""

    uri: str
    _bucket: str
    _prefix: str  # with a slash at its end, or empty
    _client: Any

    def read(self, key: str) -> bytes | None:
        """The content of an object."""
        from botocore.exceptions import ClientError

        try:
            content: bytes = self._body(key).read()
        except ClientError as error:
            if error.response.get("Error", {}).get("Code") in _ABSENT:
                return None
            raise StoreFailed(f"{self.uri}: {key}: {error}") from None
        return content

    def sizes(self, prefix: str) -> dict[str, int]:
        """By as many listings as it takes."""

        def listed() -> dict[str, int]:
            found: dict[str, int] = {}
            pages = self._client.get_paginator("list_objects_v2")
            for page in pages.paginate(Bucket=self._bucket, Prefix=self._prefix + prefix):
                for one in page.get("Contents", ()):
                    found[one["Key"].removeprefix(self._prefix)] = one["Size"]
            return found

        return self._asked(prefix, listed)

    def put(self, key: str, content: BinaryIO, size_bytes: int, sha256: str) -> None:
        """The store compares the bytes with the checksum before it takes them."""
        checksum = base64.b64encode(bytes.fromhex(sha256)).decode()
        self._asked(
            key,
            lambda: self._client.put_object(
                Bucket=self._bucket,
                Key=self._prefix + key,
                Body=content,
                ContentLength=size_bytes,
                ChecksumSHA256=checksum,
            ),
        )

    def digest(self, key: str) -> str:
        """Of an object, downloaded."""
        return self._asked(key, lambda: copied(self._body(key), None))

    def copy_to(self, key: str, target: ByteSink) -> str:
        """Of an object, downloaded."""
        return self._asked(key, lambda: copied(self._body(key), target))

    def _body(self, key: str) -> Any:
        answer = self._asked_raw(
            key, lambda: self._client.get_object(Bucket=self._bucket, Key=self._prefix + key)
        )
        return answer["Body"]

    def _asked(self, key: str, ask: Callable[[], _Answer]) -> _Answer:
        from botocore.exceptions import ClientError

        try:
            return self._asked_raw(key, ask)
        except ClientError as error:
            raise StoreFailed(f"{self.uri}: {key}: {error}") from None

    def _asked_raw(self, key: str, ask: Callable[[], _Answer]) -> _Answer:
        """The answer; what the store itself refuses stays boto3's ClientError."""
        from botocore.exceptions import BotoCoreError

        try:
            return ask()
        except BotoCoreError as error:
            raise StoreFailed(f"{self.uri}: {key}: {error}") from None
