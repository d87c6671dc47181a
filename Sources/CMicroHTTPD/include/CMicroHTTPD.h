#pragma once

#include <stddef.h>
#include <stdint.h>

// An HTTP server for the loopback addresses over libmicrohttpd, which is loaded when first used: linking it would slow
// the start of every command that never serves anything.

typedef struct keyturn_http_server keyturn_http_server;
typedef struct keyturn_http_exchange keyturn_http_exchange;

/// Called on a thread of the exchange's own. It may block; it must reply before it returns.
typedef void (*keyturn_http_handler)(void *context, keyturn_http_exchange *exchange);

typedef struct {
    size_t body_bytes;
    /// How many may wait for the rest of a request; of more, the one that has waited longest is closed.
    uint32_t connections;
    uint32_t idle_seconds;
    /// How long a whole request may take to come, however steadily it comes.
    uint32_t request_seconds;
} keyturn_http_limits;

/// A certificate and its private key in PEM, for a server that speaks TLS. They have to stay valid while it runs.
typedef struct {
    const char *certificate;
    const char *key;
} keyturn_http_identity;

/// NULL when the library could be loaded, else why not. The text stays valid.
const char *keyturn_http_library_problem(void);

/// A socket that listens on 127.0.0.1 (`ipv6` 0) or ::1, or a negative errno. Port 0 takes any free one.
int32_t keyturn_loopback_listen(int32_t ipv6, uint16_t port);
/// The same on one numeric address. `-EINVAL` when it is none.
int32_t keyturn_listen_at(const char *address, uint16_t port);
uint16_t keyturn_loopback_port(int32_t listener);
void keyturn_loopback_close(int32_t listener);

/// Serves on one or two listeners (the second may be -1), which belong to the server from now on; by TLS when there is an
/// `identity`. NULL: it did not start, as without a connection allowed, and they are closed.
keyturn_http_server *keyturn_http_start(
    int32_t listener, int32_t second, keyturn_http_limits limits, const keyturn_http_identity *identity,
    keyturn_http_handler handler, void *context);

/// Returns 1 as soon as no request is being answered, 0 when that took longer than `milliseconds`.
int32_t keyturn_http_wait_idle(keyturn_http_server *server, uint32_t milliseconds);

/// Closes every connection, waits until every call of the handler has returned, and frees the server.
void keyturn_http_stop(keyturn_http_server *server);

// What came. All of it stays valid until the handler returns.

const char *keyturn_http_method(const keyturn_http_exchange *exchange);
/// The request target as it was sent, not decoded.
const char *keyturn_http_target(const keyturn_http_exchange *exchange);
const uint8_t *keyturn_http_body(const keyturn_http_exchange *exchange, size_t *length);
void keyturn_http_each_header(
    const keyturn_http_exchange *exchange, void *context,
    void (*each)(void *context, const char *name, const char *value));

// The reply: first the body, then its header fields. Each returns 1, or 0 when it was refused.

/// The body is copied. It goes out byte by byte when `pause`, in milliseconds before each, is not 0.
int32_t keyturn_http_reply(
    keyturn_http_exchange *exchange, uint32_t status, const uint8_t *body, size_t length, uint32_t pause);
int32_t keyturn_http_reply_header(keyturn_http_exchange *exchange, const char *name, const char *value);
