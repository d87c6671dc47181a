"""Measurements of other programs."""

import fcntl
import os
import re
import select
import signal
import statistics
import struct
import subprocess
import tempfile
import termios
import time


class TerminalProgram:
    """A program in a pseudo-terminal."""

    def __init__(self, command, environment, columns=80, rows=24):
        self._terminal, inner = os.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        # The first terminal that a session leader opens becomes its controlling terminal.
        streams = [(os.POSIX_SPAWN_OPEN, 0, os.ttyname(inner), os.O_RDWR, 0)]
        streams += [(os.POSIX_SPAWN_DUP2, 0, stream) for stream in (1, 2)]
        self.started = time.perf_counter()
        self.pid = spawned(command, {**environment, "TERM": "xterm-256color"}, streams, setsid=True)
        os.close(inner)

    def seconds_until(self, text, limit=30):
        """Seconds from the start of the process until `text` was written to the terminal."""
        seen = b""
        while text not in seen:
            if not select.select([self._terminal], [], [], limit)[0]:
                raise SystemExit(f"{text!r} did not appear: {seen!r}")
            try:
                seen += os.read(self._terminal, 65536)
            except OSError:
                raise SystemExit(f"the program ended without {text!r}: {seen!r}") from None
        return time.perf_counter() - self.started

    def drain(self, seconds):
        """Reads for this long and returns the number of bytes."""
        end = time.perf_counter() + seconds
        count = 0
        while (left := end - time.perf_counter()) > 0:
            if select.select([self._terminal], [], [], left)[0]:
                count += len(os.read(self._terminal, 65536))
        return count

    def press(self, key):
        os.write(self._terminal, key)

    def bytes_of_key(self, key, presses):
        """The bytes that a key press writes, on average."""
        count = 0
        for _ in range(presses):
            self.press(key)
            count += self.drain(0.1)
        return count / presses

    def close(self):
        os.kill(self.pid, signal.SIGTERM)
        os.close(self._terminal)
        self.wait()

    def wait(self):
        os.waitpid(self.pid, 0)

    def resident_kilobytes(self):
        return self._number(f"/proc/{self.pid}/status", "VmRSS")

    def wake_ups(self):
        """The number of wake-ups of each thread so far."""
        threads = os.listdir(f"/proc/{self.pid}/task")
        return {
            thread: self._number(f"/proc/{self.pid}/task/{thread}/status", "voluntary_ctxt_switches")
            for thread in threads
        }

    @staticmethod
    def _number(path, key):
        with open(path, encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith(key + ":"))


def in_turn(rounds, **measures):
    """The median of each measure. The measures alternate, so that all meet the same conditions."""
    taken = {name: [] for name in measures}
    for measure in measures.values():
        measure()
    for _ in range(rounds):
        for name, measure in measures.items():
            taken[name].append(measure())
    return {name: statistics.median(values) for name, values in taken.items()}


def first_frame(command, environment, text):
    program = TerminalProgram(command, environment)
    try:
        return program.seconds_until(text)
    finally:
        program.close()


def run_time(command, environment):
    """Seconds from the start of a process to its end."""
    with tempfile.TemporaryFile() as said:
        streams = [(os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0)]
        streams += [(os.POSIX_SPAWN_DUP2, said.fileno(), stream) for stream in (1, 2)]
        started = time.perf_counter()
        _, status = os.waitpid(spawned(command, environment, streams), 0)
        elapsed = time.perf_counter() - started
        if (code := os.waitstatus_to_exitcode(status)) != 0:
            said.seek(0)
            raise SystemExit(f"{command[0]} ended with {code}: {said.read().decode()[-400:]}")
        return elapsed


def spawned(command, environment, streams, **options):
    """A new process of a program. A fork would first copy this process's page tables, and that time would count."""
    command = [str(part) for part in command]
    return os.posix_spawnp(command[0], command, environment, file_actions=streams, **options)


def requests(command, environment):
    """The number of plain HTTP requests of a program, from the data it writes to its sockets."""
    with tempfile.NamedTemporaryFile("r") as log:
        traced = ["strace", "-f", "-qq", "-e", "trace=write,writev,sendto,sendmsg", "-s", "8", "-o", log.name]
        run_time([*traced, *command], environment)
        return len(re.findall(r'"(?:GET|POST) /', log.read()))


def requests_in_a_second(url, seconds):
    """With wrk: two threads, eight connections."""
    output = subprocess.run(
        ["wrk", "-t2", "-c8", f"-d{seconds}s", url], check=True, capture_output=True, text=True
    ).stdout
    if "Non-2xx" in output:
        raise SystemExit(f"{url} was refused:\n{output}")
    return float(re.search(r"Requests/sec:\s*([0-9.]+)", output).group(1))
