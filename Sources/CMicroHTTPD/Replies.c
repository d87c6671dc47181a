#define _GNU_SOURCE
#include "Exchange.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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
