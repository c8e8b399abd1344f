"""The toolbar popup as a page of its own: what the user, and only the user, may do."""

from __future__ import annotations

from typing import Any

from freehold.bridge.endpoint import EXTENSION_ORIGIN
from freehold.browser.devtools_pipe import DevtoolsPipe
from freehold.browser.launch import LaunchedBrowser

_WISH = """new Promise(done => {
  const port = chrome.runtime.connect({name: "popup"});
  let sent = false;
  port.onMessage.addListener(view => {
    if (sent) { port.disconnect(); done(view); }
    else { sent = true; port.postMessage(WISH); }
  });
})"""


class ExtensionPage:
    """A page of an extension, in a tab."""

    def __init__(self, devtools: DevtoolsPipe, session: str) -> None:
        self._devtools = devtools
        self._session = session

    async def run(self, script: str) -> Any:
        """Evaluate a script in the page."""
        answer = await self._devtools.call(
            "Runtime.evaluate", session=self._session, expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")


class Popup(ExtensionPage):
    """Shows and grants through the extension's own page."""

    async def wish(self, wish: str) -> Any:
        """Send what a button of the popup sends; return the state that the popup is then shown."""
        return await self.run(_WISH.replace("WISH", wish))


async def open_popup(browser: LaunchedBrowser) -> Popup:
    """Open the popup's page in a tab."""
    popup = Popup(browser.devtools, await _open(browser, f"{EXTENSION_ORIGIN}popup/popup.html"))
    await _until_loaded(popup)
    return popup


async def open_page_of(browser: LaunchedBrowser, extension: str, path: str) -> ExtensionPage:
    """Open a page of another extension in a tab."""
    page = ExtensionPage(browser.devtools, await _open(browser, f"chrome-extension://{extension}/{path}"))
    await _until_loaded(page)
    return page


async def _until_loaded(page: ExtensionPage) -> None:
    # The target begins with an empty document that is complete too, but knows nothing of its extension.
    while not await page.run("Boolean(globalThis.chrome?.runtime?.id) && document.readyState === 'complete'"):
        pass


async def _open(browser: LaunchedBrowser, url: str) -> str:
    target = (await browser.devtools.call("Target.createTarget", url=url, background=True))["targetId"]
    return (await browser.devtools.call("Target.attachToTarget", targetId=target, flatten=True))["sessionId"]


async def zoom_tab(browser: LaunchedBrowser, tab_id: int, factor: float) -> None:
    """Zoom a tab as its user does."""
    popup = await open_popup(browser)
    await popup.run(f"chrome.tabs.setZoomSettings({tab_id}, {{scope: 'per-tab'}})")
    await popup.run(f"chrome.tabs.setZoom({tab_id}, {factor})")
