"""`python -I -m freehold.host --home DIR chrome-extension://ID/`, as the launcher runs it."""

from __future__ import annotations

import sys

from freehold.host.main import main

sys.exit(main(sys.argv[1:]))
