"""Carry a plan out on this machine: the same runner scripts as the pipeline's jobs, in interleaved rounds."""
