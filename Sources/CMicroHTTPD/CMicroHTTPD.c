#define _GNU_SOURCE
#include "CMicroHTTPD.h"
#include "Arrivals.h"
#include "Peer.h"
#include "UnfinishedRequests.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../CSystem/loading/loading.h"

// The library

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
    each(MHD_destroy_response)

static struct { FUNCTIONS(LOADED) } library;
static char problem[256];
static pthread_once_t loading = PTHREAD_ONCE_INIT;

static void load(void) { LOAD("libmicrohttpd.so.12", NULL, "") }

const char *keyturn_http_library_problem(void) {
    pthread_once(&loading, load);
    return problem[0] == 0 ? NULL : problem;
}

// Listeners

int32_t keyturn_loopback_listen(int32_t ipv6, uint16_t port) {
    return keyturn_listen_at(ipv6 ? "::1" : "127.0.0.1", port);
}

int32_t keyturn_listen_at(const char *text, uint16_t port) {
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    const int ipv6 = inet_pton(AF_INET6, text, &v6.sin6_addr) == 1;
    if (!ipv6 && inet_pton(AF_INET, text, &v4.sin_addr) != 1) return -EINVAL;
    const struct sockaddr *address = ipv6 ? (const struct sockaddr *)&v6 : (const struct sockaddr *)&v4;
    socklen_t length = ipv6 ? sizeof v6 : sizeof v4;

    int listener = socket(ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0) return -errno;
    const int yes = 1;
    if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0
        && (!ipv6 || setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes) == 0)
        && bind(listener, address, length) == 0 && listen(listener, SOMAXCONN) == 0) {
        return listener;
    }
    int error = errno;
    close(listener);
    return -error;
}

int32_t keyturn_listen_unix(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -ENAMETOOLONG;
    strcpy(address.sun_path, path);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0) return -errno;
    // Linux creates the file with the mode of the socket.
    if (fchmod(listener, 0600) == 0 && bind(listener, (const struct sockaddr *)&address, sizeof address) == 0
        && listen(listener, SOMAXCONN) == 0) {
        return listener;
    }
    int error = errno;
    close(listener);
    return -error;
}

int32_t keyturn_unix_answers(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return 0;
    strcpy(address.sun_path, path);
    int client = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (client < 0) return 1;
    int answers = connect(client, (const struct sockaddr *)&address, sizeof address) == 0 || errno != ECONNREFUSED;
    close(client);
    return answers;
}

uint16_t keyturn_loopback_port(int32_t listener) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) return 0;
    return ntohs(
        address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                      : ((struct sockaddr_in *)&address)->sin_port);
}

void keyturn_loopback_close(int32_t listener) { close(listener); }

// Server

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

// The library counts only bytes, not the time that a handler takes. Setting the limit again begins a new one.
static void touch(const keyturn_http_exchange *exchange) {
    library.MHD_set_connection_option(exchange->connection, MHD_CONNECTION_OPTION_TIMEOUT, 0U);
    library.MHD_set_connection_option(
        exchange->connection, MHD_CONNECTION_OPTION_TIMEOUT, (unsigned int)exchange->server->limits.idle_seconds);
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

static enum MHD_Result visit(void *context, enum MHD_ValueKind kind, const char *name, const char *value) {
    (void)kind;
    const struct each_header *visitor = context;
    visitor->each(visitor->context, name, value != NULL ? value : "");
    return MHD_YES;
}

void keyturn_http_each_header(
    const keyturn_http_exchange *exchange, void *context,
    void (*each)(void *context, const char *name, const char *value)) {
    struct each_header visitor = {context, each};
    library.MHD_get_connection_values(exchange->connection, MHD_HEADER_KIND, visit, &visitor);
}

// Reply

struct drip {
    struct timespec pause;
    uint8_t body[];
};

// Blocks the connection's thread; the library checks between two bytes whether the server is stopping.
static ssize_t next_byte(void *context, uint64_t position, char *buffer, size_t room) {
    const struct drip *drip = context;
    if (room == 0) return 0;
    nanosleep(&drip->pause, NULL);
    buffer[0] = (char)drip->body[position];
    return 1;
}

static struct MHD_Response *drip_response(const uint8_t *body, size_t length, uint32_t pause) {
    struct drip *drip = malloc(sizeof *drip + length);
    if (drip == NULL) return NULL;
    drip->pause = (struct timespec){.tv_sec = pause / 1000, .tv_nsec = (long)(pause % 1000) * 1000000};
    if (length > 0) memcpy(drip->body, body, length);
    struct MHD_Response *response = library.MHD_create_response_from_callback(length, 1, next_byte, drip, free);
    if (response == NULL) free(drip);
    return response;
}

int32_t keyturn_http_reply(
    keyturn_http_exchange *exchange, uint32_t status, const uint8_t *body, size_t length, uint32_t pause) {
    if (exchange->response != NULL) return 0;
    exchange->status = status;
    exchange->response = pause > 0
        ? drip_response(body, length, pause)
        : library.MHD_create_response_from_buffer(length, (void *)(uintptr_t)body, MHD_RESPMEM_MUST_COPY);
    return exchange->response != NULL;
}

int32_t keyturn_http_reply_header(keyturn_http_exchange *exchange, const char *name, const char *value) {
    return exchange->response != NULL
        && library.MHD_add_response_header(exchange->response, name, value) == MHD_YES;
}

// Streams

void keyturn_http_set_state(keyturn_http_exchange *exchange, void *state) { exchange->state = state; }

void *keyturn_http_state(const keyturn_http_exchange *exchange) { return exchange->state; }

static int client(const keyturn_http_exchange *exchange) {
    const union MHD_ConnectionInfo *info =
        library.MHD_get_connection_info(exchange->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info != NULL ? info->connect_fd : -1;
}

int32_t keyturn_http_client_is_gone(const keyturn_http_exchange *exchange) {
    struct pollfd wanted = {.fd = client(exchange), .events = POLLRDHUP};
    return poll(&wanted, 1, 0) > 0;
}

// Blocks the connection's thread until a piece comes, or the client has gone.
static ssize_t next_piece(void *context, uint64_t position, char *buffer, size_t room) {
    (void)position;
    keyturn_http_exchange *exchange = context;
    struct pollfd wanted[] = {
        {.fd = exchange->pieces, .events = POLLIN}, {.fd = client(exchange), .events = POLLRDHUP}};
    while (1) {
        if (poll(wanted, 2, -1) < 0) {
            if (errno == EINTR) continue;
            return MHD_CONTENT_READER_END_WITH_ERROR;
        }
        if (wanted[0].revents == 0) return MHD_CONTENT_READER_END_WITH_ERROR;
        ssize_t count = read(exchange->pieces, buffer, room);
        if (count < 0 && errno == EINTR) continue;
        touch(exchange);
        if (count > 0) return count;
        const int is_whole = count == 0 && exchange->server->handlers.is_whole(exchange->state);
        return is_whole ? MHD_CONTENT_READER_END_OF_STREAM : MHD_CONTENT_READER_END_WITH_ERROR;
    }
}

// As large as the memory of a connection has room for.
enum { PIECE = 64 << 10 };

int32_t keyturn_http_reply_stream(keyturn_http_exchange *exchange, uint32_t status, int64_t length, int32_t pieces) {
    if (exchange->response != NULL) return 0;
    exchange->status = status;
    exchange->pieces = pieces;
    exchange->response = library.MHD_create_response_from_callback(
        length < 0 ? MHD_SIZE_UNKNOWN : (uint64_t)length, PIECE, next_piece, exchange, NULL);
    return exchange->response != NULL;
}
