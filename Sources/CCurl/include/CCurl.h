#pragma once

#include <stddef.h>
#include <stdint.h>

// HTTP exchanges over libcurl, which is loaded when first used: linking it would slow the start of every command that
// needs no network.

typedef struct keyturn_curl keyturn_curl;

enum {
    KEYTURN_CURL_CANCELLED = -1,
    KEYTURN_CURL_BODY_TOO_LARGE = -2,
    KEYTURN_CURL_REFUSED_SERVER = -3,
    KEYTURN_CURL_HEADERS_TOO_LARGE = -4,
};

/// Whether a request may go to the server of a connection. Called when the connection stands and nothing was sent yet.
typedef int32_t (*keyturn_curl_guard)(const char *server_address, int32_t server_port, int32_t own_port);

// A server that sends fields for ever is cut off here.
enum { KEYTURN_CURL_HEADER_BYTES = 256 << 10, KEYTURN_CURL_HEADER_LINES = 1024 };

/// NULL when the library could be loaded, else why not. The text stays valid.
const char *keyturn_curl_library_problem(void);

/// Something that makes one exchange after another and keeps their connections open in between. NULL: no memory.
keyturn_curl *keyturn_curl_new(void);
void keyturn_curl_free(keyturn_curl *curl);

/// Overwrites what is left of the last request and its response.
void keyturn_curl_forget(keyturn_curl *curl);

// One exchange: begin, then what it has, then perform. 0: refused.

/// `is_loopback` allows http and goes past every proxy; otherwise it is https, with TLS 1.2 or later.
int32_t keyturn_curl_begin(keyturn_curl *curl, const char *method, const char *url, int32_t is_loopback);
/// `line` is `Name: value`.
int32_t keyturn_curl_add_header(keyturn_curl *curl, const char *line);
int32_t keyturn_curl_set_body(keyturn_curl *curl, const uint8_t *bytes, size_t length);
int32_t keyturn_curl_set_authorities(keyturn_curl *curl, const char *pem_file);
/// Takes no connection that is open already. libcurl sends a request again when such a connection turns out to be dead,
/// although the server may have read it.
int32_t keyturn_curl_use_new_connection(keyturn_curl *curl);
/// Asks `guard` before the request is sent; where it says 0, the exchange ends with KEYTURN_CURL_REFUSED_SERVER.
int32_t keyturn_curl_set_guard(keyturn_curl *curl, keyturn_curl_guard guard);
int32_t keyturn_curl_set_limits(
    keyturn_curl *curl, uint32_t connect_milliseconds, uint32_t total_milliseconds, size_t body_bytes);

/// Blocks. Returns 0, a code of libcurl, or one of those above.
int32_t keyturn_curl_perform(keyturn_curl *curl);
/// Ends `perform` from another thread, for good: the object can then only be freed.
void keyturn_curl_cancel(keyturn_curl *curl);

// What came, until the next exchange begins.

int32_t keyturn_curl_status(const keyturn_curl *curl);
size_t keyturn_curl_header_count(const keyturn_curl *curl);
/// `Name: value` without the end of the line, not terminated.
const uint8_t *keyturn_curl_header(const keyturn_curl *curl, size_t index, size_t *length);
const uint8_t *keyturn_curl_body(const keyturn_curl *curl, size_t *length);
/// What libcurl says went wrong.
const char *keyturn_curl_error(const keyturn_curl *curl, int32_t code);
