"""The API as tests call it: one line a request."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx2

from freehold.server.store.archive import Archive


@dataclass(frozen=True, slots=True)
class Api:
    client: httpx2.AsyncClient
    archive: Archive

    async def get(self, path: str, **params: Any) -> Any:
        return await self._answer("GET", path, params=params)

    async def post(self, path: str, body: Any = None, **params: Any) -> Any:
        return await self._answer("POST", path, json=body if body is not None else {}, params=params)

    async def patch(self, path: str, body: Any, **params: Any) -> Any:
        return await self._answer("PATCH", path, json=body, params=params)

    async def put(self, path: str, body: Any, **params: Any) -> Any:
        return await self._answer("PUT", path, json=body, params=params)

    async def delete(self, path: str, **params: Any) -> Any:
        return await self._answer("DELETE", path, params=params)

    async def refused(self, method: str, path: str, status: int, **options: Any) -> Any:
        """Ask for what must be refused with `status`; return the answer's body, plain text for 422."""
        response = await self.client.request(method, path, **options)
        assert response.status_code == status, response.text
        assert response.headers["x-nmem-error-code"]
        assert response.headers["x-nmem-retryable"] in {"true", "false"}
        return response.text if status == 422 else response.json()

    async def refused_with_body(self, method: str, path: str, status: int, **options: Any) -> Any:
        """Ask for what is refused by the results of the work itself; return the answer's body."""
        response = await self.client.request(method, path, **options)
        assert response.status_code == status, response.text
        return response.json()

    async def thread(self, thread_id: str, *contents: str, **more: Any) -> Any:
        """Make a thread in which user and assistant say `contents` in turn."""
        roles = ("user", "assistant")
        messages = [{"role": roles[at % 2], "content": content} for at, content in enumerate(contents)]
        return await self.post("/threads", {"thread_id": thread_id, "messages": messages, **more})

    async def contents(self, thread_id: str, **params: Any) -> list[str]:
        """Return what a thread's messages say."""
        answer = await self.get(f"/threads/{thread_id}", **params)
        return [message["content"] for message in answer["messages"]]

    async def found(self, query: str, **params: Any) -> list[str]:
        """Return the ids of the threads that are found, best first."""
        answer = await self.get("/threads/search", query=query, **params)
        return [thread["thread_id"] for thread in answer["threads"]]

    async def _answer(self, method: str, path: str, **options: Any) -> Any:
        response = await self.client.request(method, path, **options)
        assert response.status_code == 200, f"{method} {path}: {response.status_code} {response.text}"
        return response.json()
