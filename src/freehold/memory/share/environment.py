"""What Git is told, and not told, when it works on a shared store."""

from __future__ import annotations

import os
import sys

# The user's own settings choose credentials and proxies; everything that could run a program of somebody else's or
# rewrite what we store is fixed here.
SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.symlinks": "false",
    "core.protectNTFS": "true",
    "core.protectHFS": "true",
    "commit.gpgSign": "false",
    "fetch.recurseSubmodules": "false",
    "push.recurseSubmodules": "no",
    "push.gpgSign": "false",
    "transfer.fsckObjects": "true",
    "gc.auto": "0",
    "protocol.ext.allow": "never",
}

CREDENTIALS = frozenset(
    {"GIT_SSH", "GIT_SSH_COMMAND", "GIT_ASKPASS", "GIT_PROXY_COMMAND", "GIT_SSL_CAINFO"}
    | {f"GIT_{who}_{what}" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    | {"GIT_TERMINAL_PROMPT", "GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"}
)
"""What stays of the user's own variables: how to reach a remote, and whom a commit is by."""


def environment() -> dict[str, str]:
    """Return the user's environment without what would point Git elsewhere."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in CREDENTIALS}
    asks = "1" if sys.stdin.isatty() else "0"
    return {
        "GIT_TERMINAL_PROMPT": asks,
        **kept,
        "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
        "GIT_LITERAL_PATHSPECS": "1",
        "LC_ALL": "C.UTF-8",
    }
