"""One Chromium for all tests of a class, to read pages with."""

import tempfile

from .browser import start_chromium
from .case import JourneyCase


class ReadingCase(JourneyCase):
    @classmethod
    def setUpClass(cls):
        profile = tempfile.TemporaryDirectory(prefix="keyturn-handout-", ignore_cleanup_errors=True)
        cls.addClassCleanup(profile.cleanup)
        cls.driver = start_chromium(profile.name)
        cls.addClassCleanup(cls.driver.quit)
