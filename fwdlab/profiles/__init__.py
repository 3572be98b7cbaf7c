"""From a profiler's text to folded stacks; one file a format."""
