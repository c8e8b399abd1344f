"""`/metrics`: the server's numbers for Prometheus."""

from __future__ import annotations

from typing import Any

from prometheus_client import generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from starlette.responses import Response

from freehold.server.metrics import Metrics
from freehold.server.operation import Call, Operation


def of(metrics: Metrics) -> Operation:
    """Return the operation that shows `metrics`."""

    async def show(_: Call) -> Any:
        return Response(generate_latest(metrics.registry), media_type=CONTENT_TYPE_PLAIN_0_0_4)

    return Operation(method="GET", path="/metrics", handler=show, summary="Show numbers for Prometheus")
