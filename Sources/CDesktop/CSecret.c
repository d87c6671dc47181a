#define _GNU_SOURCE
#include "CSecret.h"
#include <CGIO.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../CSystem/loading/loading.h"
#include "library.h"

static const char service[] = "org.freedesktop.secrets";
static const secret_schema schema = {
    .name = "org.keyturn.DataKey", .attributes = {{"store", 0}, {"key-id", 0}}};

// The libraries

static struct { FUNCTIONS(LOADED) } library;
static char problem[256];
static pthread_once_t loading = PTHREAD_ONCE_INIT;

/// Loads libsecret, and GIO and GLib with it.
static void load(void) { LOAD("libsecret-1.so.0", " (Debian: libsecret-1-0)", ".") }

typedef struct {
    keyturn_limit *all;
    object cancellable;
    int32_t milliseconds;
} limit;

// Errors

__attribute__((format(printf, 3, 4))) static int32_t outcome(int32_t value, char *why, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, KEYTURN_SECRET_WHY, format, arguments);
    va_end(arguments);
    return value;
}

static int starts(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

/// Returns the outcome for an error, and frees the error.
static int32_t failure(g_error *error, const limit *limit, char *why) {
    if (error == NULL) return outcome(KEYTURN_SECRET_FAILED, why, "The keyring (Secret Service) gave no reason.");
    char *remote = library.g_dbus_error_get_remote_error(error);
    const char *name = remote == NULL ? "" : remote;
    int isLate = error->domain == library.g_io_error_quark()
        && (error->code == G_IO_ERROR_CANCELLED || error->code == G_IO_ERROR_TIMED_OUT);
    int32_t result;
    if (isLate || strcmp(name, "org.freedesktop.DBus.Error.Timeout") == 0) {
        result = outcome(
            KEYTURN_SECRET_UNANSWERED, why, "The keyring (Secret Service) did not respond within %.1f seconds.",
            limit->milliseconds / 1000.0);
    } else if (
        strcmp(name, "org.freedesktop.DBus.Error.ServiceUnknown") == 0
        || strcmp(name, "org.freedesktop.DBus.Error.NameHasNoOwner") == 0
        || strcmp(name, "org.freedesktop.DBus.Error.Spawn.ServiceNotFound") == 0) {
        result = outcome(KEYTURN_SECRET_ABSENT, why, "No keyring (Secret Service) is on the session bus.");
    } else if (strcmp(name, "org.freedesktop.Secret.Error.IsLocked") == 0) {
        result = outcome(KEYTURN_SECRET_LOCKED, why, "The keyring is locked.");
    } else if (strcmp(name, "org.freedesktop.DBus.Error.NoReply") == 0) {
        result = outcome(KEYTURN_SECRET_FAILED, why, "The keyring (Secret Service) exited before it responded.");
    } else if (starts(name, "org.freedesktop.DBus.Error.Spawn.")) {
        result = outcome(KEYTURN_SECRET_FAILED, why, "The keyring (Secret Service) could not be started.");
    } else {
        result = outcome(KEYTURN_SECRET_FAILED, why, "The keyring (Secret Service) failed: %s.", error->message);
    }
    library.g_free(remote);
    library.g_clear_error(&error);
    return result;
}

// Service

/// Whether there is a session bus. Without one, GIO would start its own.
static int has_bus(void) {
    const char *address = getenv("DBUS_SESSION_BUS_ADDRESS");
    if (address != NULL) return address[0] != 0;
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    char path[4096];
    return runtime != NULL && snprintf(path, sizeof path, "%s/bus", runtime) < (int)sizeof path && access(path, F_OK) == 0;
}

static object call(
    object bus, const char *path, const char *interface, const char *method, object parameters, const limit *limit,
    g_error **error) {
    return library.g_dbus_connection_call_sync(
        bus, service, path, interface, method, parameters, NULL, 0, limit->milliseconds, limit->cancellable, error);
}

static int32_t collection_state(object bus, const char *collection, const limit *limit, char *why) {
    g_error *error = NULL;
    object parameters = library.g_variant_new("(ss)", "org.freedesktop.Secret.Collection", "Locked");
    object reply = call(bus, collection, "org.freedesktop.DBus.Properties", "Get", parameters, limit, &error);
    if (reply == NULL) return failure(error, limit, why);
    object value = NULL;
    if (library.g_variant_is_of_type(reply, "(v)")) library.g_variant_get(reply, "(v)", &value);
    library.g_variant_unref(reply);
    if (value == NULL || !library.g_variant_is_of_type(value, "b")) {
        if (value != NULL) library.g_variant_unref(value);
        return outcome(KEYTURN_SECRET_FAILED, why, "The keyring (Secret Service) does not say whether it is locked.");
    }
    int isLocked = library.g_variant_get_boolean(value);
    library.g_variant_unref(value);
    return isLocked ? outcome(KEYTURN_SECRET_LOCKED, why, "The keyring is locked.") : KEYTURN_SECRET_DONE;
}

/// Checks who runs the session bus before the connection below waits for its response.
static int32_t examine_bus(const limit *limit, char *why) {
    g_error *error = NULL;
    char *address = library.g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, limit->cancellable, &error);
    library.g_clear_error(&error);
    if (address == NULL) return outcome(KEYTURN_SECRET_ABSENT, why, "Can't reach the session bus.");
    char reason[KEYTURN_BUS_WHY];
    int32_t result = keyturn_bus_examine(address, limit->all, reason);
    library.g_free(address);
    if (result == KEYTURN_BUS_DONE) return KEYTURN_SECRET_DONE;
    // A cancelled examination is reported by the connection.
    if (result == KEYTURN_BUS_CANCELLED) return KEYTURN_SECRET_DONE;
    return outcome(KEYTURN_SECRET_ABSENT, why, "%s", reason);
}

/// The connection that libsecret uses too, as long as it is held here.
static object bus_open(const limit *limit, int32_t *result, char *why) {
    *result = examine_bus(limit, why);
    if (*result != KEYTURN_SECRET_DONE) return NULL;
    g_error *error = NULL;
    object bus = library.g_bus_get_sync(G_BUS_TYPE_SESSION, limit->cancellable, &error);
    if (bus == NULL) {
        int isLate = error != NULL && error->domain == library.g_io_error_quark() && error->code == G_IO_ERROR_CANCELLED;
        if (isLate) {
            *result = failure(error, limit, why);
            return NULL;
        }
        library.g_clear_error(&error);
        *result = outcome(KEYTURN_SECRET_ABSENT, why, "Can't reach the session bus.");
        return NULL;
    }
    // Otherwise the program would exit with the bus.
    library.g_dbus_connection_set_exit_on_close(bus, 0);
    // Another user can have taken the socket in between.
    char reason[KEYTURN_BUS_WHY];
    if (!keyturn_bus_is_distrusted(bus, reason)) return bus;
    library.g_object_unref(bus);
    *result = outcome(KEYTURN_SECRET_ABSENT, why, "%s", reason);
    return NULL;
}

static int32_t service_state(object bus, const limit *limit, char *why) {
    g_error *error = NULL;
    object reply = call(
        bus, "/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "ReadAlias",
        library.g_variant_new("(s)", "default"), limit, &error);
    int32_t result;
    if (reply == NULL) {
        result = failure(error, limit, why);
    } else if (!library.g_variant_is_of_type(reply, "(o)")) {
        result = outcome(KEYTURN_SECRET_FAILED, why, "The keyring (Secret Service) sent an invalid response.");
    } else {
        char *collection = NULL;
        library.g_variant_get(reply, "(o)", &collection);
        result = strcmp(collection, "/") == 0
            ? outcome(KEYTURN_SECRET_ABSENT, why, "The keyring (Secret Service) has no default collection.")
            : collection_state(bus, collection, limit, why);
        library.g_free(collection);
    }
    if (reply != NULL) library.g_variant_unref(reply);
    return result;
}

typedef struct {
    const char *label, *store, *key_id, *text;
    char *out;
    size_t room;
    const char *attribute, *value;
    keyturn_secret_found *found;
    void *context;
} request;

/// Checks that the service is usable, then runs `work`, all within the time limit.
static int32_t within(
    int32_t milliseconds, char *why, int32_t (*work)(const request *, const limit *, char *why), const request *request) {
    why[0] = 0;
    if (!has_bus()) return outcome(KEYTURN_SECRET_ABSENT, why, "There is no session bus.");
    pthread_once(&loading, load);
    if (problem[0] != 0) return outcome(KEYTURN_SECRET_ABSENT, why, "%s", problem);
    limit limit = {.all = keyturn_limit_start(milliseconds), .milliseconds = milliseconds};
    if (limit.all == NULL) return outcome(KEYTURN_SECRET_FAILED, why, "%s", keyturn_bus_problem());
    limit.cancellable = keyturn_limit_cancellable(limit.all);
    int32_t result;
    object bus = bus_open(&limit, &result, why);
    if (bus != NULL) {
        result = service_state(bus, &limit, why);
        if (result == KEYTURN_SECRET_DONE && work != NULL) result = work(request, &limit, why);
        library.g_object_unref(bus);
    }
    keyturn_limit_end(limit.all);
    return result;
}

int32_t keyturn_secret_state(int32_t milliseconds, char *why) { return within(milliseconds, why, NULL, NULL); }

static int32_t store(const request *request, const limit *limit, char *why) {
    g_error *error = NULL;
    int isStored = library.secret_password_store_sync(
        &schema, "default", request->label, request->text, limit->cancellable, &error, "store", request->store,
        "key-id", request->key_id, NULL);
    return isStored ? KEYTURN_SECRET_DONE : failure(error, limit, why);
}

int32_t keyturn_secret_store(
    const char *label, const char *name, const char *key_id, const char *text, int32_t milliseconds, char *why) {
    request request = {.label = label, .store = name, .key_id = key_id, .text = text};
    return within(milliseconds, why, store, &request);
}

static int32_t lookup(const request *request, const limit *limit, char *why) {
    g_error *error = NULL;
    char *text = library.secret_password_lookup_nonpageable_sync(
        &schema, limit->cancellable, &error, "key-id", request->key_id, NULL);
    if (error != NULL) return failure(error, limit, why);
    if (text == NULL) return outcome(KEYTURN_SECRET_MISSING, why, "The keyring does not have the token cache's key.");
    int fits = strlen(text) < request->room;
    if (fits) strcpy(request->out, text);
    library.secret_password_free(text);
    return fits ? KEYTURN_SECRET_DONE : outcome(KEYTURN_SECRET_FAILED, why, "The keyring's item contains no key.");
}

int32_t keyturn_secret_lookup(const char *key_id, char *text, size_t room, int32_t milliseconds, char *why) {
    request request = {.key_id = key_id, .out = text, .room = room};
    return within(milliseconds, why, lookup, &request);
}

static int32_t clear(const request *request, const limit *limit, char *why) {
    g_error *error = NULL;
    library.secret_password_clear_sync(&schema, limit->cancellable, &error, "key-id", request->key_id, NULL);
    return error == NULL ? KEYTURN_SECRET_DONE : failure(error, limit, why);
}

int32_t keyturn_secret_clear(const char *key_id, int32_t milliseconds, char *why) {
    request request = {.key_id = key_id};
    return within(milliseconds, why, clear, &request);
}

/// Reports items. The caller owns the list and its items.
static int32_t tell_items(const request *request, list *items, const limit *limit, char *why) {
    for (list *item = items; item != NULL; item = item->next) {
        g_error *error = NULL;
        object value = library.secret_retrievable_retrieve_secret_sync(item->data, limit->cancellable, &error);
        if (error != NULL) return failure(error, limit, why);
        if (value == NULL) continue;
        object attributes = library.secret_retrievable_get_attributes(item->data);
        const char *schema = attributes == NULL ? NULL : library.g_hash_table_lookup(attributes, "xdg:schema");
        size_t length = 0;
        const char *bytes = library.secret_value_get(value, &length);
        request->found(request->context, schema == NULL ? "" : schema, bytes, length);
        if (attributes != NULL) library.g_hash_table_unref(attributes);
        library.secret_value_unref(value);
    }
    return KEYTURN_SECRET_DONE;
}

static int32_t find(const request *request, const limit *limit, char *why) {
    // Only one attribute of other programs' items is known. Most have different schema names, but the name is an
    // attribute too and may be the known one.
    int isName = strcmp(request->attribute, "xdg:schema") == 0;
    secret_schema any = {
        .name = isName ? request->value : "", .flags = isName ? 0 : SECRET_SCHEMA_DONT_MATCH_NAME,
        .attributes = {{request->attribute, 0}}};
    g_error *error = NULL;
    list *items = library.secret_password_search_sync(
        &any, SECRET_SEARCH_ALL, limit->cancellable, &error, request->attribute, request->value, NULL);
    if (error != NULL) return failure(error, limit, why);
    int32_t result = tell_items(request, items, limit, why);
    for (list *item = items; item != NULL; item = item->next) library.g_object_unref(item->data);
    library.g_list_free(items);
    return result;
}

int32_t keyturn_secret_find(
    const char *attribute, const char *value, keyturn_secret_found *found, void *context, int32_t milliseconds, char *why) {
    request request = {.attribute = attribute, .value = value, .found = found, .context = context};
    return within(milliseconds, why, find, &request);
}
