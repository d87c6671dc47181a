"""Compares `keyturn mcp` with a direct connection and with other relays, in one run.

usage: relay.py KEYTURN [RELAY…]      a relay is a command line that gets the server's URL as its last argument

Prints for each the time of a call (median and 95 % of rounds that alternate), what it adds to a direct one, and the resident
memory. The direct client opens a connection for each call, as the relay does.
"""

import http.client
import json
import pathlib
import shlex
import statistics
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "Tests/EndToEnd"))

from support.mcp_client import INITIALIZE  # noqa: E402  (found by the path above)
from support.workspace import Workspace  # noqa: E402

CALLS, ROUNDS = 100, 5


class Direct:
    def __init__(self, port):
        self.port, self.session = port, None
        self.call({"id": 0, "method": "initialize", "params": INITIALIZE})

    def call(self, message):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.session:
            headers["Mcp-Session-Id"] = self.session
        connection.request("POST", "/mcp", json.dumps({"jsonrpc": "2.0", **message}), headers)
        response = connection.getresponse()
        self.session = response.headers.get("Mcp-Session-Id", self.session)
        answer = json.loads(response.read())
        connection.close()
        return answer

    def memory(self):
        return 0

    def close(self):
        pass


class Relay:
    def __init__(self, command, environment):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment)
        self.call({"id": 0, "method": "initialize", "params": INITIALIZE})
        self.write({"method": "notifications/initialized"})

    def write(self, message):
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
        self.process.stdin.flush()

    def call(self, message):
        self.write(message)
        while True:
            answer = json.loads(self.process.stdout.readline())
            if answer.get("id") == message["id"] and "method" not in answer:
                return answer

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) / 1024

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()


def measured(keyturn, others=()):
    """For each relay, and `direct`: the milliseconds of a call and the memory in MB. `others` are command lines."""
    workspace = Workspace()
    server = subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.path.insert(0, sys.argv[1])\n"
         "from support.mcp_server import MCPServer\ns = MCPServer(listens=False)\nprint(s.port, flush=True); sys.stdin.read()",
         str(HERE.parent / "Tests/EndToEnd")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    port = int(server.stdout.readline())
    address = f"http://127.0.0.1:{port}/mcp"
    clients = {"direct": Direct(port), "keyturn": Relay([keyturn, "mcp", address], workspace.environment)}
    for command in others:
        words = shlex.split(command)
        clients[pathlib.Path(words[0]).name] = Relay([*words, address], workspace.environment)
    times = {name: [] for name in clients}
    for number in range((ROUNDS + 1) * CALLS):
        for name, client in clients.items():
            begin = time.perf_counter()
            client.call({"id": number, "method": "tools/call", "params": {"name": "echo", "arguments": {"text": "a"}}})
            # The first round warms up.
            if number >= CALLS:
                times[name].append((time.perf_counter() - begin) * 1000)
    result = {name: (times[name], client.memory()) for name, client in clients.items()}
    for client in clients.values():
        client.close()
    server.stdin.close()
    server.wait()
    workspace.close()
    return result


def main():
    result = measured(sys.argv[1], sys.argv[2:])
    direct = statistics.median(result["direct"][0])
    for name, (times, memory) in result.items():
        median, late = statistics.median(times), statistics.quantiles(times, n=20)[-1]
        print(f"{name:12} {median:7.2f} ms  95 % {late:7.2f} ms  added {median - direct:6.2f} ms  {memory:6.1f} MB")


if __name__ == "__main__":
    main()
