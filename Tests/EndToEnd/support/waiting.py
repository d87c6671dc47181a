"""Waits for a condition, never for an amount of time."""

import time

POLL_SECONDS = 0.03


def wait_until(condition, seconds, what):
    """The first true value of `condition()`. Fails after `seconds`; `what` is a text, or a function that returns it."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() >= deadline:
            raise AssertionError(f"after {seconds} s: {what() if callable(what) else what}")
        time.sleep(POLL_SECONDS)
