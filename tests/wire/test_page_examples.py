"""What the pages about the protocol show as an example is what our tools print for those bytes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from metaquorum.cli.frame_form import Given, find_api, frame_json
from metaquorum.cli.record import decoded_record
from metaquorum.testing import values
from metaquorum.testing.schemas import MessageText, all_messages
from metaquorum.wire import json_form

PAGES = Path(__file__).parents[2] / "docs/protocol"
_EXAMPLE = re.compile(
    r"\n## Example\n.*?version (\d+).*?\n```\n([0-9a-f]*)\n```\n.*?\n```json\n(.*?)\n```\n", re.S
)


def shown(schema: MessageText, version: int, data: bytes) -> Any:
    if schema.kind == "request":
        found = frame_json(data, Given(None, None, None))
        assert found["header"] == {"correlationId": 7, "clientId": "example"}
        assert (found["apiKey"], found["version"]) == (schema.api_key, version)
        return found["body"]
    if schema.kind == "response":
        found = frame_json(data, Given(find_api(str(schema.api_key)), version, "response"))
        assert found["header"] == {"correlationId": 7}
        assert "leftOverBytes" not in found
        return found["body"]
    if schema.module.startswith("records."):
        spelled = json.loads(decoded_record(data))
        assert spelled["version"] == version
        return spelled["data"]
    module = values.codec(schema)
    return json_form.to_json(module, module.decode(data, version), version)


@pytest.mark.parametrize("schema", all_messages(), ids=lambda schema: schema.name)
def test_the_example_of_a_page_is_what_our_tools_say(schema: MessageText) -> None:
    if not list(schema.versions):
        return
    page = (PAGES / f"{schema.module.replace('.', '/')}.md").read_text()
    found = _EXAMPLE.search(page)
    assert found is not None
    version, data, spelled = found.groups()
    assert shown(schema, int(version), bytes.fromhex(data)) == json.loads(spelled)
