#define _GNU_SOURCE
#include "Arrivals.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

struct arrival {
    int socket;
    int64_t deadline;
    struct sockaddr_storage address;
    socklen_t length;
};

// Milliseconds to leave the listeners alone when no connection can be accepted or taken.
enum { PAUSE = 20 };

// The first byte of a TLS handshake (RFC 8446 section 5.1).
enum { HANDSHAKE = 22 };

static int64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

// The waiting connections are in the order of their arrival.
static void drop(struct arrivals *arrivals, size_t index) {
    arrivals->count -= 1;
    struct arrival *place = arrivals->waiting + index;
    memmove(place, place + 1, (arrivals->count - index) * sizeof *place);
}

/// Passes a connection on, or closes it, once it has sent something or ended. Returns 0 while it is silent or there is no
/// room.
static int is_over(struct arrivals *arrivals, const struct arrival *arrival, int *is_full) {
    unsigned char first = 0;
    ssize_t count = recv(arrival->socket, &first, 1, MSG_PEEK | MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return 0;
    if (count < 1) {
        close(arrival->socket);
        return 1;
    }
    int is_taken = !*is_full && arrivals->take(
        arrivals->context, arrival->socket, (const struct sockaddr *)&arrival->address, arrival->length,
        first == HANDSHAKE);
    if (!is_taken) *is_full = 1;
    return is_taken;
}

/// Accepts the connections of a listener. Returns 0 when that failed.
static int accept_all(struct arrivals *arrivals, int listener, int *is_full) {
    while (!*is_full) {
        struct arrival arrival = {.length = sizeof arrival.address};
        arrival.socket =
            accept4(listener, (struct sockaddr *)&arrival.address, &arrival.length, SOCK_NONBLOCK | SOCK_CLOEXEC);
        if (arrival.socket < 0) {
            if (errno == EINTR || errno == ECONNABORTED) continue;
            return errno == EAGAIN;
        }
        if (is_over(arrivals, &arrival, is_full)) continue;
        if (arrivals->count == arrivals->most) {
            close(arrivals->waiting[0].socket);
            drop(arrivals, 0);
        }
        arrival.deadline = milliseconds() + (int64_t)arrivals->seconds * 1000;
        arrivals->waiting[arrivals->count] = arrival;
        arrivals->count += 1;
    }
    return 1;
}

static void hear_waiting(struct arrivals *arrivals, const struct pollfd *heard, int *is_full) {
    const int64_t now = milliseconds();
    size_t index = 0;
    for (size_t i = 0; index < arrivals->count; i++) {
        const struct arrival *arrival = arrivals->waiting + index;
        int is_done = (heard[i].fd < 0 || heard[i].revents != 0) && is_over(arrivals, arrival, is_full);
        if (!is_done && arrival->deadline <= now) {
            close(arrival->socket);
            is_done = 1;
        }
        if (is_done) drop(arrivals, index);
        else index += 1;
    }
}

static int patience(const struct arrivals *arrivals, int is_pausing) {
    if (is_pausing) return PAUSE;
    if (arrivals->count == 0) return -1;
    const int64_t left = arrivals->waiting[0].deadline - milliseconds();
    return left < 0 ? 0 : (int)left;
}

static void *run(void *context) {
    struct arrivals *arrivals = context;
    const size_t first = 1 + arrivals->listener_count;
    struct pollfd *all = calloc(first + arrivals->most, sizeof *all);
    int is_pausing = 0;
    while (all != NULL) {
        all[0] = (struct pollfd){.fd = arrivals->end, .events = POLLIN};
        for (size_t i = 0; i < arrivals->listener_count; i++) {
            all[1 + i] = (struct pollfd){.fd = is_pausing ? -1 : arrivals->listeners[i], .events = POLLIN};
        }
        for (size_t i = 0; i < arrivals->count; i++) {
            all[first + i] = (struct pollfd){.fd = is_pausing ? -1 : arrivals->waiting[i].socket, .events = POLLIN};
        }
        int ready = poll(all, first + arrivals->count, patience(arrivals, is_pausing));
        if (ready < 0 && errno != EINTR) break;
        if (all[0].revents != 0) break;
        int is_full = 0, has_failed = 0;
        // Before new ones arrive, which have no entry in the list.
        hear_waiting(arrivals, all + first, &is_full);
        for (size_t i = 0; i < arrivals->listener_count; i++) {
            if (all[1 + i].revents != 0 && !accept_all(arrivals, arrivals->listeners[i], &is_full)) has_failed = 1;
        }
        is_pausing = is_full || has_failed;
    }
    free(all);
    return NULL;
}

static void close_all(struct arrivals *arrivals) {
    for (size_t i = 0; i < arrivals->listener_count; i++) close(arrivals->listeners[i]);
    for (size_t i = 0; i < arrivals->count; i++) close(arrivals->waiting[i].socket);
    if (arrivals->end >= 0) close(arrivals->end);
    free(arrivals->waiting);
    arrivals->waiting = NULL;
    arrivals->listener_count = arrivals->count = 0;
}

void arrivals_refuse(struct arrivals *arrivals) {
    arrivals->end = -1;
    close_all(arrivals);
}

int arrivals_begin(struct arrivals *arrivals) {
    arrivals->count = 0;
    arrivals->waiting = calloc(arrivals->most, sizeof *arrivals->waiting);
    arrivals->end = eventfd(0, EFD_CLOEXEC);
    arrivals->has_thread = arrivals->waiting != NULL && arrivals->end >= 0
        && pthread_create(&arrivals->thread, NULL, run, arrivals) == 0;
    if (!arrivals->has_thread) close_all(arrivals);
    return arrivals->has_thread;
}

void arrivals_end(struct arrivals *arrivals) {
    if (!arrivals->has_thread) return;
    const uint64_t one = 1;
    ssize_t ignored = write(arrivals->end, &one, sizeof one);
    (void)ignored;
    pthread_join(arrivals->thread, NULL);
    arrivals->has_thread = 0;
    close_all(arrivals);
}

void arrivals_turn_away(int socket) {
    static const char text[] =
        "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
        "This address begins with http://, not https://. Change it in the address bar.\n";
    ssize_t ignored = send(socket, text, sizeof text - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
    (void)ignored;
    shutdown(socket, SHUT_WR);
    // Closing with unread input would reset the connection before the text is read.
    char unread[4096];
    while (recv(socket, unread, sizeof unread, MSG_DONTWAIT) > 0) {}
    close(socket);
}
