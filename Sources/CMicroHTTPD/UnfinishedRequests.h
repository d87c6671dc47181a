#pragma once

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

// The connections of a server whose next request has not come whole: how many there may be, and for how long.

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

/// 0 when there is no thread for it.
int unfinished_requests_begin(struct unfinished_requests *requests, uint32_t most, uint32_t seconds);
/// After every connection was closed.
void unfinished_requests_end(struct unfinished_requests *requests);

/// A connection that waits for its first request. NULL without memory: then nothing here bounds it.
struct sender *unfinished_requests_open(struct unfinished_requests *requests, int socket);
/// Before the socket's number can be another's.
void unfinished_requests_close(struct unfinished_requests *requests, struct sender *sender);
/// From now on it has so long to send a whole request. When too many wait, the oldest is cut.
void unfinished_requests_await(struct unfinished_requests *requests, struct sender *sender);
/// Its request is whole.
void unfinished_requests_came(struct unfinished_requests *requests, struct sender *sender);
