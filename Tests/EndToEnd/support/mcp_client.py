"""A client of the Model Context Protocol that starts `keyturn mcp`, and sees each line."""

import json
import queue
import signal
import subprocess
import threading

from .workspace import KEYTURN

INITIALIZE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}


class MCPClient:
    def __init__(self, workspace, *arguments):
        self.process = subprocess.Popen(
            [str(KEYTURN), "mcp", *map(str, arguments)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env=workspace.environment)
        self.lines, self.errors, self.waiting = queue.Queue(), [], []
        self.readers = [threading.Thread(target=reader, daemon=True) for reader in (self._read, self._read_errors)]
        for reader in self.readers:
            reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def _read_errors(self):
        for line in self.process.stderr:
            self.errors.append(line.decode())

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, method, id=None, **params):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if id is not None:
            message["id"] = id
        self.write(json.dumps(message).encode() + b"\n")

    def message(self, seconds=20):
        line = self.lines.get(timeout=seconds)
        if line is None:
            raise AssertionError(f"the output ended: {''.join(self.errors)}")
        return json.loads(line)

    def response(self, id, seconds=20):
        """The response with this ID. Others stay for later."""
        for message in self.waiting:
            if message.get("id") == id and "method" not in message:
                self.waiting.remove(message)
                return message
        while True:
            message = self.message(seconds)
            if message.get("id") == id and "method" not in message:
                return message
            self.waiting.append(message)

    def open(self, **others):
        self.send("initialize", "i", **{**INITIALIZE, **others})
        response = self.response("i", 60)
        self.send("notifications/initialized")
        return response

    def call(self, tool, id, **arguments):
        self.send("tools/call", id, name=tool, arguments=arguments)

    def text(self, tool, id, **arguments):
        self.call(tool, id, **arguments)
        return self.response(id)["result"]["content"][0]["text"]

    def end(self, seconds=45):
        """Ends the input. Returns the exit status."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        return self.finish(seconds)

    def finish(self, seconds=45):
        status = self.process.wait(timeout=seconds)
        for reader in self.readers:
            reader.join(5)
        return status

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass
