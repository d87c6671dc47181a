"""Shared parts of the end-to-end tests: a terminal, a browser, providers, and a home folder for each test."""
