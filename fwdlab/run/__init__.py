"""Carry a plan out on this machine: the same runner scripts as the pipeline's jobs, in interleaved rounds.

tasks.py     what there is to do, in which order
carry.py     do it, several at a time, and say what became of each
scripts.py   the runner scripts as functions; their children end when we do
lock.py      one run in a folder at a time
"""
