#pragma once

#include <stddef.h>
#include <stdint.h>

// HTTP with libcurl, which is loaded at its first use: linking it would slow the start of every command without
// network.

typedef struct keyturn_curl keyturn_curl;

enum {
    KEYTURN_CURL_CANCELLED = -1,
    KEYTURN_CURL_BODY_TOO_LARGE = -2,
    KEYTURN_CURL_REJECTED_SERVER = -3,
    KEYTURN_CURL_HEADERS_TOO_LARGE = -4,
    // A response with status 101 (RFC 9110 section 15.2.2).
    KEYTURN_CURL_SWITCHED = -9,
    KEYTURN_CURL_SINK_FAILED = -5,
};

/// Takes a piece of the response's body. Returns 1 if it took the piece, 0 to collect it, and -1 to end the exchange. The
/// status and the headers are readable in the call.
typedef int32_t (*keyturn_curl_sink)(void *context, const uint8_t *bytes, size_t length);

/// Gives a piece of the request's body. Returns its length, 0 at the end, or -1 to end the exchange.
typedef int64_t (*keyturn_curl_source)(void *context, uint8_t *bytes, size_t room);

/// Returns whether a request may be sent to the server. Called when the connection is open, before anything is sent.
typedef int32_t (*keyturn_curl_guard)(const char *server_address, int32_t server_port, int32_t own_port);

// Limits of the response header.
enum { KEYTURN_CURL_HEADER_BYTES = 256 << 10, KEYTURN_CURL_HEADER_LINES = 1024 };

/// NULL when the library is loaded, else the reason. The text stays valid.
const char *keyturn_curl_library_problem(void);

/// Creates a handle for successive exchanges that reuse connections. NULL when out of memory.
keyturn_curl *keyturn_curl_new(void);
void keyturn_curl_free(keyturn_curl *curl);

/// Erases the last request and its response.
void keyturn_curl_forget(keyturn_curl *curl);

// An exchange: begin, set its properties, perform. These return 0 on failure.

/// `is_loopback` allows http. Otherwise only https is allowed, with TLS 1.2 or later. `proxy` is its URL, or "" for none;
/// libcurl doesn't read the environment.
int32_t keyturn_curl_begin(
    keyturn_curl *curl, const char *method, const char *url, const char *agent, const char *proxy, int32_t is_loopback);
/// `line` is `Name: value`.
int32_t keyturn_curl_add_header(keyturn_curl *curl, const char *line);
/// Ends the transfer when the headers of the response have come, without its body, which may never end.
void keyturn_curl_end_at_headers(keyturn_curl *curl);
int32_t keyturn_curl_set_body(keyturn_curl *curl, const uint8_t *bytes, size_t length);
/// The request has a body that `source` gives, which is read once. `length` is -1 if unknown. `context` must stay valid until
/// the exchange ends. libcurl repeats no request whose body it has begun to read.
int32_t keyturn_curl_set_source(
    keyturn_curl *curl, const char *method, int64_t length, keyturn_curl_source source, void *context);
int32_t keyturn_curl_set_authorities(keyturn_curl *curl, const char *pem_file);
/// Doesn't reuse a connection. libcurl repeats a request when a reused connection is dead, although the server may have
/// received it.
int32_t keyturn_curl_use_new_connection(keyturn_curl *curl);
/// Calls `guard` before sending. If it returns 0, the exchange ends with KEYTURN_CURL_REJECTED_SERVER.
void keyturn_curl_set_guard(keyturn_curl *curl, keyturn_curl_guard guard);
/// `context` must stay valid until the exchange ends.
void keyturn_curl_set_sink(keyturn_curl *curl, keyturn_curl_sink sink, void *context);
/// Calls the sink also when the header has come, without bytes.
void keyturn_curl_announce_head(keyturn_curl *curl);
int32_t keyturn_curl_set_limits(
    keyturn_curl *curl, uint32_t connect_milliseconds, uint32_t total_milliseconds, size_t body_bytes);
/// Ends the exchange with a timeout when no byte comes or goes for so long.
int32_t keyturn_curl_set_idle_limit(keyturn_curl *curl, uint32_t seconds);

/// Performs the exchange and blocks. Returns 0, an error code of libcurl, or one of the codes above.
int32_t keyturn_curl_perform(keyturn_curl *curl);
/// Cancels `perform` from another thread. Afterwards the handle can only be freed.
void keyturn_curl_cancel(keyturn_curl *curl);

/// Cancels the exchange unless its request has been sent. The handle can't be used again.
void keyturn_curl_withdraw(keyturn_curl *curl);

// The response, valid until the next exchange begins.

int32_t keyturn_curl_status(const keyturn_curl *curl);
/// The version of HTTP, for example "1.1".
const char *keyturn_curl_http_version(const keyturn_curl *curl);
size_t keyturn_curl_header_count(const keyturn_curl *curl);
/// A field `Name: value`, without the line end and not terminated.
const uint8_t *keyturn_curl_header(const keyturn_curl *curl, size_t index, size_t *length);
const uint8_t *keyturn_curl_body(const keyturn_curl *curl, size_t *length);
/// The `errno` of a failed connection; 0 if unknown.
int32_t keyturn_curl_os_error(const keyturn_curl *curl);
/// The status of the proxy's response to CONNECT; 0 for none, and 200 for a connection that an earlier exchange opened.
int32_t keyturn_curl_connect_status(const keyturn_curl *curl);
/// libcurl's error message.
const char *keyturn_curl_error(const keyturn_curl *curl, int32_t code);
