#define _GNU_SOURCE
#include "Exchange.h"
#include "Peer.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// The library

struct keyturn_microhttpd library;
static char problem[256];
static pthread_once_t loading = PTHREAD_ONCE_INIT;

static void load(void) { LOAD("libmicrohttpd.so.12", NULL, "") }

const char *keyturn_http_library_problem(void) {
    pthread_once(&loading, load);
    return problem[0] == 0 ? NULL : problem;
}

// Server

static void connected(
    void *context, struct MHD_Connection *connection, void **state, enum MHD_ConnectionNotificationCode what) {
    keyturn_http_server *server = context;
    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            library.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
        *state = info != NULL ? unfinished_requests_open(&server->unfinished, info->connect_fd) : NULL;
    } else {
        unfinished_requests_close(&server->unfinished, *state);
        *state = NULL;
        atomic_fetch_sub(&server->taken, 1);
    }
}

static struct sender *sender_of(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info =
        library.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info != NULL ? info->socket_context : NULL;
}

/// Erases memory before freeing it.
static void wipe(void *memory, size_t length) {
    if (memory != NULL) explicit_bzero(memory, length);
    free(memory);
}

// Called by libmicrohttpd after the request line. Returns the state of the exchange.
static void *began(void *context, const char *target, struct MHD_Connection *connection) {
    keyturn_http_server *server = context;
    keyturn_http_exchange *exchange = calloc(1, sizeof *exchange);
    if (exchange != NULL) {
        exchange->server = server;
        exchange->connection = connection;
        exchange->target = strdup(target);
    }
    pthread_mutex_lock(&server->lock);
    server->exchanges += 1;
    pthread_mutex_unlock(&server->lock);
    return exchange;
}

static void ended(
    void *context, struct MHD_Connection *connection, void **state, enum MHD_RequestTerminationCode how) {
    keyturn_http_server *server = context;
    keyturn_http_exchange *exchange = *state;
    unfinished_requests_await(&server->unfinished, sender_of(connection));
    *state = NULL;
    if (exchange != NULL) {
        if (exchange->state != NULL) {
            server->handlers.ended(
                server->handlers.context, exchange->state, how == MHD_REQUEST_TERMINATED_COMPLETED_OK);
        }
        // They contain the authorization code.
        wipe(exchange->target, exchange->target == NULL ? 0 : strlen(exchange->target));
        wipe(exchange->body, exchange->body_length);
        free(exchange);
    }
    pthread_mutex_lock(&server->lock);
    server->exchanges -= 1;
    if (server->exchanges == 0) pthread_cond_broadcast(&server->idle);
    pthread_mutex_unlock(&server->lock);
}

static enum MHD_Result queue(keyturn_http_exchange *exchange) {
    if (exchange->response == NULL) return MHD_NO;
    enum MHD_Result result = library.MHD_queue_response(exchange->connection, exchange->status, exchange->response);
    library.MHD_destroy_response(exchange->response);
    exchange->response = NULL;
    return result;
}

static void find_content_length(void *context, const char *name, const char *value) {
    if (strcasecmp(name, "Content-Length") == 0) *(size_t *)context = strtoull(value, NULL, 10);
}

static enum MHD_Result answer(
    void *context, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
    const char *upload, size_t *upload_length, void **state) {
    (void)url, (void)version;
    keyturn_http_server *server = context;
    keyturn_http_exchange *exchange = *state;
    if (exchange == NULL || exchange->target == NULL) return MHD_NO;
    if (!exchange->started) {
        exchange->started = 1;
        exchange->method = method;
        if (server->handlers.began != NULL) {
            // The body may take long.
            unfinished_requests_came(&server->unfinished, sender_of(connection));
            server->handlers.began(server->handlers.context, exchange);
            return exchange->response != NULL ? queue(exchange) : MHD_YES;
        }
        size_t announced = 0;
        keyturn_http_each_header(exchange, &announced, find_content_length);
        if (announced <= server->limits.body_bytes) return MHD_YES;
        static const char text[] = "The request is too large.\n";
        keyturn_http_reply(exchange, MHD_HTTP_CONTENT_TOO_LARGE, (const uint8_t *)text, sizeof text - 1, 0);
        return queue(exchange);
    }
    if (*upload_length > 0 && exchange->state != NULL) {
        server->handlers.body_came(exchange->state, (const uint8_t *)upload, *upload_length);
        *upload_length = 0;
        touch(exchange);
        return MHD_YES;
    }
    if (*upload_length > 0) {
        // A body without announced length can only be cut off, because no reply may be queued while it arrives.
        if (*upload_length > server->limits.body_bytes - exchange->body_length) return MHD_NO;
        uint8_t *longer = malloc(exchange->body_length + *upload_length);
        if (longer == NULL) return MHD_NO;
        if (exchange->body_length > 0) memcpy(longer, exchange->body, exchange->body_length);
        wipe(exchange->body, exchange->body_length);
        memcpy(longer + exchange->body_length, upload, *upload_length);
        exchange->body = longer;
        exchange->body_length += *upload_length;
        *upload_length = 0;
        return MHD_YES;
    }
    exchange->method = method;
    unfinished_requests_came(&server->unfinished, sender_of(connection));
    server->handlers.came(server->handlers.context, exchange);
    touch(exchange);
    return queue(exchange);
}

// Reserved, and used as far as a request needs it: some 70 bytes for each cookie, however small. A browser sends up to 720 KB
// of cookies: the handler judges them.
enum { CONNECTION_MEMORY = 16 << 20 };

static struct MHD_Daemon *start_daemon(keyturn_http_server *server, const keyturn_http_identity *identity) {
    struct MHD_OptionItem tls[] = {{MHD_OPTION_END, 0, NULL}, {MHD_OPTION_END, 0, NULL}, {MHD_OPTION_END, 0, NULL}};
    unsigned int flags = MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL
        | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC;
    if (identity != NULL) {
        flags |= MHD_USE_TLS;
        tls[0] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)identity->key};
        tls[1] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)identity->certificate};
    }
    return library.MHD_start_daemon(
        flags, 0, NULL, NULL, answer, server,
        MHD_OPTION_ARRAY, tls,
        MHD_OPTION_URI_LOG_CALLBACK, began, server,
        MHD_OPTION_NOTIFY_COMPLETED, ended, server,
        MHD_OPTION_NOTIFY_CONNECTION, connected, server,
        // It closes what is beyond, so never reached.
        MHD_OPTION_CONNECTION_LIMIT, 4 * (unsigned int)server->limits.connections,
        MHD_OPTION_CONNECTION_TIMEOUT, (unsigned int)server->limits.idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT,
        server->limits.memory_bytes > 0 ? server->limits.memory_bytes : (size_t)CONNECTION_MEMORY,
        MHD_OPTION_END);
}

static int may_connect(const keyturn_http_server *server, int socket, const struct sockaddr *address) {
    if (server->handlers.may_connect == NULL) return 1;
    const enum peer peer = peer_of(socket);
    if (peer != PEER_UNKNOWN) return peer == PEER_OWN;
    char text[INET6_ADDRSTRLEN] = "";
    const int is_six = address->sa_family == AF_INET6;
    const struct sockaddr_in *four = (const struct sockaddr_in *)address;
    const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
    inet_ntop(
        address->sa_family, is_six ? (const void *)&six->sin6_addr : (const void *)&four->sin_addr, text, sizeof text);
    return server->handlers.may_connect(
        server->handlers.context, text, ntohs(is_six ? six->sin6_port : four->sin_port));
}

static int take(void *context, int socket, const struct sockaddr *address, socklen_t length, int is_tls) {
    keyturn_http_server *server = context;
    if (is_tls && !server->has_identity) {
        arrivals_turn_away(socket);
        if (server->handlers.tls_came != NULL) server->handlers.tls_came(server->handlers.context);
        return 1;
    }
    if (!may_connect(server, socket, address)) {
        close(socket);
        return 1;
    }
    // Twice the limit, for connections that are being closed or served.
    if (atomic_load(&server->taken) >= 2 * server->limits.connections) return 0;
    atomic_fetch_add(&server->taken, 1);
    // Closes the socket if it fails.
    if (library.MHD_add_connection(server->daemon, socket, address, length) != MHD_YES) {
        atomic_fetch_sub(&server->taken, 1);
    }
    return 1;
}

keyturn_http_server *keyturn_http_start(
    int32_t listener, int32_t second, keyturn_http_limits limits, const keyturn_http_identity *identity,
    keyturn_http_handlers handlers) {
    keyturn_http_server *server =
        keyturn_http_library_problem() == NULL && limits.connections > 0 ? calloc(1, sizeof *server) : NULL;
    if (server == NULL) {
        close(listener);
        if (second >= 0) close(second);
        return NULL;
    }
    server->limits = limits;
    server->handlers = handlers;
    server->has_identity = identity != NULL;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&server->idle, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&server->lock, NULL);
    // The library sets it, but not always.
    errno = 0;
    server->daemon = start_daemon(server, identity);
    int error = server->daemon == NULL ? errno : 0;
    const int is_watched =
        unfinished_requests_begin(&server->unfinished, limits.connections, limits.request_seconds);
    if (!is_watched) error = EAGAIN;
    server->arrivals = (struct arrivals){
        .listeners = {listener, second}, .listener_count = second >= 0 ? 2 : 1, .most = limits.connections,
        .seconds = limits.idle_seconds < limits.request_seconds ? limits.idle_seconds : limits.request_seconds,
        .take = take, .context = server};
    const int is_ready = is_watched && server->daemon != NULL;
    if (!is_ready) arrivals_refuse(&server->arrivals);
    errno = 0;
    if (is_ready && arrivals_begin(&server->arrivals)) return server;
    // It sets no errno if no thread can be started.
    if (error == 0) error = errno != 0 ? errno : EAGAIN;
    keyturn_http_stop(server);
    errno = error;
    return NULL;
}

int32_t keyturn_http_wait_idle(keyturn_http_server *server, uint32_t milliseconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += milliseconds / 1000;
    until.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (until.tv_nsec >= 1000000000) {
        until.tv_sec += 1;
        until.tv_nsec -= 1000000000;
    }
    pthread_mutex_lock(&server->lock);
    int error = 0;
    while (server->exchanges > 0 && error == 0) error = pthread_cond_timedwait(&server->idle, &server->lock, &until);
    int32_t is_idle = server->exchanges == 0;
    pthread_mutex_unlock(&server->lock);
    return is_idle;
}

void keyturn_http_stop(keyturn_http_server *server) {
    arrivals_end(&server->arrivals);
    if (server->daemon != NULL) library.MHD_stop_daemon(server->daemon);
    unfinished_requests_end(&server->unfinished);
    pthread_cond_destroy(&server->idle);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

// Request

const char *keyturn_http_method(const keyturn_http_exchange *exchange) { return exchange->method; }

const char *keyturn_http_target(const keyturn_http_exchange *exchange) { return exchange->target; }

const uint8_t *keyturn_http_body(const keyturn_http_exchange *exchange, size_t *length) {
    *length = exchange->body_length;
    return exchange->body;
}

struct each_header {
    void *context;
    void (*each)(void *context, const char *name, const char *value);
};

/// Whether a field had a second line, which no server may take (RFC 9112 §5.2). Before 0.9.77, libmicrohttpd adds that line to a
/// copy of the field's name, so the value no longer follows the name.
static int is_folded(const char *name, const char *value) {
    if (strverscmp(library.MHD_get_version(), "0.9.77") >= 0) return 0;
    const char *end = name + strlen(name) + 1;
    if (value < end) return 1;
    while (end < value && (*end == ' ' || *end == '\t')) end++;
    return end != value;
}

static enum MHD_Result visit(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
    (void)kind;
    const struct each_header *visitor = context;
    // No field has a name with a space.
    visitor->each(visitor->context, value != NULL && is_folded(name, value) ? "folded field" : name, value != NULL ? value : "");
    return MHD_YES;
}

void keyturn_http_each_header(
    const keyturn_http_exchange *exchange, void *context,
    void (*each)(void *context, const char *name, const char *value)) {
    struct each_header visitor = {context, each};
    library.MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND, visit, &visitor);
}
