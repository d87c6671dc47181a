#pragma once

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// Loads a library at its first use, so that commands that don't need it start faster.
//
// The including file defines FUNCTIONS(each), which lists the used functions; `library`, declared with LOADED; and
// `problem`, an array of char, which stays empty on success.

#define LOADED(name) __typeof__(name) *name;

#define FIND_LOADED(name)                                    \
    library.name = (__typeof__(name) *)dlsym(handle, #name); \
    if (library.name == NULL) snprintf(problem, sizeof problem, "%s lacks %s%s", file, #name, stop);

/// Loads the functions, or returns from the enclosing function when the library is missing. `absent` is the rest of the
/// sentence in `problem`, or NULL for the loader's message; `full_stop` ends it.
#define LOAD(name, absent, full_stop)                                                               \
    const char *file = name, *stop = full_stop, *why = absent;                                      \
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);                                             \
    if (handle == NULL) {                                                                           \
        const char *reason = why == NULL ? dlerror() : NULL;                                        \
        if (reason != NULL) snprintf(problem, sizeof problem, "%s", reason);                        \
        else snprintf(problem, sizeof problem, "%s cannot be loaded%s%s", file, why ? why : "", stop); \
        return;                                                                                     \
    }                                                                                               \
    FUNCTIONS(FIND_LOADED)
