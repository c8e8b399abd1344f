"""Sharing a store with others: the store as a Git repository of its own, joined with a remote in both directions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from pathlib import Path
from typing import Protocol

from freehold.errors import DeniedError, UnavailableError, UsageError
from freehold.memory.lock import held
from freehold.memory.redact import find_secrets
from freehold.memory.share import incoming, merge, outgoing, unsent
from freehold.memory.share.incoming import Incoming
from freehold.memory.share.merge import Names
from freehold.memory.share.outgoing import Outgoing
from freehold.memory.share.report import Arrival, Report
from freehold.memory.share.repository import Entry, Repository

INDEX = "MEMORY.md"
TRIES = 8
"""How often a synchronisation begins anew because others pushed, or a file changed, in the middle of it."""

_WAIT_SECONDS = 60
# Whoever forgets so many topics at once, and most of what is shared, has more likely lost the folder.
_MANY = 5
_HELPER = re.compile(r"^[a-z0-9+.-]+::", re.IGNORECASE)


class Files(Protocol):
    """What sharing needs of a store."""

    @property
    def path(self) -> Path:
        """Return the store's folder."""
        ...

    def take_in(self, changes: Mapping[str, str | None], read: Mapping[str, str]) -> bool:
        """Write files (None: to the trash), all or none: False when one is not any more what `read` says of it."""
        ...

    def reindex(self) -> object:
        """Bring MEMORY.md in line with the topics."""
        ...


def init(store: Files, remote: str) -> Report:
    """Share the store through `remote`, any address that Git takes, and synchronise a first time.

    Raises `UsageError` (`invalid_argument`) for an address that cannot be used or when another is set already,
    `DeniedError` (`secret_found`) for one with a password in it, and what `sync` raises.
    """
    address = _address(remote)
    repository = Repository(store.path)
    known = repository.remote()
    if known and known != address and repository.knows_remote():
        message = (
            f"This memory is shared through {known} already. To move it, run: "
            f"git -C {store.path} remote set-url origin {address}"
        )
        raise UsageError("invalid_argument", message)
    store.path.mkdir(parents=True, exist_ok=True)
    repository.init()
    repository.set_remote(address)
    return sync(store)


def sync(store: Files, *, allow_deletions: bool = False) -> Report:
    """Take in what the others wrote, send what is new here, and say both.

    Raises `UsageError` (`not_shared`; `conflict` where most of the topics are gone here and the others would lose them,
    unless `allow_deletions`), `UnavailableError` (`remote_failed`, `git_failed`, `store_busy`).
    """
    repository = Repository(store.path)
    report = Report(repository.remote())
    if not report.remote:
        raise UsageError("not_shared", "This memory is not shared yet. Run: freehold memory share init REMOTE")
    if not allow_deletions:
        _check_deletions(store, repository)
    with held(store.path / ".git" / "freehold.lock", seconds=_WAIT_SECONDS):
        for _ in range(TRIES):
            if _round(store, repository, report):
                return report
    message = (
        f"The remote or the files here changed {TRIES} times during the synchronisation. Nothing is lost; sync again."
    )
    raise UnavailableError("store_busy", message)


def _check_deletions(store: Files, repository: Repository) -> None:
    shared = incoming.read(repository, repository.entries(repository.head()), ()).entries
    gone = sum(not (store.path / path).is_symlink() and not (store.path / path).exists() for path in shared)
    if gone > _MANY and 2 * gone > len(shared):
        message = (
            f"{gone} of the {len(shared)} shared files are gone here, and would go for everybody. To have them back, "
            f"run: git -C {store.path} checkout HEAD -- '*.md'. To delete them for everybody, run: "
            "freehold memory share sync --allow-deletions"
        )
        raise UsageError("conflict", message, {"gone": gone, "shared": len(shared)})


def _round(store: Files, repository: Repository, report: Report) -> bool:
    """Go once through it; False when something moved in between and it must be done again."""
    theirs = repository.fetch()
    found = outgoing.read(store.path)
    ours = _keep_ours(repository, found, theirs)
    if theirs and not (ours and repository.is_ancestor(theirs, ours)):
        if not _join(store, repository, found, ours, theirs, report):
            return False
    elif not theirs and not ours:
        report.held_back = found.report()
        return True
    head = repository.head()
    before = repository.entries(theirs)
    if head != theirs and not repository.push():
        return False
    sent = {path: entry.oid for path, entry in repository.entries(head).items()}
    old = {path: entry.oid for path, entry in before.items()}
    report.sent = sorted(path for path in sent.keys() | old.keys() if sent.get(path) != old.get(path))
    report.held_back = outgoing.read(store.path).report()
    return True


def _keep_ours(repository: Repository, found: Outgoing, theirs: str) -> str:
    """Commit what stands here before anything is joined with it, so that it can be found again whatever follows."""
    head = unsent.sound_head(repository, theirs)
    before = repository.entries(head)
    # What was not taken from the other side is theirs: that it is not here does not mean that it was deleted.
    foreign = incoming.read(repository, before, found.texts).foreign
    tree = repository.tree(_sendable(repository, found, before, foreign))
    if not (head or found.texts):
        return head
    if tree == repository.tree_of(head):
        if head != repository.head():
            repository.forward(head)
        return head
    return repository.commit(tree, [head], "Keep what was written here\n")


def _join(store: Files, repository: Repository, found: Outgoing, ours: str, theirs: str, report: Report) -> bool:
    came = incoming.read(repository, repository.entries(theirs), found.texts)
    base = _base(repository, ours, theirs, found)
    names = Names(_author(repository, ours), _author(repository, theirs))
    changes, arrivals = _changes(base, found, came, names)
    if not store.take_in(changes, found.texts):
        return False
    store.reindex()
    now = outgoing.read(store.path)
    tree = repository.tree(_sendable(repository, now, came.entries, came.foreign))
    parents = [theirs] if not ours or repository.is_ancestor(ours, theirs) else [ours, theirs]
    if parents == [theirs] and tree == repository.tree_of(theirs):
        repository.forward(theirs)
    else:
        repository.commit(tree, parents, "Join what was written here and there\n")
    report.author, report.refused = names.theirs, came.refused
    report.received += arrivals
    return True


def _changes(
    base: Mapping[str, str], found: Outgoing, came: Incoming, names: Names
) -> tuple[dict[str, str | None], list[Arrival]]:
    """Decide for every file what it becomes; a file that is deleted on one side and changed on the other stays."""
    changes: dict[str, str | None] = {}
    arrivals: list[Arrival] = []
    refused = {one.path for one in came.refused}
    unread = found.held_back.keys() - found.texts.keys()
    for name in sorted((found.texts.keys() | came.texts.keys()) - refused - unread):
        before, mine, other = base.get(name), found.texts.get(name), came.texts.get(name)
        if other in {before, mine} or (other is None and mine != before):
            continue
        if other is None or mine is None or mine == before:
            joined, conflict = other, False
        else:
            joined, conflict = _joined(name, before or "", mine, other, names)
        if joined != mine:
            changes[name] = joined
            arrivals.append(_arrival(name, mine, joined, conflict=conflict))
    return changes, arrivals


def _joined(name: str, base: str, mine: str, other: str, names: Names) -> tuple[str, bool]:
    if name == INDEX:
        return merge.index(base, mine, other), False
    merged = merge.topic(base, mine, other, names)
    return merged.text, merged.conflict


def _base(repository: Repository, ours: str, theirs: str, found: Outgoing) -> dict[str, str]:
    """Return the files of the last state that both sides had."""
    common = repository.merge_base(ours, theirs) if ours else ""
    return incoming.read(repository, repository.entries(common), found.texts).texts


def _sendable(repository: Repository, found: Outgoing, known: Mapping[str, Entry], foreign: list[Entry]) -> list[Entry]:
    """Return the entries of a commit: what may leave; of what may not, the version that had left before.

    `foreign` is what the other side has and we do not take: it is theirs to delete.
    """
    kept = [*foreign, *(known[name] for name in found.held_back if name in known)]
    texts = {name: text for name, text in found.texts.items() if name not in found.held_back}
    if INDEX in texts:
        # The line of a topic that stays here would be a dead link there.
        there = {*texts, *(entry.path for entry in kept)}
        texts[INDEX] = merge.without(texts[INDEX], lambda target: target not in there)
    written = repository.write({name: text.encode() for name, text in texts.items()})
    # A file of ours goes before a refused one of the same name.
    return list({entry.path: entry for entry in [*kept, *written]}.values())


def _author(repository: Repository, commit: str) -> str:
    return repository.author(commit) if commit else "here"


def _arrival(name: str, before: str | None, after: str | None, *, conflict: bool) -> Arrival:
    old, new = (before or "").splitlines(), (after or "").splitlines()
    blocks = SequenceMatcher(None, old, new, autojunk=False).get_matching_blocks()
    same = sum(block.size for block in blocks)
    state = "removed" if after is None else "new" if before is None else "conflict" if conflict else "changed"
    return Arrival(name, state, len(new) - same, len(old) - same)


def _address(remote: str) -> str:
    """Return an address as Git should know it; a path of this machine absolute, for Git runs in the store."""
    if not remote.strip() or remote.startswith("-") or _HELPER.match(remote) or not remote.isprintable():
        message = f"{remote!r} is no address of a Git repository. Valid: https://…, ssh://…, git@host:path, a folder."
        raise UsageError("invalid_argument", message)
    if find_secrets(remote):
        message = "The address holds a password or token, which Git would keep in a file. Use Git's credential helper."
        raise DeniedError("secret_found", message)
    local = Path(remote).expanduser()
    return str(local.absolute()) if local.exists() else remote
