#define _GNU_SOURCE

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CLocaleGuard.h"

// Limits Foundation to the release's ICU data. A request for an item that scripts/locale-data doesn't list ends the
// process. Unit tests replace ICU's two functions; `make guarded` links the program with --wrap.

#pragma clang diagnostic ignored "-Wc23-extensions"

static const char list[] = {
#embed "../../scripts/locale-data"
    , 0};

typedef struct UDataMemory UDataMemory;
typedef UDataMemory *open_choice(const char *, const char *, const char *, void *, void *, int *);
typedef UDataMemory *open_item(const char *, const char *, const char *, int *);

#ifdef KEYTURN_WRAP
#define GUARD(name) __wrap_##name
#define REAL(name, type) __real_##name
open_choice __real_swift_udata_openChoice;
open_item __real_swift_udata_open;
#else
#define GUARD(name) name
#define REAL(name, type) ((type *)dlsym(RTLD_NEXT, #name))
#endif

open_choice GUARD(swift_udata_openChoice);
open_item GUARD(swift_udata_open);

enum { U_MISSING_RESOURCE_ERROR = 2, U_FILE_ACCESS_ERROR = 4 };

static int is_listed(const char *word, const char *item) {
    char line[256];
    snprintf(line, sizeof line, "\n%s %s ", word, item);
    return strstr(list, line) != NULL;
}

#ifndef KEYTURN_WRAP
static int is_armed;

/// `swift test` starts XCTest too, which formats dates for its log even without a test.
__attribute__((constructor)) static void arm(int count, char **arguments) {
    for (int i = 1; i < count; i++)
        if (strcmp(arguments[i], "--testing-library") == 0) is_armed = 1;
}
#else
enum { is_armed = 1 };
#endif

/// Whether the release has the item `tree/name.type`. ICU passes the tree as the end of `package`.
static int is_kept(const char *package, const char *type, const char *name) {
    if (!is_armed) return 1;
    char item[200];
    const char *tree = package == NULL ? NULL : strchr(package, '-');
    snprintf(item, sizeof item, "%s%s%s.%s", tree ? tree + 1 : "", tree ? "/" : "", name, type);
    if (is_listed("keep", item)) return 1;
    if (is_listed("without", item)) return 0;
    fprintf(stderr, "keyturn: the ICU data item %s was requested. Use another API, or list it in scripts/locale-data.\n", item);
    abort();
}

UDataMemory *GUARD(swift_udata_openChoice)(
    const char *package, const char *type, const char *name, void *accepts, void *context, int *error) {
    if (*error > 0) return NULL;
    if (!is_kept(package, type, name)) {
        *error = U_FILE_ACCESS_ERROR;
        return NULL;
    }
    return REAL(swift_udata_openChoice, open_choice)(package, type, name, accepts, context, error);
}

UDataMemory *GUARD(swift_udata_open)(const char *package, const char *type, const char *name, int *error) {
    if (*error > 0) return NULL;
    if (!is_kept(package, type, name)) {
        *error = U_FILE_ACCESS_ERROR;
        return NULL;
    }
    return REAL(swift_udata_open, open_item)(package, type, name, error);
}
