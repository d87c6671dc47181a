#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

// Accepts a server's connections and looks at the first byte of each: a browser that insists on https begins with a TLS
// handshake, of which libmicrohttpd reports nothing.

enum { ARRIVALS_LISTENERS = 2 };

struct arrival;

struct arrivals {
    int listeners[ARRIVALS_LISTENERS];
    size_t listener_count;
    /// The maximum number of connections that have sent nothing. Beyond it the longest waiting one is closed.
    uint32_t most;
    /// Seconds after which such a connection is closed.
    uint32_t seconds;
    /// Takes a connection that has begun to send, and whether its first byte begins a TLS handshake. Returns 0 if there is no
    /// room; then it waits, and others in the listeners' queue.
    int (*take)(void *context, int socket, const struct sockaddr *address, socklen_t length, int is_tls);
    void *context;
    // Of the thread.
    struct arrival *waiting;
    size_t count;
    pthread_t thread;
    int has_thread;
    int end;
};

/// Starts the thread, which owns the listeners from now on. Returns 0 and closes them when it can't.
int arrivals_begin(struct arrivals *arrivals);
/// Closes the listeners instead.
void arrivals_refuse(struct arrivals *arrivals);
/// Tells a browser that begins a TLS handshake that there is no TLS, and closes its connection. It may not show the text.
void arrivals_turn_away(int socket);
/// Closes the listeners and the waiting connections.
void arrivals_end(struct arrivals *arrivals);
