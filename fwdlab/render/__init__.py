"""From verdicts to what people read: graphs, pages, the site."""
