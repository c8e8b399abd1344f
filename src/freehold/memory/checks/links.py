"""Links from topic to topic that lead nowhere, and an index that does not list what there is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt
from markdown_it.token import Token

from freehold.memory.checks.finding import Finding, command
from freehold.memory.store import Store
from freehold.memory.topic import Topic

_PARSER = MarkdownIt("commonmark")


def dead(topics: Iterable[Topic], folder: Path) -> Iterator[Finding]:
    """Yield each link to a Markdown file of the store that is not there."""
    for topic in topics:
        before = topic.front.count("\n")
        for target, line in links(topic.body):
            if not _exists(target, folder):
                detail = f"It links to {target}, which is not there."
                yield Finding("dead_link", topic.name, detail, command("edit", topic.name), line=before + line)


def drift(store: Store) -> Iterator[Finding]:
    """Yield what a repair of the index would change."""
    said = {"add": "is not listed", "remove": "is listed and not there", "duplicate": "is listed more than once"}
    for change in store.reindex(dry_run=True):
        detail = f"{change.name} {said.get(change.kind, change.kind)}."
        yield Finding("index_drift", "MEMORY", detail, command("reindex"))


def links(body: str) -> Iterator[tuple[str, int]]:
    """Yield the relative links to Markdown files in `body`, each with its line, counted from 1."""
    # Parsing takes ten times as long as all else that is looked at.
    for block in _PARSER.parse(body) if ".md" in body else ():
        line = block.map[0] + 1 if block.map else 1
        for token in _inline(block):
            target = unquote(urlsplit(str(token.attrs.get("href", ""))).path)
            if target.endswith(".md") and not urlsplit(str(token.attrs["href"])).scheme and not target.startswith("/"):
                yield target, line


def _inline(block: Token) -> Iterator[Token]:
    return (token for token in block.children or () if token.type == "link_open")


def _exists(target: str, folder: Path) -> bool:
    # A link out of the store, such as ../../README.md, means a file of somebody else's layout: not ours to judge.
    return ".." in Path(target).parts or (folder / target).is_file()
