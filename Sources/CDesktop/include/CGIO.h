#pragma once

#include <stdint.h>

// Calls on the session bus through GIO, which is loaded at the first call.
//
// Each function returns one of the values below. Unless it is DONE, it writes the reason to `why` as a sentence, which
// needs KEYTURN_BUS_WHY bytes.

enum {
    KEYTURN_BUS_DONE = 0,
    /// GIO isn't installed, or there is no bus at the address.
    KEYTURN_BUS_ABSENT = 1,
    /// No response in time.
    KEYTURN_BUS_UNANSWERED = 2,
    /// No process on the bus has the name.
    KEYTURN_BUS_NOBODY = 3,
    /// The process exited before it responded.
    KEYTURN_BUS_STOPPED = 4,
    /// The process responded with an error or with the wrong type.
    KEYTURN_BUS_FAILED = 5,
    KEYTURN_BUS_CANCELLED = 6,

    KEYTURN_BUS_WHY = 1024,
};

/// A time limit for several calls, which another thread can also use to cancel them. Start it before and end it after
/// the calls.
typedef struct keyturn_limit keyturn_limit;

/// `milliseconds`: -1 for no limit. NULL when GIO can't be loaded or no thread can be started.
keyturn_limit *keyturn_limit_start(int32_t milliseconds);
void keyturn_limit_cancel(keyturn_limit *limit);
void keyturn_limit_end(keyturn_limit *limit);

/// Whether the time is over.
int32_t keyturn_limit_is_over(keyturn_limit *limit);
/// The `GCancellable *`, for the calls of another library.
void *keyturn_limit_cancellable(keyturn_limit *limit);

/// Determines whether a process on the bus at `address` has `name` (1), can be started for it (2), or neither (0).
int32_t keyturn_bus_presence(
    const char *address, const char *name, keyturn_limit *limit, int32_t *presence, char *why);

/// Calls a method with `count` texts that returns a text, on a new connection. The caller frees `answer`.
int32_t keyturn_bus_call(
    const char *address, const char *name, const char *path, const char *interface, const char *method,
    const char *const *texts, int32_t count, keyturn_limit *limit, char **answer, char *why);

/// Shows a notice on the desktop until the user closes it (Desktop Notifications Specification).
int32_t keyturn_bus_notify(
    const char *address, const char *title, const char *body, keyturn_limit *limit, char *why);

/// Whether the bus of a connection (`GDBusConnection *`) runs as another user than this one and root. If so, writes the
/// reason to `why`. Another user can take a bus's socket after the bus ended, and would get the data key.
int32_t keyturn_bus_is_distrusted(void *bus, char *why);
/// Connects to the bus at `address` to check its user, and sends nothing, because a stranger's bus may never respond.
int32_t keyturn_bus_examine(const char *address, keyturn_limit *limit, char *why);

/// The reason why keyturn_limit_start returned NULL.
const char *keyturn_bus_problem(void);
