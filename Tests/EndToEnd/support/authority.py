"""The built-in authority alone, as `keyturn authority` serves it."""

import re
import subprocess

from .workspace import KEYTURN


def start_authority(case):
    """Starts it for one test; returns its origin."""
    return start_authority_process(case)[0]


def start_authority_process(case):
    """Starts it for one test; returns its origin and its process."""
    process = subprocess.Popen(
        [str(KEYTURN), "authority", "--port", "0"], stdout=subprocess.PIPE, text=True, env=case.workspace.environment)
    case.addCleanup(process.stdout.close)
    case.addCleanup(process.wait)
    case.addCleanup(process.terminate)
    for line in process.stdout:
        found = re.search(r"http://[\w.]+:\d+", line)
        if found:
            return found.group(), process
    raise AssertionError("the authority did not start")
