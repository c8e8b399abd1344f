"""What clients send about spaces, working memory and context."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from freehold.server.schemas.fields import Name, OptionalName

Day = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]


class NewSpace(Struct, kw_only=True):
    """A space to make; its id is the name in lower case with dashes, where none is given."""

    name: Name
    id: OptionalName | None = None
    description: str | None = None


class SpaceChange(Struct, kw_only=True):
    """What to change of a space."""

    name: Name | None = None


class SpaceConfig(Struct, kw_only=True):
    """Whether spaces are used; here they always are."""

    enabled: Any = True


class WorkingMemoryRead(Struct, kw_only=True):
    """Which day's working memory to read; the newest without a day."""

    date: Day | None = None
    space_id: OptionalName | None = None


class WorkingMemory(Struct, kw_only=True):
    """The working memory to keep for a day, today without one."""

    content: Annotated[str, Meta(max_length=200_000)]
    date: Day | None = None
    space_id: OptionalName | None = None


class History(Struct, kw_only=True):
    """How many days to list."""

    limit: Annotated[int, Meta(ge=1, le=1_000)] = 30
    space_id: OptionalName | None = None


class ContextRead(Struct, kw_only=True):
    """Whose context bundle to make."""

    source_app: OptionalName | None = None
    agent_id: OptionalName | None = None
    host_agent_id: OptionalName | None = None
    space_id: OptionalName | None = None
    include_working_memory: bool = True
