"""What the commits hold that have not left yet: a person may have made some by hand, past the rules of `outgoing`."""

from __future__ import annotations

from freehold.memory.redact import find_secrets
from freehold.memory.share.repository import Entry, Repository


def sound_head(repository: Repository, theirs: str) -> str:
    """Return the commit to build on: our newest, or the last that was sent where one since then must not leave.

    A commit is pushed with its ancestors, so what a later one takes out would leave all the same. Those that are passed
    over stay under `refs/freehold/kept/`. `theirs`: the remote's newest commit, empty when it has none.
    """
    head = repository.head()
    new = repository.unsent(head)
    sent = {entry.oid for entry in repository.entries(theirs).values()}
    if not any(_must_stay(repository, commit, sent) for commit in new):
        return head
    repository.keep(head)
    return repository.merge_base(head, theirs) if theirs else ""


def _must_stay(repository: Repository, commit: str, sent: set[str]) -> bool:
    """Tell whether `commit` brings what may not leave; `sent` are the ids of the files that have left."""
    if find_secrets(repository.message(commit)):
        return True
    new = [entry for entry in repository.entries(commit).values() if entry.oid not in sent]
    if any(not _is_topic(entry) or find_secrets(entry.path) for entry in new):
        return True
    return any(find_secrets(content.decode("utf-8", "replace")) for content in repository.read(new).values())


def _is_topic(entry: Entry) -> bool:
    return entry.is_file and "/" not in entry.path and entry.path.endswith(".md")
