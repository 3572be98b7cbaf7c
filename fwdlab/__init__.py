"""A performance laboratory for packet forwarding and firewalling, run as a CI pipeline."""
