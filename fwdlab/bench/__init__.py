"""Benchmarks of the laboratory itself: one file each, found by its name and imported only when it is called."""
