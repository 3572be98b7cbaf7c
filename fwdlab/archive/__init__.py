"""From a folder of archived logs to run folders, as `fwdlab run` leaves them, and the campaigns they answer.

model.py    a folder of logs as values: series, and what is beside them
info.py     what an archive says of a series in its `.info`
folder.py   a folder into series; names are made from what `.info` says, and never taken apart
cells.py    which case a series is: by a matrix, or by what the archive says itself
layout.py   a series into a run folder, its logs byte for byte
tables.py   the rates an archive lists, held against those that its logs come to
"""
