"""A client whose rights a test lists: everything else is refused."""

from __future__ import annotations

from attrs import frozen

from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.testing.fake_services import FakeServices
from metaquorum.testing.pipeline_client import PipelineClient

Allowed = tuple[Operation, ResourceType, str]


@frozen
class Only:
    """An authoriser that allows these operations and no other."""

    allowed: tuple[Allowed, ...]
    is_on: bool = True

    def allows(
        self, principal: str, host: str, operation: Operation, resource_type: int, name: str
    ) -> bool:
        """Whether the operation is one of them, for any asker."""
        return (operation, resource_type, name) in self.allowed


def guarded(services: FakeServices, *allowed: Allowed) -> PipelineClient:
    """A client that may do this and nothing else."""
    client = PipelineClient(services)
    client.pipeline.authoriser = Only(allowed)
    return client
