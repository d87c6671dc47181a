#pragma once

#include <stdint.h>

// Calls on the session bus, through GIO, which is loaded at the first of them.
//
// Each function returns one of the values below, and writes to `why`, which has room for KEYTURN_BUS_WHY bytes, one
// sentence for a person when it is not DONE.

enum {
    KEYTURN_BUS_DONE = 0,
    /// No library, or no bus at the address.
    KEYTURN_BUS_ABSENT = 1,
    /// No answer in time.
    KEYTURN_BUS_UNANSWERED = 2,
    /// Nobody on the bus has the name.
    KEYTURN_BUS_NOBODY = 3,
    /// Whoever was called went away before the answer.
    KEYTURN_BUS_STOPPED = 4,
    /// Whoever was called answered with an error, or with something else than was asked for.
    KEYTURN_BUS_FAILED = 5,
    KEYTURN_BUS_CANCELLED = 6,

    KEYTURN_BUS_WHY = 1024,
};

/// What ends calls, all together after a while or any of them from another thread. Started before them, ended after.
typedef struct keyturn_limit keyturn_limit;

/// `milliseconds`: -1 is no limit. NULL when GIO cannot be loaded, or no thread started.
keyturn_limit *keyturn_limit_start(int32_t milliseconds);
void keyturn_limit_cancel(keyturn_limit *limit);
void keyturn_limit_end(keyturn_limit *limit);

/// Whether the time was over.
int32_t keyturn_limit_is_over(keyturn_limit *limit);
/// A `GCancellable *`, for the calls of another library.
void *keyturn_limit_cancellable(keyturn_limit *limit);

/// Whether somebody on the bus at `address` has `name` (1), could be started for it (2), or neither (0).
int32_t keyturn_bus_presence(
    const char *address, const char *name, keyturn_limit *limit, int32_t *presence, char *why);

/// Calls a method that takes `count` texts and gives one, on a connection of its own. `answer` is to be freed.
int32_t keyturn_bus_call(
    const char *address, const char *name, const char *path, const char *interface, const char *method,
    const char *const *texts, int32_t count, keyturn_limit *limit, char **answer, char *why);

/// Why there was no limit.
const char *keyturn_bus_problem(void);
