"""MSAL Python on the cache file of the program.

usage: msal_python.py fill FILE NAME COUNT     adds COUNT accounts to the cache file, one at a time
       msal_python.py rewrite FILE            writes the cache file repeatedly and slowly, until its input ends
"""

import pathlib
import sys
import threading
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
    ended = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    print("writing", flush=True)
    while not ended.is_set():
        with msal_extensions.CrossPlatLock(f"{file}.lockfile"):
            with open(file, "w") as handle:
                ended.wait(0.02)
                handle.write(content)
        # Gives others a turn: it does not wait for its own.
        ended.wait(0.005)


if __name__ == "__main__":
    if sys.argv[1] == "fill":
        fill(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    else:
        rewrite(sys.argv[2])
