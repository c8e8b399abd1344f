"""What the OpenAPI description promises holds for whatever is sent: no fault of the server's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import checks

from freehold.server import openapi
from freehold.server.app import OPERATIONS, create_app

EXAMPLES = 12


@pytest.fixture
def schema(database: Path | str) -> Any:
    app = create_app(database)
    found = schemathesis.openapi.from_dict(openapi.description(OPERATIONS))
    found.app = app
    yield found
    app.state.archive.close()


def test_nothing_that_is_sent_makes_the_server_fail(schema: Any) -> None:
    no_fault: Any = checks.not_a_server_error  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
    operations = [result.ok() for result in schema.get_all_operations()]
    assert len(operations) == len(OPERATIONS)
    for operation in operations:

        @settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
            derandomize=True,
        )
        @given(case=operation.as_strategy())
        def attempt(case: Any) -> None:
            case.call_and_validate(checks=[no_fault])

        attempt()
