"""Placeholder names shared by both ends of the bridge; see PROTOCOL.md."""

EXTENSION_ID = "miekdeamhiphlafmedocjjhkghdjjmjm"
EXTENSION_ORIGIN = f"chrome-extension://{EXTENSION_ID}/"
HOST_NAME = "io.freehold.host"
