"""From raw output to records: one trial each, checked against a schema, pointing at its evidence."""
