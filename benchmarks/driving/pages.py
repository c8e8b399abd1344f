"""The pages that are read: a form, one of 10,000 controls, saved real ones from the folder named by FREEHOLD_DATA."""

from __future__ import annotations

import os
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

CONTROLS = 10_000

_HEAD = '<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
FORM = (
    _HEAD.format(title="Order")
    + """<h1>Your order</h1><p>All fields are needed, but for the note.</p>
<form onsubmit="return false">
<p><label>Name <input name="name" required autocomplete="off"></label>
<p><label>Street <input name="street" required autocomplete="off"></label>
<p><label>Town <input name="town" required autocomplete="off"></label>
<p><label>Country <select name="country"><option>Austria<option>Germany<option>Switzerland</select></label>
<fieldset><legend>Delivery</legend>
<label><input type="radio" name="speed" checked> Standard</label>
<label><input type="radio" name="speed"> Express</label></fieldset>
<p><label><input type="checkbox" name="gift"> Wrap it as a present</label>
<p><label>Note <textarea name="note"></textarea></label>
<p><button type="button">Send the order</button> <a href="/terms">Terms</a></form>"""
)

# Each served with its scripts blocked, so that it stands as it was saved.
_SAVED = {
    "travel form": "find/site/github/TeamHG-Memex+Formasaurus/formasaurus/data/html/www.orbitz.com-0.html",
    "shop list": "find/site/github/TeamHG-Memex+autopager/autopager/data/html/57.html",
    "repository": "find/site/github/postlight+parser/fixtures/github.com.html",
    "discussion": "find/site/github/mozilla+readability/test/test-pages/lwn-1/source.html",
    "blog (zh)": "find/site/github/GeneralNewsExtractor+GeneralNewsExtractor/tests/csdn/1.html",
    "news (zh)": "find/site/github/GeneralNewsExtractor+GeneralNewsExtractor/tests/thepaper/2.html",
    "news (cs)": "readability/pages/aktualne/source.html",
    "magazine": "readability/pages/quanta-1/source.html",
    "comments": "readability/pages/lifehacker-post-comment-load/source.html",
    "encyclopedia": "readability/pages/002/source.html",
}


def controls(count: int = CONTROLS) -> str:
    """Return a page of `count` controls of four kinds, each with a name of its own, in a table."""
    cells = (
        '<td><button type="button">Open {0}</button>',
        '<td><a href="/item/{0}">Item {0}</a>',
        '<td><label><input type="checkbox"> Choose {0}</label>',
        '<td><label>Amount {0} <input value="{0}"></label>',
    )
    rows = ("<tr>" + "".join(cell.format(row) for cell in cells) for row in range(1, count // len(cells) + 1))
    return _HEAD.format(title="Stock") + "<h1>Stock</h1><table>" + "\n".join(rows) + "</table>"


def saved() -> dict[str, Path]:
    """Return the saved pages that are there, by what each is."""
    folder = Path(os.environ.get("FREEHOLD_DATA", ""))
    found = {name: folder / place for name, place in _SAVED.items()}
    return {name: path for name, path in found.items() if path.is_file()}


@contextmanager
def serving() -> Generator[dict[str, str]]:
    """Serve every page on loopback until the block ends; return their addresses."""
    pages = {"form": FORM.encode(), f"{CONTROLS:,} controls": controls().encode()}
    pages |= {name: path.read_bytes() for name, path in saved().items()}
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(pages))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield {name: f"http://127.0.0.1:{server.server_address[1]}/{name.replace(' ', '%20')}" for name in pages}
    finally:
        server.shutdown()
        server.server_close()


def _handler(pages: dict[str, bytes]) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            name = unquote(urlsplit(self.path).path[1:])
            body = pages.get(name, b"")
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            # Nothing is fetched from elsewhere: a page stands on its own, whatever the network does.
            self.send_header("Content-Security-Policy", "default-src 'self' 'unsafe-inline'; script-src 'none'")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler
