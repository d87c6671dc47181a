#pragma once

#include <stddef.h>
#include <stdint.h>

// An HTTP server for loopback addresses with libmicrohttpd, which is loaded at its first use: linking it would slow the
// start of every command without a server.

typedef struct keyturn_http_server keyturn_http_server;
typedef struct keyturn_http_exchange keyturn_http_exchange;

/// Called on the exchange's own thread. May block, and must reply before it returns.
typedef void (*keyturn_http_handler)(void *context, keyturn_http_exchange *exchange);

/// Called when a client begins a TLS handshake at a server without an identity, on a thread of the server.
typedef void (*keyturn_http_tls_came)(void *context);

/// What a server calls, each function on the exchange's own thread.
typedef struct {
    void *context;
    /// Called when a request has come completely. May block, and must reply before it returns.
    keyturn_http_handler came;
    /// Called when a client begins a TLS handshake at a server without an identity, on a thread of the server.
    keyturn_http_tls_came tls_came;
    /// For a server that only this user and root may use. Called if the kernel can't tell the user of a connection by
    /// sock_diag(7): returns whether the client at an address may connect. NULL for a server for every client.
    int32_t (*may_connect)(void *context, const char *address, uint16_t port);
    /// For a server that streams, called when the header has come. Rejects the request with a reply, or sets the state of
    /// the exchange, which then gets the body in pieces. NULL for a server that collects bodies.
    keyturn_http_handler began;
    /// Takes a piece of the body. May block.
    void (*body_came)(void *state, const uint8_t *bytes, size_t length);
    /// Whether the pieces of a streamed reply have ended as they should.
    int32_t (*is_whole)(void *state);
    /// Called once when the exchange has ended: `is_complete` if the client has got the whole reply. The last use of the
    /// state.
    void (*ended)(void *context, void *state, int32_t is_complete);
} keyturn_http_handlers;

typedef struct {
    size_t body_bytes;
    /// The maximum number of connections without a complete request. Beyond it the longest waiting one is closed.
    uint32_t connections;
    uint32_t idle_seconds;
    /// The time limit for a complete request; for a server that streams, for its header.
    uint32_t request_seconds;
    /// The memory of a connection, which limits the header of a request; 0 for as much as a browser's cookies need.
    size_t memory_bytes;
} keyturn_http_limits;

/// A certificate and its private key in PEM, for TLS. They must stay valid while the server runs.
typedef struct {
    const char *certificate;
    const char *key;
} keyturn_http_identity;

/// NULL when the library is loaded, else the reason. The text stays valid.
const char *keyturn_http_library_problem(void);

/// Returns a socket that listens on 127.0.0.1 (`ipv6` 0) or ::1, or a negative errno. Port 0 selects a free one.
int32_t keyturn_loopback_listen(int32_t ipv6, uint16_t port);
/// Listens on a numeric address. Returns `-EINVAL` when it is invalid.
int32_t keyturn_listen_at(const char *address, uint16_t port);
uint16_t keyturn_loopback_port(int32_t listener);
void keyturn_loopback_close(int32_t listener);

/// Starts a server on one or two listeners (the second may be -1), which it owns from now on. Uses TLS with an
/// `identity`. Returns NULL and closes the listeners on failure, and when no connection is allowed.
keyturn_http_server *keyturn_http_start(
    int32_t listener, int32_t second, keyturn_http_limits limits, const keyturn_http_identity *identity,
    keyturn_http_handlers handlers);

/// Waits until no request is being handled. Returns 1, or 0 when that takes longer than `milliseconds`.
int32_t keyturn_http_wait_idle(keyturn_http_server *server, uint32_t milliseconds);

/// Closes every connection, waits for all calls of the handler, and frees the server.
void keyturn_http_stop(keyturn_http_server *server);

// The request, valid until the handler returns.

const char *keyturn_http_method(const keyturn_http_exchange *exchange);
/// The request target as sent, not decoded.
const char *keyturn_http_target(const keyturn_http_exchange *exchange);
const uint8_t *keyturn_http_body(const keyturn_http_exchange *exchange, size_t *length);
void keyturn_http_each_header(
    const keyturn_http_exchange *exchange, void *context,
    void (*each)(void *context, const char *name, const char *value));

// The reply: first the body, then the header fields. Each function returns 1, or 0 on failure.

/// Copies the body. If `pause` isn't 0, sends it byte by byte with that many milliseconds before each.
int32_t keyturn_http_reply(
    keyturn_http_exchange *exchange, uint32_t status, const uint8_t *body, size_t length, uint32_t pause);
int32_t keyturn_http_reply_header(keyturn_http_exchange *exchange, const char *name, const char *value);

// A streamed exchange

void keyturn_http_set_state(keyturn_http_exchange *exchange, void *state);
void *keyturn_http_state(const keyturn_http_exchange *exchange);
int32_t keyturn_http_client_is_gone(const keyturn_http_exchange *exchange);
/// Replies with what comes from a pipe until its end. The pipe must stay open until the exchange ends. `length` is -1 if
/// unknown.
int32_t keyturn_http_reply_stream(keyturn_http_exchange *exchange, uint32_t status, int64_t length, int32_t pieces);
