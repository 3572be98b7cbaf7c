"""From records to verdicts. Nothing here reads a file, logs or rounds: doubt is returned as data."""
