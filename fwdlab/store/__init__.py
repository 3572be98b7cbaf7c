"""The history: a store that pipelines append to, of entries that are named for their contents and never change.

entry.py       what an entry is, and where it lies
model.py       what entries say beside the records, as values
text.py        entries as JSON and back, against schema.json
gather.py      a folder of results into entries
copy.py        another store into entries
access.py      what every store offers
folder.py      a store in a folder
branch.py      a store in a branch of the repository: turns and tries
spool.py       what waits on its way there
lines.py       where its commits go, here or to a remote; commit.py makes them, snapshot.py reads one, git.py calls git
place.py       how a command line names a store
read.py        entries read as what they hold
notes.py       what people said of entries later, and whether it holds
measured.py    which cases of a plan have been measured, and when
choose.py      which of all entries stand on the pages now
layout.py      those laid out as a folder of results
options.py     the options of commands that read one
references.py  what an entry refers to
verify.py      whether a store is whole
clear.py       what of it may go
find.py        the entry somebody means by a few digits
listing.py     what is in a store, as lines
"""
