"""A proxy between the program and the authority that disturbs the responses of chosen steps."""

import collections
import socket
import struct
import threading
import time

from ledger import Ledger

# In the order of a sign-in.
STEPS = ("discovery", "keys", "code", "refresh")


def step_of(head, body):
    """The step of a request; None: a page, or a document that is not disturbed."""
    path = head.split(b" ", 2)[1].split(b"?")[0]
    if path.endswith(b"/.well-known/openid-configuration"):
        return "discovery"
    if path.endswith(b"/keys"):
        return "keys"
    if path.endswith(b"/token"):
        return "refresh" if b"grant_type=refresh_token" in body else "code"
    return None


class Interposer:
    """Listens at the authority's public URL."""

    def __init__(self):
        self._listener = None
        self._connections = set()
        self._lock = threading.Lock()
        # The disturbances of each step, in order. An entry of `always` stays.
        self._once = collections.defaultdict(collections.deque)
        self._always = {}
        self.upstream = None
        self.chooses = None
        self.ledger = Ledger()
        self.port = self._listen(0)
        self.origin = f"http://127.0.0.1:{self.port}"

    def spoil(self, step, how, always=False):
        if always:
            self._always[step] = how
        else:
            self._once[step].append(how)

    def relent(self):
        self._once.clear()
        self._always.clear()

    def _listen(self, port):
        self._listener = socket.create_server(("127.0.0.1", port), backlog=64)
        threading.Thread(target=self._accept, args=(self._listener,), daemon=True).start()
        return self._listener.getsockname()[1]

    def vanish(self):
        """Stops listening and resets open connections, like the death of a server process."""
        # A thread that accepts holds the socket open; shutting it down ends that.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            held, self._connections = self._connections, set()
        for connection in held:
            reset(connection)

    def return_(self):
        self._listen(self.port)

    def close(self):
        self.vanish()

    def _accept(self, listener):
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with self._lock:
                self._connections.add(connection)
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        try:
            # One request per connection is enough, and makes clear which one is reset.
            request = read_message(connection)
            if request:
                self._how(*request)(self, connection, b"".join(request))
        except OSError:
            pass
        finally:
            with self._lock:
                self._connections.discard(connection)
            connection.close()

    def _how(self, head, body):
        step = step_of(head, body)
        if step and self._once[step]:
            return self._once[step].popleft()
        return self._always.get(step) or (self.chooses and self.chooses(step)) or passes

    def ask(self, request):
        """The authority's whole response."""
        with socket.create_connection(("127.0.0.1", self.upstream), timeout=60) as upstream:
            upstream.sendall(request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
            parts = []
            while part := upstream.recv(65536):
                parts.append(part)
        response = b"".join(parts)
        self.ledger.note(request, response)
        return response


def read_message(connection):
    """The head and the body of one request; None when the other side sends nothing more."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = connection.recv(65536)
        if not part:
            return None
        data += part
    head, _, body = data.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:")]
    while lengths and len(body) < int(lengths[0]):
        body += connection.recv(65536)
    return head + b"\r\n\r\n", body


def reset(connection):
    try:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        connection.close()
    except OSError:
        pass


# The disturbances of a response.

def passes(interposer, connection, request):
    connection.sendall(interposer.ask(request))


def resets(_, connection, __):
    """The authority never gets the request."""
    reset(connection)


def loses(interposer, connection, request):
    """The authority has processed the request, but the response is lost."""
    interposer.ask(request)
    reset(connection)


def breaks_in_the_head(interposer, connection, request):
    connection.sendall(interposer.ask(request)[:40])
    reset(connection)


def breaks_in_the_body(interposer, connection, request):
    answer = interposer.ask(request)
    connection.sendall(answer[: answer.index(b"\r\n\r\n") + 40])
    reset(connection)


def drips(pieces, seconds):
    """Sends the response in pieces, over `seconds` in total."""

    def drip(interposer, connection, request):
        answer = interposer.ask(request)
        size = max(1, len(answer) // pieces)
        for start in range(0, len(answer), size):
            connection.sendall(answer[start : start + size])
            time.sleep(seconds / pieces)

    return drip


def answers(status, *fields):
    """Responds in place of the authority, which never gets the request."""
    body = b'{"error":"temporarily_unavailable"}'
    head = [f"HTTP/1.1 {status} No", f"Content-Length: {len(body)}", "Content-Type: application/json"]
    text = "\r\n".join([*head, "Connection: close", *fields, "", ""]).encode() + body

    def answer(_, connection, __):
        connection.sendall(text)

    return answer
