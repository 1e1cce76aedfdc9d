# GENERATED from schemas/describe_configs_response.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 90474c93c815c905, generator 1.
"""Lists the configuration of resources. Api key 32, versions 0-4, flexible from 4."""

from __future__ import annotations

from collections.abc import Sequence
from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, ONE_BYTE, Buffer, Parts, Tags, check_count, decode_failure,
    encode_failure, get_tags, joined, lengthen, lengthen_text, long_count, long_head, long_text,
    long_text_head, put_tags, refuse_field, refuse_null, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 32
NAME: Final = "DescribeConfigsResponse"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 4
FLEXIBLE_FROM: Final[int | None] = 4


class DescribeConfigsSynonym(Message):
    """All the places the value could come from, the one in force first."""

    __slots__ = ("name", "value", "source", "unknown_tags")

    def __init__(
        self,
        # Key that could supply the value. (v1+)
        name: str = "",
        # Value at that source; null when hidden or unset. (v1+)
        value: str | None = "",
        # Where that value comes from, by the codes of the key's own source. (v1+)
        source: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.value = value
        self.source = source
        self.unknown_tags = unknown_tags


class DescribeConfigsResourceResult(Message):
    """Keys of the resource with their values."""

    __slots__ = (
        "name", "value", "read_only", "is_default", "config_source", "is_sensitive", "synonyms",
        "config_type", "documentation", "unknown_tags",
    )

    def __init__(
        self,
        # Configuration key.
        name: str = "",
        # Value in force; null when hidden or unset.
        value: str | None = "",
        # True when the key cannot be changed at run time.
        read_only: bool = False,
        # True when nobody set the key. (v0)
        is_default: bool = False,
        # Where the value comes from: 1 topic, 2 and 3 dynamic broker, 4 static, 5 default, 6
        # logger, 7 client metrics, 8 group. (v1+)
        config_source: int = -1,
        # True when the value is secret, and then hidden.
        is_sensitive: bool = False,
        # All the places the value could come from, the one in force first. (v1+)
        synonyms: Sequence[DescribeConfigsSynonym] = (),
        # Type of the value: 0 unknown, 1 boolean, 2 string, 3 int, 4 short, 5 long, 6 double, 7
        # list, 8 class, 9 password. (v3+)
        config_type: int = 0,
        # Text that explains the key; null when not asked for. (v3+)
        documentation: str | None = "",
        unknown_tags: Tags = (),
    ) -> None:
        self.name = name
        self.value = value
        self.read_only = read_only
        self.is_default = is_default
        self.config_source = config_source
        self.is_sensitive = is_sensitive
        self.synonyms: Sequence[DescribeConfigsSynonym] = [] if synonyms == () else synonyms
        self.config_type = config_type
        self.documentation = documentation
        self.unknown_tags = unknown_tags


class DescribeConfigsResult(Message):
    """One result a resource."""

    __slots__ = (
        "error_code", "error_message", "resource_type", "resource_name", "configs", "unknown_tags",
    )

    def __init__(
        self,
        # Error of this row; 0 for none.
        error_code: int = 0,
        # Words for a human; null when there is nothing to say.
        error_message: str | None = "",
        # Type of the resource: 2 topic, 4 broker, 8 broker logger, 16 client metrics, 32 group.
        resource_type: int = 0,
        # Name of the resource; empty means the cluster-wide default.
        resource_name: str = "",
        # Keys of the resource with their values.
        configs: Sequence[DescribeConfigsResourceResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.configs: Sequence[DescribeConfigsResourceResult] = [] if configs == () else configs
        self.unknown_tags = unknown_tags


class DescribeConfigsResponse(Message):
    """Lists the configuration of resources."""

    __slots__ = ("throttle_time_ms", "results", "unknown_tags")

    def __init__(
        self,
        # Milliseconds the client should stay silent because of a quota.
        throttle_time_ms: int = 0,
        # One result a resource.
        results: Sequence[DescribeConfigsResult] = (),
        unknown_tags: Tags = (),
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results: Sequence[DescribeConfigsResult] = [] if results == () else results
        self.unknown_tags = unknown_tags


_read_2h = Struct(">2h").unpack_from
_read_2i = Struct(">2i").unpack_from
_read_3t = Struct(">3?").unpack_from
_read_tbtB = Struct(">?b?B").unpack_from
_read_tbti = Struct(">?b?i").unpack_from
_read_b = Struct(">b").unpack_from
_read_bB = Struct(">bB").unpack_from
_read_bh = Struct(">bh").unpack_from
_read_h = Struct(">h").unpack_from
_read_hB = Struct(">hB").unpack_from
_read_i = Struct(">i").unpack_from
_read_iB = Struct(">iB").unpack_from
_write_2h = Struct(">2h").pack
_write_2i = Struct(">2i").pack
_write_3t = Struct(">3?").pack
_write_tbtB = Struct(">?b?B").pack
_write_tbti = Struct(">?b?i").pack
_write_b = Struct(">b").pack
_write_bB = Struct(">bB").pack
_write_bh = Struct(">bh").pack
_write_bx = Struct(">bx").pack
_write_h = Struct(">h").pack
_write_hB = Struct(">hB").pack
_write_i = Struct(">i").pack
_write_iB = Struct(">iB").pack


def _get_describe_configs_response_v0(buf: bytes, at: int) -> tuple[DescribeConfigsResponse, int]:
    m = new(DescribeConfigsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 11)
    results: list[DescribeConfigsResult] = []
    m.results = results
    left_results = n
    while left_results:
        left_results -= 1
        configs_result = new(DescribeConfigsResult)
        results.append(configs_result)
        (configs_result.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            configs_result.error_message = None
        else:
            end = at + n
            configs_result.error_message = buf[at:end].decode()
            at = end
        (configs_result.resource_type, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            refuse_null()
        end = at + n
        configs_result.resource_name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 7)
        configs: list[DescribeConfigsResourceResult] = []
        configs_result.configs = configs
        left_configs = n
        while left_configs:
            left_configs -= 1
            resource_result = new(DescribeConfigsResourceResult)
            configs.append(resource_result)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            resource_result.name = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                resource_result.value = None
            else:
                end = at + n
                resource_result.value = buf[at:end].decode()
                at = end
            (
                resource_result.read_only, resource_result.is_default, resource_result.is_sensitive,
            ) = _read_3t(buf, at)
            at += 3
            resource_result.config_source = -1
            resource_result.synonyms = []
            resource_result.config_type = 0
            resource_result.documentation = ""
            resource_result.unknown_tags = ()
        configs_result.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_configs_response_v1(buf: bytes, at: int) -> tuple[DescribeConfigsResponse, int]:
    m = new(DescribeConfigsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 11)
    results: list[DescribeConfigsResult] = []
    m.results = results
    left_results = n
    while left_results:
        left_results -= 1
        configs_result = new(DescribeConfigsResult)
        results.append(configs_result)
        (configs_result.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            configs_result.error_message = None
        else:
            end = at + n
            configs_result.error_message = buf[at:end].decode()
            at = end
        (configs_result.resource_type, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            refuse_null()
        end = at + n
        configs_result.resource_name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 11)
        configs: list[DescribeConfigsResourceResult] = []
        configs_result.configs = configs
        left_configs = n
        while left_configs:
            left_configs -= 1
            resource_result = new(DescribeConfigsResourceResult)
            configs.append(resource_result)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            resource_result.name = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                resource_result.value = None
            else:
                end = at + n
                resource_result.value = buf[at:end].decode()
                at = end
            (
                resource_result.read_only, resource_result.config_source,
                resource_result.is_sensitive, n,
            ) = _read_tbti(buf, at)
            at += 7
            if not 0 <= n < 128:
                check_count(buf, at, n, 5)
            synonyms: list[DescribeConfigsSynonym] = []
            resource_result.synonyms = synonyms
            left_synonyms = n
            while left_synonyms:
                left_synonyms -= 1
                configs_synonym = new(DescribeConfigsSynonym)
                synonyms.append(configs_synonym)
                (n,) = _read_h(buf, at)
                at += 2
                if n < 0:
                    refuse_null()
                end = at + n
                configs_synonym.name = buf[at:end].decode()
                at = end
                (n,) = _read_h(buf, at)
                at += 2
                if n < 0:
                    configs_synonym.value = None
                else:
                    end = at + n
                    configs_synonym.value = buf[at:end].decode()
                    at = end
                (configs_synonym.source,) = _read_b(buf, at)
                at += 1
                configs_synonym.unknown_tags = ()
            resource_result.is_default = False
            resource_result.config_type = 0
            resource_result.documentation = ""
            resource_result.unknown_tags = ()
        configs_result.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_configs_response_v3(buf: bytes, at: int) -> tuple[DescribeConfigsResponse, int]:
    m = new(DescribeConfigsResponse)
    (m.throttle_time_ms, n) = _read_2i(buf, at)
    at += 8
    if not 0 <= n < 128:
        check_count(buf, at, n, 11)
    results: list[DescribeConfigsResult] = []
    m.results = results
    left_results = n
    while left_results:
        left_results -= 1
        configs_result = new(DescribeConfigsResult)
        results.append(configs_result)
        (configs_result.error_code, n) = _read_2h(buf, at)
        at += 4
        if n < 0:
            configs_result.error_message = None
        else:
            end = at + n
            configs_result.error_message = buf[at:end].decode()
            at = end
        (configs_result.resource_type, n) = _read_bh(buf, at)
        at += 3
        if n < 0:
            refuse_null()
        end = at + n
        configs_result.resource_name = buf[at:end].decode()
        at = end
        (n,) = _read_i(buf, at)
        at += 4
        if not 0 <= n < 128:
            check_count(buf, at, n, 14)
        configs: list[DescribeConfigsResourceResult] = []
        configs_result.configs = configs
        left_configs = n
        while left_configs:
            left_configs -= 1
            resource_result = new(DescribeConfigsResourceResult)
            configs.append(resource_result)
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                refuse_null()
            end = at + n
            resource_result.name = buf[at:end].decode()
            at = end
            (n,) = _read_h(buf, at)
            at += 2
            if n < 0:
                resource_result.value = None
            else:
                end = at + n
                resource_result.value = buf[at:end].decode()
                at = end
            (
                resource_result.read_only, resource_result.config_source,
                resource_result.is_sensitive, n,
            ) = _read_tbti(buf, at)
            at += 7
            if not 0 <= n < 128:
                check_count(buf, at, n, 5)
            synonyms: list[DescribeConfigsSynonym] = []
            resource_result.synonyms = synonyms
            left_synonyms = n
            while left_synonyms:
                left_synonyms -= 1
                configs_synonym = new(DescribeConfigsSynonym)
                synonyms.append(configs_synonym)
                (n,) = _read_h(buf, at)
                at += 2
                if n < 0:
                    refuse_null()
                end = at + n
                configs_synonym.name = buf[at:end].decode()
                at = end
                (n,) = _read_h(buf, at)
                at += 2
                if n < 0:
                    configs_synonym.value = None
                else:
                    end = at + n
                    configs_synonym.value = buf[at:end].decode()
                    at = end
                (configs_synonym.source,) = _read_b(buf, at)
                at += 1
                configs_synonym.unknown_tags = ()
            (resource_result.config_type, n) = _read_bh(buf, at)
            at += 3
            if n < 0:
                resource_result.documentation = None
            else:
                end = at + n
                resource_result.documentation = buf[at:end].decode()
                at = end
            resource_result.is_default = False
            resource_result.unknown_tags = ()
        configs_result.unknown_tags = ()
    m.unknown_tags = ()
    if at > len(buf):  # a slice at the end was short
        raise IndexError
    return m, at


def _get_describe_configs_response_v4(buf: bytes, at: int) -> tuple[DescribeConfigsResponse, int]:
    m = new(DescribeConfigsResponse)
    (m.throttle_time_ms, n) = _read_iB(buf, at)
    at += 5
    if n == 0 or n > 127:
        n, at = long_count(buf, at, 7)
    results: list[DescribeConfigsResult] = []
    m.results = results
    left_results = n - 1
    while left_results:
        left_results -= 1
        configs_result = new(DescribeConfigsResult)
        results.append(configs_result)
        (configs_result.error_code, n) = _read_hB(buf, at)
        at += 3
        if n == 0:
            configs_result.error_message = None
        else:
            if n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            configs_result.error_message = buf[at:end].decode()
            at = end
        (configs_result.resource_type, n) = _read_bB(buf, at)
        at += 2
        if n == 0 or n > 127:
            n, at = long_text(buf, at)
        end = at + n - 1
        configs_result.resource_name = buf[at:end].decode()
        at = end
        n = buf[at]
        at += 1
        if n == 0 or n > 127:
            n, at = long_count(buf, at, 9)
        configs: list[DescribeConfigsResourceResult] = []
        configs_result.configs = configs
        left_configs = n - 1
        while left_configs:
            left_configs -= 1
            resource_result = new(DescribeConfigsResourceResult)
            configs.append(resource_result)
            n = buf[at]
            at += 1
            if n == 0 or n > 127:
                n, at = long_text(buf, at)
            end = at + n - 1
            resource_result.name = buf[at:end].decode()
            at = end
            n = buf[at]
            at += 1
            if n == 0:
                resource_result.value = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                resource_result.value = buf[at:end].decode()
                at = end
            (
                resource_result.read_only, resource_result.config_source,
                resource_result.is_sensitive, n,
            ) = _read_tbtB(buf, at)
            at += 4
            if n == 0 or n > 127:
                n, at = long_count(buf, at, 4)
            synonyms: list[DescribeConfigsSynonym] = []
            resource_result.synonyms = synonyms
            left_synonyms = n - 1
            while left_synonyms:
                left_synonyms -= 1
                configs_synonym = new(DescribeConfigsSynonym)
                synonyms.append(configs_synonym)
                n = buf[at]
                at += 1
                if n == 0 or n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                configs_synonym.name = buf[at:end].decode()
                at = end
                n = buf[at]
                at += 1
                if n == 0:
                    configs_synonym.value = None
                else:
                    if n > 127:
                        n, at = long_text(buf, at)
                    end = at + n - 1
                    configs_synonym.value = buf[at:end].decode()
                    at = end
                (configs_synonym.source, tags) = _read_bB(buf, at)
                at += 2
                configs_synonym.unknown_tags = ()
                if tags:
                    configs_synonym.unknown_tags, at = get_tags(buf, at - 1)
            (resource_result.config_type, n) = _read_bB(buf, at)
            at += 2
            if n == 0:
                resource_result.documentation = None
            else:
                if n > 127:
                    n, at = long_text(buf, at)
                end = at + n - 1
                resource_result.documentation = buf[at:end].decode()
                at = end
            tags = buf[at]
            at += 1
            resource_result.is_default = False
            resource_result.unknown_tags = ()
            if tags:
                resource_result.unknown_tags, at = get_tags(buf, at - 1)
        tags = buf[at]
        at += 1
        configs_result.unknown_tags = ()
        if tags:
            configs_result.unknown_tags, at = get_tags(buf, at - 1)
    tags = buf[at]
    at += 1
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_describe_configs_response_v0(out: Parts, m: DescribeConfigsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    results = m.results
    n = len(results)
    out.append(_write_2i(m.throttle_time_ms, n))
    for configs_result in results:
        if configs_result.unknown_tags:
            refuse_field("unknown_tags")
        error_message = (
            b"" if configs_result.error_message is None else configs_result.error_message.encode()
        )
        n = -1 if configs_result.error_message is None else len(error_message)
        out.append(_write_2h(configs_result.error_code, n))
        out.append(error_message)
        resource_name = configs_result.resource_name.encode()
        n = len(resource_name)
        out.append(_write_bh(configs_result.resource_type, n))
        out.append(resource_name)
        configs = configs_result.configs
        n = len(configs)
        out.append(_write_i(n))
        for resource_result in configs:
            if resource_result.unknown_tags:
                refuse_field("unknown_tags")
            name = resource_result.name.encode()
            n = len(name)
            out.append(_write_h(n))
            out.append(name)
            value = b"" if resource_result.value is None else resource_result.value.encode()
            n = -1 if resource_result.value is None else len(value)
            out.append(_write_h(n))
            out.append(value)
            out.append(_write_3t(
                resource_result.read_only, resource_result.is_default, resource_result.is_sensitive,
            ))


def _put_describe_configs_response_v1(out: Parts, m: DescribeConfigsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    results = m.results
    n = len(results)
    out.append(_write_2i(m.throttle_time_ms, n))
    for configs_result in results:
        if configs_result.unknown_tags:
            refuse_field("unknown_tags")
        error_message = (
            b"" if configs_result.error_message is None else configs_result.error_message.encode()
        )
        n = -1 if configs_result.error_message is None else len(error_message)
        out.append(_write_2h(configs_result.error_code, n))
        out.append(error_message)
        resource_name = configs_result.resource_name.encode()
        n = len(resource_name)
        out.append(_write_bh(configs_result.resource_type, n))
        out.append(resource_name)
        configs = configs_result.configs
        n = len(configs)
        out.append(_write_i(n))
        for resource_result in configs:
            if resource_result.is_default:
                refuse_field("is_default")
            if resource_result.unknown_tags:
                refuse_field("unknown_tags")
            name = resource_result.name.encode()
            n = len(name)
            out.append(_write_h(n))
            out.append(name)
            value = b"" if resource_result.value is None else resource_result.value.encode()
            n = -1 if resource_result.value is None else len(value)
            out.append(_write_h(n))
            out.append(value)
            synonyms = resource_result.synonyms
            n = len(synonyms)
            out.append(_write_tbti(
                resource_result.read_only, resource_result.config_source,
                resource_result.is_sensitive, n,
            ))
            for configs_synonym in synonyms:
                if configs_synonym.unknown_tags:
                    refuse_field("unknown_tags")
                name_ = configs_synonym.name.encode()
                n = len(name_)
                out.append(_write_h(n))
                out.append(name_)
                value_ = b"" if configs_synonym.value is None else configs_synonym.value.encode()
                n = -1 if configs_synonym.value is None else len(value_)
                out.append(_write_h(n))
                out.append(value_)
                out.append(_write_b(configs_synonym.source))


def _put_describe_configs_response_v3(out: Parts, m: DescribeConfigsResponse) -> None:
    if m.unknown_tags:
        refuse_field("unknown_tags")
    results = m.results
    n = len(results)
    out.append(_write_2i(m.throttle_time_ms, n))
    for configs_result in results:
        if configs_result.unknown_tags:
            refuse_field("unknown_tags")
        error_message = (
            b"" if configs_result.error_message is None else configs_result.error_message.encode()
        )
        n = -1 if configs_result.error_message is None else len(error_message)
        out.append(_write_2h(configs_result.error_code, n))
        out.append(error_message)
        resource_name = configs_result.resource_name.encode()
        n = len(resource_name)
        out.append(_write_bh(configs_result.resource_type, n))
        out.append(resource_name)
        configs = configs_result.configs
        n = len(configs)
        out.append(_write_i(n))
        for resource_result in configs:
            if resource_result.is_default:
                refuse_field("is_default")
            if resource_result.unknown_tags:
                refuse_field("unknown_tags")
            name = resource_result.name.encode()
            n = len(name)
            out.append(_write_h(n))
            out.append(name)
            value = b"" if resource_result.value is None else resource_result.value.encode()
            n = -1 if resource_result.value is None else len(value)
            out.append(_write_h(n))
            out.append(value)
            synonyms = resource_result.synonyms
            n = len(synonyms)
            out.append(_write_tbti(
                resource_result.read_only, resource_result.config_source,
                resource_result.is_sensitive, n,
            ))
            for configs_synonym in synonyms:
                if configs_synonym.unknown_tags:
                    refuse_field("unknown_tags")
                name_ = configs_synonym.name.encode()
                n = len(name_)
                out.append(_write_h(n))
                out.append(name_)
                value_ = b"" if configs_synonym.value is None else configs_synonym.value.encode()
                n = -1 if configs_synonym.value is None else len(value_)
                out.append(_write_h(n))
                out.append(value_)
                out.append(_write_b(configs_synonym.source))
            documentation = (
                b"" if resource_result.documentation is None else
                resource_result.documentation.encode()
            )
            n = -1 if resource_result.documentation is None else len(documentation)
            out.append(_write_bh(resource_result.config_type, n))
            out.append(documentation)


def _put_describe_configs_response_v4(out: Parts, m: DescribeConfigsResponse) -> None:
    results = m.results
    n = len(results) + 1
    out.append(_write_iB(m.throttle_time_ms, n if n < 128 else 0))
    if n > 127:
        lengthen(out, n)
    for configs_result in results:
        error_message = (
            b"" if configs_result.error_message is None else configs_result.error_message.encode()
        )
        n = 0 if configs_result.error_message is None else len(error_message) + 1
        out.append(_write_hB(configs_result.error_code, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(error_message)
        resource_name = configs_result.resource_name.encode()
        n = len(resource_name) + 1
        out.append(_write_bB(configs_result.resource_type, n if n < 128 else 0))
        if n > 127:
            lengthen_text(out, n)
        out.append(resource_name)
        configs = configs_result.configs
        n = len(configs) + 1
        out.append(ONE_BYTE[n] if n < 128 else long_head(n))
        for resource_result in configs:
            if resource_result.is_default:
                refuse_field("is_default")
            name = resource_result.name.encode()
            n = len(name) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(name)
            value = b"" if resource_result.value is None else resource_result.value.encode()
            n = 0 if resource_result.value is None else len(value) + 1
            out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
            out.append(value)
            synonyms = resource_result.synonyms
            n = len(synonyms) + 1
            out.append(_write_tbtB(
                resource_result.read_only, resource_result.config_source,
                resource_result.is_sensitive, n if n < 128 else 0,
            ))
            if n > 127:
                lengthen(out, n)
            for configs_synonym in synonyms:
                name_ = configs_synonym.name.encode()
                n = len(name_) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(name_)
                value_ = b"" if configs_synonym.value is None else configs_synonym.value.encode()
                n = 0 if configs_synonym.value is None else len(value_) + 1
                out.append(ONE_BYTE[n] if n < 128 else long_text_head(n))
                out.append(value_)
                out.append(_write_bx(configs_synonym.source))
                if configs_synonym.unknown_tags:
                    put_tags(out, [], configs_synonym.unknown_tags)
            documentation = (
                b"" if resource_result.documentation is None else
                resource_result.documentation.encode()
            )
            n = 0 if resource_result.documentation is None else len(documentation) + 1
            out.append(_write_bB(resource_result.config_type, n if n < 128 else 0))
            if n > 127:
                lengthen_text(out, n)
            out.append(documentation)
            out.append(b"\0")
            if resource_result.unknown_tags:
                put_tags(out, [], resource_result.unknown_tags)
        out.append(b"\0")
        if configs_result.unknown_tags:
            put_tags(out, [], configs_result.unknown_tags)
    out.append(b"\0")
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {
    0: _get_describe_configs_response_v0, 1: _get_describe_configs_response_v1,
    2: _get_describe_configs_response_v1, 3: _get_describe_configs_response_v3,
    4: _get_describe_configs_response_v4,
}
_PUT = {
    0: _put_describe_configs_response_v0, 1: _put_describe_configs_response_v1,
    2: _put_describe_configs_response_v1, 3: _put_describe_configs_response_v3,
    4: _put_describe_configs_response_v4,
}


def decode(buf: Buffer, version: int, at: int = 0) -> DescribeConfigsResponse:
    """The DescribeConfigsResponse that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[DescribeConfigsResponse, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: DescribeConfigsResponse, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: DescribeConfigsResponse, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_DESCRIBE_CONFIGS_SYNONYM_SHAPE: Shape = (
    DescribeConfigsSynonym,
    (
        ("name", "name", "string", (1, 4), None, None, None, "", False, (4, 4), None),
        ("value", "value", "string", (1, 4), (0, 4), None, None, "", False, (4, 4), None),
        ("source", "source", "int8", (1, 4), None, None, None, 0, False, (4, 4), None),
    ),
)
_DESCRIBE_CONFIGS_RESOURCE_RESULT_SHAPE: Shape = (
    DescribeConfigsResourceResult,
    (
        ("name", "name", "string", (0, 4), None, None, None, "", False, (4, 4), None),
        ("value", "value", "string", (0, 4), (0, 4), None, None, "", False, (4, 4), None),
        ("readOnly", "read_only", "bool", (0, 4), None, None, None, False, False, (4, 4), None),
        ("isDefault", "is_default", "bool", (0, 0), None, None, None, False, False, (4, 4), None),
        ("configSource", "config_source", "int8", (1, 4), None, None, None, -1, True, (4, 4), None),
        (
            "isSensitive", "is_sensitive", "bool", (0, 4), None, None, None, False, False, (4, 4),
            None,
        ),
        (
            "synonyms", "synonyms", "[]DescribeConfigsSynonym", (1, 4), None, None, None, (), True,
            (4, 4), _DESCRIBE_CONFIGS_SYNONYM_SHAPE,
        ),
        ("configType", "config_type", "int8", (3, 4), None, None, None, 0, True, (4, 4), None),
        (
            "documentation", "documentation", "string", (3, 4), (0, 4), None, None, "", True,
            (4, 4), None,
        ),
    ),
)
_DESCRIBE_CONFIGS_RESULT_SHAPE: Shape = (
    DescribeConfigsResult,
    (
        ("errorCode", "error_code", "int16", (0, 4), None, None, None, 0, False, (4, 4), None),
        (
            "errorMessage", "error_message", "string", (0, 4), (0, 4), None, None, "", False,
            (4, 4), None,
        ),
        ("resourceType", "resource_type", "int8", (0, 4), None, None, None, 0, False, (4, 4), None),
        (
            "resourceName", "resource_name", "string", (0, 4), None, None, None, "", False, (4, 4),
            None,
        ),
        (
            "configs", "configs", "[]DescribeConfigsResourceResult", (0, 4), None, None, None, (),
            False, (4, 4), _DESCRIBE_CONFIGS_RESOURCE_RESULT_SHAPE,
        ),
    ),
)
_DESCRIBE_CONFIGS_RESPONSE_SHAPE: Shape = (
    DescribeConfigsResponse,
    (
        (
            "throttleTimeMs", "throttle_time_ms", "int32", (0, 4), None, None, None, 0, False,
            (4, 4), None,
        ),
        (
            "results", "results", "[]DescribeConfigsResult", (0, 4), None, None, None, (), False,
            (4, 4), _DESCRIBE_CONFIGS_RESULT_SHAPE,
        ),
    ),
)
SHAPE: Shape = (_DESCRIBE_CONFIGS_RESPONSE_SHAPE, (0, 4), (4, 4))
