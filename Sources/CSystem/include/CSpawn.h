#pragma once

#include <stdint.h>

// Starts programs with functions that glibc declares only for GNU sources, not for Swift.

/// Starts `arguments[0]`, searched in PATH, in a new session: standard streams on /dev/null, no other open file, no
/// signal blocked or ignored. If `output` isn't negative, standard output is that file, with `has_errors` standard error
/// too. Both arrays end with NULL. Returns 0 or an errno.
int32_t keyturn_spawn_detached(
    char *const arguments[], char *const environment[], int32_t output, int32_t has_errors, int32_t *identifier);

/// Starts a program in a new session, whose terminal is `terminal` (the path of a pseudo-terminal). It replaces each standard
/// stream that is a terminal.
int32_t keyturn_spawn_on_own_terminal(
    char *const arguments[], char *const environment[], const char *terminal, int32_t *identifier);

/// Starts a program with this process's standard streams, session and process group.
int32_t keyturn_spawn_on_terminal(char *const arguments[], char *const environment[], int32_t *identifier);
