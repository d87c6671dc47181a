"""Chromium that records a HAR, like a user's "Save all as HAR"."""

import json
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

# Runs in the page of the developer tools, which inspect the sign-in tab.
KEEP = """
const [finish] = arguments;
Promise.all([import('./core/common/common.js'), import('./core/sdk/sdk.js')]).then(([{Settings}, sdk]) => {
    const isWatching = () => sdk.TargetManager.TargetManager.instance().targets().some(
        target => target.model(sdk.NetworkManager.NetworkManager));
    const wait = () => {
        try {
            // The developer tools register this setting some time after they start.
            Settings.Settings.instance().moduleSetting('network-log.preserve-log').set(true);
            if (isWatching()) return finish('');
        } catch (notYet) {}
        setTimeout(wait, 20);
    };
    wait();
}).catch(error => finish(String(error)));
"""
SAVE = """
const [finish] = arguments;
Promise.all([import('./models/har/har.js'), import('./models/logs/logs.js')]).then(async ([har, logs]) => {
    // Accepts any call and shows no progress.
    const progress = new Proxy(() => progress, {get: (_, name) => ({canceled: false, isCanceled: () => false})[name] ?? (() => progress)});
    const requests = logs.NetworkLog.NetworkLog.instance().requests();
    finish(await har.Writer.Writer.harStringForRequests(requests, {sanitize: false}, progress));
}).catch(error => finish('error ' + error + error.stack));
"""


class Recorder:
    """A browser with a tab for the sign-in and one for the developer tools."""

    def __init__(self, *flags):
        self._profile = tempfile.TemporaryDirectory(prefix="keyturn-evidence-", ignore_cleanup_errors=True)
        options = webdriver.ChromeOptions()
        options.binary_location = "/usr/bin/chromium"
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                     "--remote-allow-origins=*", f"--user-data-dir={self._profile.name}", *flags):
            options.add_argument(flag)
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
        self.driver.set_script_timeout(30)
        self._tab = self.driver.current_window_handle
        address = self.driver.capabilities["goog:chromeOptions"]["debuggerAddress"]
        self.driver.switch_to.new_window("tab")
        self._tools = self.driver.current_window_handle
        self.driver.get(f"http://{address}/devtools/inspector.html?ws={address}/devtools/page/{self._tab}&panel=network")
        trouble = self.driver.execute_async_script(KEEP)
        if trouble:
            raise RuntimeError(trouble)
        self.driver.switch_to.window(self._tab)

    def save(self):
        """Returns the current recording as an object."""
        self.driver.switch_to.window(self._tools)
        text = self.driver.execute_async_script(SAVE)
        self.driver.switch_to.window(self._tab)
        if not text.startswith("{"):
            raise RuntimeError(text)
        return json.loads(text)

    def close(self):
        self.driver.quit()
        self._profile.cleanup()
