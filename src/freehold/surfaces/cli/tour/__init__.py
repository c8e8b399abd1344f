"""`freehold try`: the tools at work on a small site that Freehold serves to itself, held against its record."""

from __future__ import annotations

from freehold.surfaces.cli.tour.command import run

__all__ = ["run"]
