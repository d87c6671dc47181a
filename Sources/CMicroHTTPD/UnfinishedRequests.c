#define _GNU_SOURCE
#include "UnfinishedRequests.h"

#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>

// A connection. The list contains the waiting ones, longest waiting first.
struct sender {
    struct sender *older, *newer;
    struct timespec deadline;
    int socket;
    int is_listed;
    int is_cut;
};

// Call these functions with the lock held.

static void unlist(struct unfinished_requests *requests, struct sender *sender) {
    if (!sender->is_listed) return;
    if (sender->older != NULL) sender->older->newer = sender->newer;
    else requests->oldest = sender->newer;
    if (sender->newer != NULL) sender->newer->older = sender->older;
    else requests->newest = sender->older;
    sender->older = sender->newer = NULL;
    sender->is_listed = 0;
    requests->listed -= 1;
}

// The connection's thread sees the end of its input and closes it.
static void cut(struct unfinished_requests *requests, struct sender *sender) {
    unlist(requests, sender);
    sender->is_cut = 1;
    shutdown(sender->socket, SHUT_RDWR);
}

static int is_past(const struct timespec *deadline) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec > deadline->tv_sec || (now.tv_sec == deadline->tv_sec && now.tv_nsec >= deadline->tv_nsec);
}

// Runs on its own thread, which sleeps until the next deadline.
static void *watch(void *context) {
    struct unfinished_requests *requests = context;
    pthread_mutex_lock(&requests->lock);
    while (!requests->is_ending) {
        if (requests->oldest == NULL) {
            pthread_cond_wait(&requests->watch, &requests->lock);
        } else if (is_past(&requests->oldest->deadline)) {
            cut(requests, requests->oldest);
        } else {
            struct timespec deadline = requests->oldest->deadline;
            pthread_cond_timedwait(&requests->watch, &requests->lock, &deadline);
        }
    }
    pthread_mutex_unlock(&requests->lock);
    return NULL;
}

int unfinished_requests_begin(struct unfinished_requests *requests, uint32_t most, uint32_t seconds) {
    requests->most = most;
    requests->seconds = seconds;
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&requests->watch, &attributes);
    pthread_condattr_destroy(&attributes);
    pthread_mutex_init(&requests->lock, NULL);
    requests->has_watcher = pthread_create(&requests->watcher, NULL, watch, requests) == 0;
    return requests->has_watcher;
}

void unfinished_requests_end(struct unfinished_requests *requests) {
    if (requests->has_watcher) {
        pthread_mutex_lock(&requests->lock);
        requests->is_ending = 1;
        pthread_cond_signal(&requests->watch);
        pthread_mutex_unlock(&requests->lock);
        pthread_join(requests->watcher, NULL);
    }
    pthread_cond_destroy(&requests->watch);
    pthread_mutex_destroy(&requests->lock);
}

struct sender *unfinished_requests_open(struct unfinished_requests *requests, int socket) {
    struct sender *sender = calloc(1, sizeof *sender);
    if (sender == NULL) return NULL;
    sender->socket = socket;
    unfinished_requests_await(requests, sender);
    return sender;
}

void unfinished_requests_close(struct unfinished_requests *requests, struct sender *sender) {
    unfinished_requests_came(requests, sender);
    free(sender);
}

void unfinished_requests_await(struct unfinished_requests *requests, struct sender *sender) {
    if (sender == NULL) return;
    pthread_mutex_lock(&requests->lock);
    if (!sender->is_listed && !sender->is_cut) {
        clock_gettime(CLOCK_MONOTONIC, &sender->deadline);
        sender->deadline.tv_sec += requests->seconds;
        sender->older = requests->newest;
        if (requests->newest != NULL) requests->newest->newer = sender;
        else requests->oldest = sender;
        requests->newest = sender;
        sender->is_listed = 1;
        requests->listed += 1;
        if (requests->listed > requests->most) cut(requests, requests->oldest);
        if (requests->listed == 1) pthread_cond_signal(&requests->watch);
    }
    pthread_mutex_unlock(&requests->lock);
}

void unfinished_requests_came(struct unfinished_requests *requests, struct sender *sender) {
    if (sender == NULL) return;
    pthread_mutex_lock(&requests->lock);
    unlist(requests, sender);
    pthread_mutex_unlock(&requests->lock);
}
