"""From the file an operator edits to the cases it asks for: load, check, expand, resolve, plan."""
