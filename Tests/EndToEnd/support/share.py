"""What a landing tests of many similar combinations: a share of them. With KEYTURN_EVERY (`make nightly`), all."""

import os

IS_EVERY = "KEYTURN_EVERY" in os.environ


def share(items, one_in):
    """Every `one_in`th of the items, from the first."""
    return items if IS_EVERY else items[::one_in]
