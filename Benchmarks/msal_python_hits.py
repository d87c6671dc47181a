"""Measures silent calls and the list of accounts in a process with MSAL Python: the counterpart of `Bench hit`.

usage: msal_python_hits.py ACCOUNTS SECONDS

Prints the microseconds of a silent call for one account repeatedly, for a different account each time, and of listing
the accounts: each the fastest call within that many seconds.
"""

import random
import sys
import time

import msal

import msal_python_cache
import msal_python_token as theirs


def fastest(seconds, call):
    best, end = float("inf"), time.perf_counter() + seconds
    while time.perf_counter() < end or best == float("inf"):
        started = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - started)
    return best * 1e6


def main():
    accounts, seconds = int(sys.argv[1]), float(sys.argv[2])
    cache = msal.SerializableTokenCache()
    cache.deserialize(msal_python_cache.text(accounts))
    application = msal.PublicClientApplication(
        theirs.CLIENT_ID, authority=theirs.AUTHORITY, token_cache=cache, http_client=theirs.Offline(),
        instance_discovery=False,
    )  # fmt: skip
    known = application.get_accounts()

    def token(account):
        if application.acquire_token_silent(theirs.SCOPES, account=account)["token_source"] != "cache":
            raise SystemExit("the token did not come from the cache")

    print(fastest(seconds, lambda: token(known[0])))
    print(fastest(seconds, lambda: token(random.choice(known))))
    print(fastest(seconds, application.get_accounts))


if __name__ == "__main__":
    main()
