"""Freehold: a coding agent's browser and memory, owned by its user."""

PRODUCT = "freehold"
PROTOCOL = 1
__version__ = "0.1.0"
