"""`python -I -m freehold.surfaces.pi`: the worker without the command line around it, which takes 0.1 s to import."""

from __future__ import annotations

from freehold.surfaces.pi.worker import serve

serve()
