#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

// Limits the number and duration of a server's connections without a complete request.

struct sender;

struct unfinished_requests {
    pthread_mutex_t lock;
    pthread_cond_t watch;
    pthread_t watcher;
    struct sender *oldest, *newest;
    size_t listed;
    uint32_t most;
    uint32_t seconds;
    int has_watcher;
    int is_ending;
};

/// Returns 0 when no thread can be started.
int unfinished_requests_begin(struct unfinished_requests *requests, uint32_t most, uint32_t seconds);
/// Call this after all connections are closed.
void unfinished_requests_end(struct unfinished_requests *requests);

/// Adds a connection that waits for its first request. Returns NULL when out of memory; the connection is then
/// unlimited.
struct sender *unfinished_requests_open(struct unfinished_requests *requests, int socket);
/// Removes a connection. Call this before its socket number can be reused.
void unfinished_requests_close(struct unfinished_requests *requests, struct sender *sender);
/// Starts the time limit for the next request. If too many connections wait, the oldest is cut.
void unfinished_requests_await(struct unfinished_requests *requests, struct sender *sender);
/// Ends the time limit, because the request is complete.
void unfinished_requests_came(struct unfinished_requests *requests, struct sender *sender);
