#pragma once

#include <stdint.h>

// Starting a program through functions that glibc shows to GNU code only, and Swift is not that.

/// Starts `arguments[0]` (looked up in PATH) in a session of its own, with /dev/null as its input, output and error
/// output, no other open file, and no signal blocked or ignored. Both arrays end with NULL. Returns 0 or an errno.
int32_t keyturn_spawn_detached(char *const arguments[], char *const environment[], int32_t *identifier);

/// The same, but with this process's own input, output and error output, in its session and process group.
int32_t keyturn_spawn_on_terminal(char *const arguments[], char *const environment[], int32_t *identifier);
