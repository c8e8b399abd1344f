"""The native messaging host: a pipe between the agents' socket and the browser; it decides nothing."""
