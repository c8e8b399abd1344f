"""The browser driver: sessions, tabs, snapshots and real input, over the bridge."""
