"""Which commit of a git tree changed a case. Only `git`, `journal` and `lab` touch more than values."""
