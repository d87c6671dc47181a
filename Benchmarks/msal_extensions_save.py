"""Measures how long msal-extensions takes to save one sign-in in its file: prints the median in seconds.

usage: msal_extensions_save.py CACHE ROUNDS

The file is read once before: only the cost of further sign-ins is measured.
"""

import statistics
import sys
import time

import msal_extensions

import msal_python_cache


def main():
    path, rounds = sys.argv[1], int(sys.argv[2])
    cache = msal_extensions.PersistedTokenCache(msal_extensions.FilePersistence(path))
    cache.add(msal_python_cache.sign_in(-1))
    seconds = []
    for number in range(rounds):
        event = msal_python_cache.sign_in(-2 - number)
        started = time.perf_counter()
        cache.add(event)
        seconds.append(time.perf_counter() - started)
    print(statistics.median(seconds))


if __name__ == "__main__":
    main()
