"""What the end-to-end tests share: a terminal, a browser, providers, and a home of one's own for each test."""
