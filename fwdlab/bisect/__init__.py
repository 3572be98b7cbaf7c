"""Which commit of a git tree changed a case: halving, judging, verifying. Only `history` and `journal` leave Python."""
