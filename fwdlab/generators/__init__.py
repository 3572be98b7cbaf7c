"""From the logs of traffic generators to series of rates and what was wrong with them.

log.py      a log as values: what the generator said of each second, and every trouble it told of
lines.py    the lines of a log, however damaged, in little memory
pkt_gen.py  netmap's pkt-gen, in each layout its logs had over the years
rule.py     from a log to one rate: which of its lines count, by name and number
faults.py   what makes a log say nothing about the DUT
"""
