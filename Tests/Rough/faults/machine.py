"""A machine without resources, or with a changed clock."""

import resource

from lane import require
from support import person
from support.clock import FAKE_TIME, Clock, offset

# With fewer than seven, the system's loader and the program's threads fail before a command runs.
LEAST, MOST = 7, 47
HOUR, DAY, YEAR = 3600, 86_400, 31_557_600
JUMPS = (HOUR, -HOUR, DAY, -DAY, YEAR, -YEAR, 20 * YEAR, -50 * YEAR)


def no_descriptors(lane, number):
    """From too few to nearly enough: the command succeeds, or says why it failed."""
    descriptors = LEAST + number % (MOST - LEAST)
    lane.commit()
    if number // (MOST - LEAST) % 2:
        lane.workspace.forget_documents()
    ending = lane.run("token", "--force-refresh", "--no-interaction", preexec_fn=lambda: limit(descriptors))
    # 3: the program could not even read its configuration.
    require(ending, {0, 1, 3, 6, 7})
    # If the response could not be read, the request may have been sent.
    lane.must_hold(renewable=ending.status in (0, 3))


def limit(descriptors):
    resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))


def clock_jumps(lane, number):
    """The clock jumps before a token request or while the user is in the browser, and is corrected afterwards."""
    if FAKE_TIME is None:
        return "libfaketime is not installed"
    jump = JUMPS[number % len(JUMPS)]
    lane.commit()
    clock = Clock(lane.workspace.path / "clock")
    environment = clock.environment
    if number // len(JUMPS) % 2 == 0:
        clock.set(jump)
        lane.run("token", "--no-interaction", allowed={0}, environment=environment)
        lane.run("token", "--no-interaction", "--force-refresh", allowed={0}, environment=environment)
    else:
        clock.set(0)
        browser = lane.workspace.path / "jumping-browser"
        usual = person.browser_command(lane.workspace, *person.ANN)
        browser.write_text(f"#!/bin/sh\nunset LD_PRELOAD\necho '{offset(jump)}' >{clock.file}\nexec {usual} \"$1\"\n")
        browser.chmod(0o700)
        lane.run("sign-in", allowed={0}, environment={**environment, "BROWSER": str(browser)})
    # Corrected again.
    lane.must_hold()
    return None
