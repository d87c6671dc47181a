"""The result of a fault."""

import dataclasses
import threading


@dataclasses.dataclass
class Tally:
    tried: int = 0
    lost: int = 0
    hung: int = 0
    # Refresh tokens that were spent without a successor in the cache, as far as that is a documented limit. `None`: the
    # fault redeems none.
    spent: int = None
    notes: list = dataclasses.field(default_factory=list)
    # Why it was skipped; None: it was tried.
    skipped: str = None
    _lock: threading.Lock = dataclasses.field(default_factory=threading.Lock, repr=False)

    def add(self, lost=None, hung=None):
        """One try. `lost` and `hung` describe the failure, or are None."""
        with self._lock:
            self.tried += 1
            self.lost += lost is not None
            self.hung += hung is not None
            self.notes += [note for note in (lost, hung) if note is not None]


class Lost(Exception):
    """A record is gone, or the program did not end as documented."""


class Hung(Exception):
    """It ended neither by itself nor on request."""
