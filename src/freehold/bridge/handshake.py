"""The hello of all three processes: who speaks, and whether both sides fit (PROTOCOL 1.2 and 2)."""

from __future__ import annotations

import base64
import binascii
import os
from collections.abc import Mapping
from typing import Any

from freehold import PRODUCT, PROTOCOL, __version__
from freehold.bridge.cipher import NONCE_BYTES
from freehold.errors import DeniedError, FreeholdError, from_wire

SECONDS = 5.0

_UPDATES = {
    "agent": "Update the Freehold package that the agent runs and restart the agent.",
    "host": "Run `freehold setup` of the newest Freehold package and restart the browser.",
    "extension": "Run `freehold setup`, then reload the Freehold extension on the browser's extensions page.",
}


def identity(role: str) -> dict[str, Any]:
    """Return who we are, as every hello says it."""
    return {"product": PRODUCT, "role": role, "protocol": PROTOCOL, "version": __version__}


def hello(role: str, **more: Any) -> dict[str, Any]:
    """Return a hello; `more` are the fields that this hop adds (`nonce`, `pid`)."""
    return {"type": "hello", **identity(role), **more}


def new_nonce() -> tuple[bytes, str]:
    """Return 32 random bytes, and the same as a hello carries them."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce, base64.b64encode(nonce).decode()


def nonce_of(message: Mapping[str, Any]) -> bytes:
    """Return the nonce of a hello; raise `DeniedError` (`handshake_invalid`) when it is not 32 bytes in base64."""
    try:
        nonce = base64.b64decode(message.get("nonce", ""), validate=True)
    except (binascii.Error, TypeError, ValueError) as error:
        raise DeniedError("handshake_invalid", "The hello's nonce is not base64.") from error
    if len(nonce) != NONCE_BYTES:
        raise DeniedError("handshake_invalid", f"The hello's nonce has {len(nonce)} bytes instead of {NONCE_BYTES}.")
    return nonce


def check_hello(message: Mapping[str, Any], role: str, us: str) -> None:
    """Raise `DeniedError` when `message`, read by `us`, is no hello of ours in `role`; its data tell who sent it."""
    if message.get("type") != "hello":
        raise DeniedError("handshake_invalid", f"A hello of the {role} was expected.")
    who = {name: _readable(message.get(name)) for name in ("product", "role", "protocol", "version")}
    if who["product"] != PRODUCT:
        text = f"The {role} is {who['product']!r}, not Freehold's. `freehold doctor` shows what is installed."
        raise DeniedError("product_mismatch", text, who)
    if who["role"] != role:
        raise DeniedError("handshake_invalid", f"The {role} was expected to say hello, not the {who['role']!r}.", who)
    if type(who["protocol"]) is not int or who["protocol"] != PROTOCOL:
        raise DeniedError("protocol_mismatch", _protocols(role, us, who), who)


def refused_by(role: str, error: FreeholdError, peer: str) -> FreeholdError:
    """Return what `role` tells `peer` whose hello met `error`: the same code, but the data say who answered it."""
    if error.code == "product_mismatch":
        text = f"This is Freehold's {role}; it answers only Freehold's own {peer}. {_UPDATES[peer]}"
        return DeniedError(error.code, text, identity(role))
    if error.code == "protocol_mismatch":
        return DeniedError(error.code, error.message, identity(role))
    return error


def refusal(message: Mapping[str, Any]) -> FreeholdError | None:
    """Return the error of a `refused` message, None for any other message."""
    if message.get("type") != "refused":
        return None
    error = message.get("error")
    return from_wire(error if isinstance(error, dict) else {"code": "handshake_invalid"})  # pyright: ignore[reportUnknownArgumentType]


def refused(error: FreeholdError) -> dict[str, Any]:
    """Return the message that ends a connection with `error`."""
    return {"type": "refused", "error": error.to_wire()}


def _protocols(role: str, us: str, who: Mapping[str, Any]) -> str:
    theirs = who["protocol"]
    older = us if isinstance(theirs, int) and theirs > PROTOCOL else role
    return (
        f"The {role} (version {who['version']}) speaks protocol {theirs}, the {us} (version {__version__}) "
        f"protocol {PROTOCOL}. {_UPDATES[older]}"
    )


def _readable(value: Any) -> Any:
    # A stranger chose these; they are shown to a person and to a model, so only short plain text is kept.
    if value is None or isinstance(value, int):
        return value
    text = str(value)[:40]
    return text if text.isprintable() else ascii(text)
