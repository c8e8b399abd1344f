"""The browser tools, one file each, with the names and arguments that models know from Claude in Chrome."""
