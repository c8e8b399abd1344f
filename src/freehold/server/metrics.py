"""Counting requests for Prometheus, and a line of log for each: what was asked, never with what words."""

from __future__ import annotations

import logging
import time
import uuid
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector
from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("freehold.server.access")

_SECONDS = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)


class Metrics:
    """The numbers of one server."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        labels = ("method", "path", "status")
        self.requests = Counter("freehold_requests", "Requests answered.", labels, registry=self.registry)
        self.seconds = Histogram(
            "freehold_request_seconds",
            "Time until a request was answered.",
            ("method", "path"),
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.running = Gauge("freehold_requests_running", "Requests not answered yet.", registry=self.registry)


class Measured:
    """Counts and logs each request of `app`."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and take its measure."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = time.perf_counter()
        status = 500
        request_id = uuid.uuid4().hex

        async def noted(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message.setdefault("headers", []).append((b"x-request-id", request_id.encode()))
            await send(message)

        self._metrics.running.inc()
        try:
            await self._app(scope, receive, noted)
        finally:
            self._metrics.running.dec()
            self._note(scope, status, time.perf_counter() - began, request_id)

    def _note(self, scope: Scope, status: int, seconds: float, request_id: str) -> None:
        # The route as it is declared: a path may name what a search was for, and each would be a series of its own.
        route: Any = scope.get("route")
        path: str = getattr(route, "path", "") or "other"
        method = scope["method"] if path != "other" else "any"
        self._metrics.requests.labels(method, path, status).inc()
        self._metrics.seconds.labels(method, path).observe(seconds)
        told = {
            "id": request_id,
            "method": scope["method"],
            "path": path,
            "status": status,
            "ms": round(seconds * 1000, 1),
            "caller": scope.get("state", {}).get("caller", ""),
        }
        log.info("request", extra={"told": told})
