"""Addresses: opening one, going back and forward, and loading again."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

from freehold.browser.tab import Tab
from freehold.browser.waits import Watch
from freehold.errors import UsageError

HISTORY = {"back": -1, "forward": 1}

_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:(?!\d)")
_OPEN_SECONDS = 30.0
_COMMIT_SECONDS = 2.0


def address(url: str) -> str:
    """Complete what a person would type: `example.org` becomes https, `localhost:8000` and local addresses http.

    The extension's allow-list judges the scheme; nothing is refused here.
    """
    url = url.strip()
    if not url:
        raise UsageError("invalid_argument", "url is empty. Give an address, back, forward or reload.")
    if _SCHEME.match(url):
        return url
    host = urlsplit(f"//{url}").hostname or ""
    return f"{'http' if _is_local(host) else 'https'}://{url}"


def _is_local(host: str) -> bool:
    if "." not in host or host.endswith((".localhost", ".local", ".internal", ".test")):
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


async def open_address(tab: Tab, watch: Watch, url: str) -> None:
    """Navigate to `url`; raise `UsageError` (`navigation_failed`) with the browser's reason."""
    answer = await tab.send("Page.navigate", {"url": url}, timeout=_OPEN_SECONDS)
    reason = answer.get("errorText", "")
    loader = answer.get("loaderId")
    if loader and reason != "net::ERR_ABORTED" and not answer.get("isDownload"):
        # The document, or the error page, comes after the answer; nobody must take the one before for it.
        await watch.until(lambda seen: loader in seen.documents or seen.stopped, _COMMIT_SECONDS)
    # A download and a 204 answer abort the navigation; the page stays where it was, and that is no failure.
    if reason and reason != "net::ERR_ABORTED":
        message = f"{url} could not be opened: {reason}. Check the address, or that the server runs."
        raise UsageError("navigation_failed", message, {"reason": reason})


async def go(tab: Tab, watch: Watch, step: int) -> None:
    """Go `step` entries through the tab's history; raise `UsageError` (`navigation_failed`) at its end."""
    history = await tab.send("Page.getNavigationHistory")
    wanted = history["currentIndex"] + step
    if not 0 <= wanted < len(history["entries"]):
        message = f"There is no page to go {'back' if step < 0 else 'forward'} to."
        raise UsageError("navigation_failed", message)
    await tab.send("Page.navigateToHistoryEntry", {"entryId": history["entries"][wanted]["id"]})
    await watch.until(lambda seen: seen.moved or seen.dialog or seen.gone, _OPEN_SECONDS)


async def reload(tab: Tab, watch: Watch) -> None:
    """Load the page again."""
    await tab.send("Page.reload", {})
    await watch.until(lambda seen: seen.committed or seen.dialog or seen.gone, _OPEN_SECONDS)
