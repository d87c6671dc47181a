"""MSAL Python on the cache file of the program.

usage: msal_python.py fill FILE NAME COUNT     adds COUNT accounts to the cache file, one at a time
       msal_python.py rewrite FILE            writes the cache file repeatedly and slowly, until its input ends
       msal_python.py sample FILE [lock]      changes the cache file repeatedly as in MSAL Python's documentation,
                                              without a lock or with that of msal-extensions, until its input ends.
                                              Prints what it lost
"""

import contextlib
import json

import pathlib
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

import msal
import msal_extensions


class PlainHTTPClient:
    """MSAL Python requires https URLs; the built-in authority uses http on this machine."""

    class Response:
        def __init__(self, status, body, headers):
            self.status_code = status
            self.text = body
            self.headers = headers

        def raise_for_status(self):
            if self.status_code >= 400:
                raise AssertionError(f"the authority answered {self.status_code}")

    def get(self, url, params=None, headers=None, **_):
        response = self._send(url + ("?" + urllib.parse.urlencode(params) if params else ""), None, headers)
        response.text = response.text.replace("http://", "https://")
        return response

    def post(self, url, data=None, headers=None, **_):
        return self._send(url, urllib.parse.urlencode(data or {}).encode(), headers)

    def _send(self, url, body, headers):
        request = urllib.request.Request(url.replace("https://", "http://", 1), data=body, headers=headers or {})
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                return self.Response(response.status, response.read().decode(), dict(response.headers))
        except urllib.error.HTTPError as error:
            return self.Response(error.code, error.read().decode(), dict(error.headers))

    def close(self):
        pass


def shared_cache(file):
    return msal_extensions.PersistedTokenCache(msal_extensions.FilePersistence(str(file)))


def application(client_id, origin, tenant, file):
    host = urllib.parse.urlsplit(origin).netloc
    return msal.PublicClientApplication(
        client_id,
        authority=f"https://{host}/{tenant}",
        http_client=PlainHTTPClient(),
        instance_discovery=False,
        token_cache=shared_cache(file),
    )


def fill(file, name, count):
    cache = shared_cache(file)
    for number in range(count):
        account = {
            "home_account_id": f"{name}-{number}.tenant",
            "environment": "login.example",
            "realm": "tenant",
            "local_account_id": f"{name}-{number}",
            "username": f"{name}-{number}@example",
            "authority_type": "MSSTS",
        }
        while True:
            try:
                cache.modify(cache.CredentialType.ACCOUNT, account, account)
                break
            except msal_extensions.token_cache.LockError:
                pass  # # It waits five seconds for the lock, which is short on a busy machine.


def rewrite(file):
    """Saves like msal-extensions, under its lock: the file is empty for a moment, which is long here."""
    content = pathlib.Path(file).read_text()
    ended = end_of_input()
    print("writing", flush=True)
    while not ended.is_set():
        with msal_extensions.CrossPlatLock(f"{file}.lockfile"):
            with open(file, "w") as handle:
                ended.wait(0.02)
                handle.write(content)
        # Gives others a turn: it does not wait for its own.
        ended.wait(0.005)


def end_of_input():
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    return ended


class Sample:
    """The sample of `SerializableTokenCache`'s documentation: load at the start, save at the end.

    Each run refreshes one of the sign-ins. Before that, it compares the file with all that it saved so far.
    """

    # Another program may be about to put back what it overwrote.
    PATIENCE = 2

    def __init__(self, file):
        self._file = pathlib.Path(file)
        tokens = self._load().find("RefreshToken")
        self._expected = {token["home_account_id"]: token["secret"] for token in tokens}
        self.saved = 0
        # The sign-ins that were missing, or older than saved, for longer than the patience.
        self.lost = 0

    def _load(self):
        cache = msal.SerializableTokenCache()
        if self._file.exists():
            cache.deserialize(self._file.read_text())
        return cache

    def _missing(self, cache):
        tokens = {token["home_account_id"]: token["secret"] for token in cache.find("RefreshToken")}
        return {name for name, secret in self._expected.items() if tokens.get(name) != secret}

    def check(self):
        """Loads the file when everything is there, or after the patience."""
        end = time.monotonic() + self.PATIENCE
        while True:
            cache = self._load()
            missing = self._missing(cache)
            if not missing:
                return cache
            if time.monotonic() > end:
                break
            time.sleep(0.005)
        self.lost += len(missing)
        for name in missing:
            del self._expected[name]
        return cache

    def run(self):
        cache = self.check()
        names = sorted(self._expected)
        if names:
            name = names[self.saved % len(names)]
            [token] = [one for one in cache.find("RefreshToken") if one["home_account_id"] == name]
            self._expected[name] = f"{name}'s token {self.saved}"
            cache.modify(cache.CredentialType.REFRESH_TOKEN, token, {"secret": self._expected[name]})
        with open(self._file, "w") as handle:
            handle.write(cache.serialize())
        self.saved += 1


def sample(file, locks):
    one = Sample(file)
    ended = end_of_input()
    print("writing", flush=True)
    while not ended.is_set():
        with msal_extensions.CrossPlatLock(f"{file}.lockfile") if locks else contextlib.nullcontext():
            one.run()
        # Gives others a turn.
        ended.wait(0.003)
    one.check()
    print(json.dumps({"saved": one.saved, "lost": one.lost}), flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "fill":
        fill(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    elif sys.argv[1] == "rewrite":
        rewrite(sys.argv[2])
    else:
        sample(sys.argv[2], locks=sys.argv[3:] == ["lock"])
