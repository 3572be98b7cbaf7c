"""The way back to GitLab: the one note that a merge request gets, written anew or edited in place."""
