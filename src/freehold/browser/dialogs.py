"""Dialogs (alert, confirm, prompt, beforeunload): a page stands still until its dialog is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from freehold.browser.marks import short
from freehold.errors import FreeholdError, UsageError

_LIMIT = 2_000


@dataclass(frozen=True, slots=True)
class Dialog:
    """An open dialog. `kind` is alert, confirm, prompt or beforeunload."""

    kind: str
    message: str
    default_prompt: str

    @classmethod
    def from_wire(cls, dialog: Mapping[str, Any]) -> Dialog:
        """Read the protocol's dialog."""
        return cls(dialog.get("type", ""), dialog.get("message", ""), dialog.get("default_prompt", ""))

    def to_data(self) -> dict[str, str]:
        """Return the facts for machines."""
        return {"type": self.kind, "message": self.message, "default_prompt": self.default_prompt}

    def describe(self) -> str:
        """Say which dialog is open and how to answer it."""
        if self.kind == "beforeunload":
            return "The page asks whether to leave it. handle_dialog accept=true leaves, accept=false stays."
        said = f'{self.kind} dialog is open: "{short(self.message, _LIMIT)}".'
        if self.kind == "prompt":
            preset = f' (preset "{short(self.default_prompt, _LIMIT)}")' if self.default_prompt else ""
            return f"A {said}{preset} Answer it with handle_dialog accept=true text=…, or accept=false."
        article = "An" if self.kind == "alert" else "A"
        return f"{article} {said} Answer it with handle_dialog accept=true or accept=false."


def dialog_of(error: FreeholdError) -> Dialog | None:
    """Return the dialog that made a call fail with `dialog_open`, else None."""
    return Dialog.from_wire(error.data) if error.code == "dialog_open" else None


def blocked(dialog: Dialog) -> UsageError:
    """Return the error of a call that a dialog stopped."""
    return UsageError("dialog_open", dialog.describe(), dialog.to_data())
