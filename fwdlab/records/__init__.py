"""From raw output to records: one trial each, checked against a schema, pointing at its evidence.

model.py        what a record says, as values
raw.py          a lab's result file read into values
facts.py        what lab and guest said besides
archived.py     a trial of an archive, from its generator's logs
reduce.py       from what a lab counted to rates
program.py      what a repeat of several trials does
connections.py  a test of a state table, as a trial
loss.py         the loss of any other trial
trials.py       the trials of a repeat of several, and which one is next
several.py      what such a repeat came to
again.py        what measures one case again
make.py         a run folder into records
text.py         a record as JSON and back, against schema.json
store.py        the folder of records: written whole, read with every doubtful one set aside
remarks.py      what a history says of records beside them
"""
