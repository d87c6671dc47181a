"""The built-in authority behind the interposer."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "EndToEnd"))

from support.provider import ServerProcess  # noqa: E402  (found by the path above)

from interposer import Interposer  # noqa: E402


class Authority:
    """Its URL is the interposer's, which it uses as its own."""

    def __init__(self, soak):
        self._soak = soak
        self.interposer = Interposer()
        self.origin = self.interposer.origin
        self._start()

    def _start(self):
        self._server = ServerProcess([self._soak, "authority", 0, self.origin], r"listening on (\d+)", None)
        self.interposer.upstream = int(self._server.address)

    def restart(self):
        """A new authority: it has no sessions of the old one, and other keys."""
        self._server.close()
        self._start()

    def close(self):
        self.interposer.close()
        self._server.close()
