"""Which loads are offered, one trial after another, and what they come to: pure, and a function of the trials so far.

goal.py       what is looked for: a search's goal, or the loads of a curve
bounds.py     loads as lower and upper bounds, and the conditional throughput (RFC 9971, appendices A and B)
connections.py, table.py   the same of a state table (RFC 9693)
steps.py      the next trial, and the result where there is none left
"""
