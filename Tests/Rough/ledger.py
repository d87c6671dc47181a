"""What was spent at the authority: refresh tokens that it has replaced, and client registrations."""

import json
import threading
import urllib.parse


class Ledger:
    def __init__(self):
        self._lock = threading.Lock()
        # The refresh tokens that the authority has replaced.
        self._redeemed = set()
        # All refresh tokens that it got, in order.
        self._sent = []
        self.registrations = 0

    def note(self, request, response):
        """An exchange that the authority has processed, whether or not the response arrives."""
        head, _, body = request.partition(b"\r\n\r\n")
        path = head.split(b" ", 2)[1].split(b"?")[0]
        status = response.split(b" ", 2)[1:2]
        with self._lock:
            if path.endswith(b"/register") and status == [b"201"]:
                self.registrations += 1
            if path.endswith(b"/token"):
                self._note_refresh(dict(urllib.parse.parse_qsl(body.decode())), status, response)

    def _note_refresh(self, form, status, response):
        if form.get("grant_type") != "refresh_token":
            return
        self._sent.append(form["refresh_token"])
        issued = json.loads(response.partition(b"\r\n\r\n")[2]) if status == [b"200"] else {}
        if issued.get("refresh_token", form["refresh_token"]) != form["refresh_token"]:
            self._redeemed.add(form["refresh_token"])

    @property
    def redemptions(self):
        with self._lock:
            return len(self._redeemed)

    def holds_successor(self, refresh):
        """Whether the cache has a refresh token that the authority hasn't replaced. `refresh` uses the cached one."""
        with self._lock:
            redeemed, count = set(self._redeemed), len(self._sent)
        refresh()
        with self._lock:
            sent = self._sent[count:]
        return bool(sent) and sent[0] not in redeemed
