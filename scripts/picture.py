"""Draws the README's picture: a page, its outline and one action, all three as the tools really answered them."""

from __future__ import annotations

import base64
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from html import escape
from pathlib import Path
from string import Template

import anyio

from freehold.browser import installed
from freehold.surfaces.cli.tour.outline import Outline
from freehold.surfaces.cli.tour.own_browser import own_browser
from freehold.surfaces.cli.tour.site import open_site
from freehold.surfaces.cli.tour.visit import Place, Visit

_WIDTH, _HEIGHT = 1600, 884
_SECONDS = 60
_BUTTON = "Add to basket"
_GOOD = "Harbour coffee"
_BUTTONS = """
[...document.querySelectorAll('button[data-good]')].map((button) => {
  const box = button.getBoundingClientRect();
  return [box.x, box.y, box.width, box.height];
})
"""


@dataclass(frozen=True, slots=True)
class Scene:
    """What the tools answered: the screenshot, the outline, the answer to the click, and what the site received."""

    picture: bytes
    mime_type: str
    outline: str
    buttons: tuple[tuple[str, list[float]], ...]
    pressed: str
    received: str


async def look() -> Scene:
    """Let the tools read the shop and press one of its buttons."""
    with open_site() as site:
        async with own_browser(headless=True) as opened:
            visit = Visit(opened.tools, site, Place())
            await visit.open("/shop")
            outline = await visit.read()
            await visit.picture("the shop")
            boxes: list[list[float]] = (await visit.call("javascript_tool", text=_BUTTONS)).data["value"]
            refs = [element.ref for element in outline.elements() if element.name == _BUTTON]
            pressed = visit.known(outline.ref("button", _BUTTON, after=_GOOD), "the button")
            await visit.click(pressed, "the button")
            received = await visit.received("/basket")
            image = visit.notes.pictures[0].image
            said = ", ".join(value for one in received for value in one.fields.values())
            return Scene(image.data, image.mime_type, outline.text, tuple(zip(refs, boxes, strict=True)), pressed, said)


def compose(scene: Scene) -> str:
    """Return the page that the picture is taken of."""
    return Template((Path(__file__).parent / "picture.html").read_text("utf-8")).substitute(
        picture=f"data:{scene.mime_type};base64,{base64.b64encode(scene.picture).decode()}",
        marks="\n".join(_mark(ref, box, ref == scene.pressed) for ref, box in scene.buttons),
        outline="".join(_line(line, scene.pressed) for line in excerpt(scene.outline)),
        ref=scene.pressed,
        received=escape(scene.received),
    )


def excerpt(outline: str) -> list[str]:
    """Return the lines of the outline around the pressed button, as they stand."""
    lines = outline.splitlines()
    search = next(at for at, line in enumerate(lines) if "searchbox" in line)
    card = next(at for at, line in enumerate(lines) if _GOOD in line)
    first = next(at for at, line in enumerate(lines) if "Ceylon tea" in line)
    return [*lines[search : search + 2], *lines[first - 1 : card + 7]]


def _line(line: str, pressed: str) -> str:
    ref = Outline(line)
    found = next(ref.elements(), None)
    text = escape(line)
    if found:
        text = text.replace(f"[{found.ref}]", f"<b>[{found.ref}]</b>")
    return f"<mark>{text}</mark>" if found and found.ref == pressed else f"<span>{text}</span>"


def _mark(ref: str, box: list[float], pressed: bool) -> str:
    left, top, width, height = box
    place = f"left:{left}px;top:{top}px;width:{width}px;height:{height}px"
    return f'<div class="mark{" pressed" if pressed else ""}" style="{place}"><i>{escape(ref)}</i></div>'


def take(page: str, file: Path) -> None:
    """Let a headless Chromium draw `page` into `file`."""
    program = installed.executable(installed.Machine.this(), "")
    with tempfile.TemporaryDirectory(prefix="fh-", ignore_cleanup_errors=True) as folder:
        source = Path(folder) / "picture.html"
        source.write_text(page, "utf-8")
        flags = ["--headless=new", "--disable-gpu", "--no-first-run", "--hide-scrollbars", "--disable-dev-shm-usage"]
        flags += ["--no-sandbox", f"--user-data-dir={folder}/profile", f"--window-size={_WIDTH},{_HEIGHT}"]
        command = [str(program), *flags, f"--screenshot={file.absolute()}", source.as_uri()]
        subprocess.run(command, check=True, timeout=_SECONDS, capture_output=True)


def main() -> None:
    """Draw the picture into the file that the command line names."""
    file = Path(sys.argv[1])
    take(compose(anyio.run(look)), file)
    print(f"{file}: {file.stat().st_size / 1024:.0f} KiB")


if __name__ == "__main__":
    main()
