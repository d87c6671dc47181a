#pragma once

#include "Arrivals.h"
#include "CMicroHTTPD.h"
#include "UnfinishedRequests.h"

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

#include "../CSystem/loading/loading.h"

// The loaded library, and what the files of this server know of an exchange.

#define FUNCTIONS(each)               \
    each(MHD_start_daemon)            \
    each(MHD_stop_daemon)             \
    each(MHD_add_connection)          \
    each(MHD_get_connection_values)   \
    each(MHD_get_connection_info)     \
    each(MHD_set_connection_option)   \
    each(MHD_create_response_from_buffer) \
    each(MHD_create_response_from_callback) \
    each(MHD_add_response_header)     \
    each(MHD_queue_response)          \
    each(MHD_destroy_response)        \
    each(MHD_get_version)

#define library keyturn_microhttpd_library
struct keyturn_microhttpd { FUNCTIONS(LOADED) };
extern struct keyturn_microhttpd library;

struct keyturn_http_server {
    struct MHD_Daemon *daemon;
    struct arrivals arrivals;
    keyturn_http_limits limits;
    keyturn_http_handlers handlers;
    int has_identity;
    /// The connections that the library has.
    atomic_uint taken;
    pthread_mutex_t lock;
    pthread_cond_t idle;
    size_t exchanges;
    struct unfinished_requests unfinished;
};

struct keyturn_http_exchange {
    keyturn_http_server *server;
    struct MHD_Connection *connection;
    /// The handler's own state of a streamed exchange.
    void *state;
    /// Where the pieces of a streamed reply come from.
    int pieces;
    char *target;
    const char *method;
    uint8_t *body;
    size_t body_length;
    int started;
    unsigned int status;
    struct MHD_Response *response;
};

/// Begins a new time limit of the connection. The library counts only bytes, not the time that a handler takes.
static inline void touch(const keyturn_http_exchange *exchange) {
    library.MHD_set_connection_option(exchange->connection, MHD_CONNECTION_OPTION_TIMEOUT, 0U);
    library.MHD_set_connection_option(
        exchange->connection, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned int)exchange->server->limits.idle_seconds);
}
