#pragma once

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

// A library that is loaded when something first needs it, so that a command that needs none does not pay for it.
//
// The file that includes this has FUNCTIONS(each), which names what is used of the library, as its header declares it;
// `library`, made with LOADED; and `problem`, an array of char, which stays empty when everything was found.

#define LOADED(name) __typeof__(name) *name;

#define FIND_LOADED(name)                                    \
    library.name = (__typeof__(name) *)dlsym(handle, #name); \
    if (library.name == NULL) snprintf(problem, sizeof problem, "%s lacks %s%s", file, #name, stop);

/// Finds the functions; leaves the function that it stands in when there is no such library. `absent` says so in
/// the end of `problem`'s sentence, `full_stop` ends it; without `absent` the loader's own words are taken.
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
