"""The tools: data plus a handler each, in one explicit list (`catalog.py`)."""
