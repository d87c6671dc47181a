#define _GNU_SOURCE
#include "CSpawn.h"
#include "CRelay.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

/// Redirects the standard streams of a detached program to /dev/null, or its output to `output`.
static int add_no_streams(posix_spawn_file_actions_t *actions, int output, int has_errors) {
    int error = posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
    for (int stream = 1; error == 0 && stream < 3; stream++) {
        error = output >= 0 && (stream == 1 || has_errors)
            ? posix_spawn_file_actions_adddup2(actions, output, stream)
            : posix_spawn_file_actions_addopen(actions, stream, "/dev/null", O_WRONLY, 0);
    }
    return error;
}

/// Opened by the leader of a session, a terminal becomes the session's.
static int add_terminal(posix_spawn_file_actions_t *actions, const char *terminal) {
    int error = 0;
    // First, because the terminal may take the number of a pipe.
    for (int stream = 1; error == 0 && stream < 3; stream++) {
        int own = keyturn_relay_stream(stream);
        if (own >= 0) error = posix_spawn_file_actions_adddup2(actions, own, stream);
    }
    if (error == 0) error = posix_spawn_file_actions_addopen(actions, 3, terminal, O_RDWR, 0);
    for (int stream = 0; error == 0 && stream < 3; stream++) {
        if (isatty(stream)) error = posix_spawn_file_actions_adddup2(actions, 3, stream);
    }
    return error;
}

static int32_t start(
    char *const arguments[], char *const environment[], int is_detached, int output, int has_errors,
    const char *terminal, int32_t *identifier) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    sigemptyset(&none);
    sigfillset(&all);
    if (is_detached || terminal) flags |= POSIX_SPAWN_SETSID;

    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    if ((error = is_detached ? add_no_streams(&actions, output, has_errors) : terminal ? add_terminal(&actions, terminal) : 0) == 0
        // Some libraries open files that a child would inherit.
        && (error = posix_spawn_file_actions_addclosefrom_np(&actions, 3)) == 0
        && (error = posix_spawnattr_setsigmask(&attributes, &none)) == 0
        && (error = posix_spawnattr_setsigdefault(&attributes, &all)) == 0
        && (error = posix_spawnattr_setflags(&attributes, flags)) == 0) {
        pid_t child = 0;
        error = posix_spawnp(&child, arguments[0], &actions, &attributes, arguments, environment);
        *identifier = child;
    }
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int32_t keyturn_spawn_detached(
    char *const arguments[], char *const environment[], int32_t output, int32_t has_errors, int32_t *identifier) {
    return start(arguments, environment, 1, output, has_errors, NULL, identifier);
}

int32_t keyturn_spawn_on_terminal(char *const arguments[], char *const environment[], int32_t *identifier) {
    return start(arguments, environment, 0, -1, 0, NULL, identifier);
}

int32_t keyturn_spawn_on_own_terminal(
    char *const arguments[], char *const environment[], const char *terminal, int32_t *identifier) {
    return start(arguments, environment, 0, -1, 0, terminal, identifier);
}
