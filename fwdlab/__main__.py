"""`python -m fwdlab`: the command without the door."""

from fwdlab.cli import main

main(prog_name="fwdlab")
