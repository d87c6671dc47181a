#define _GNU_SOURCE
#include "CGIO.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../CSystem/loading/glib.h"
#include "../CSystem/loading/loading.h"

// The library

#define FUNCTIONS(each)                          \
    each(g_cancellable_new)                      \
    each(g_cancellable_cancel)                   \
    each(g_object_unref)                         \
    each(g_clear_error)                          \
    each(g_io_error_quark)                       \
    each(g_dbus_address_get_stream_sync)         \
    each(g_dbus_connection_new_sync)             \
    each(g_dbus_connection_close_sync)           \
    each(g_dbus_connection_get_stream)           \
    each(g_socket_connection_get_socket)         \
    each(g_socket_get_fd)                        \
    each(g_dbus_connection_call_sync)            \
    each(g_dbus_error_get_remote_error)          \
    each(g_dbus_error_strip_remote_error)        \
    each(g_variant_builder_new)                  \
    each(g_variant_builder_add)                  \
    each(g_variant_builder_end)                  \
    each(g_variant_builder_unref)                \
    each(g_variant_new)                          \
    each(g_variant_get)                          \
    each(g_variant_is_of_type)                   \
    each(g_variant_unref)                        \
    each(g_strfreev)                             \
    each(g_free)

static struct { FUNCTIONS(LOADED) } library;
static char problem[256];
static pthread_once_t loading = PTHREAD_ONCE_INIT;

/// Loads GIO, and GObject and GLib with it.
static void load(void) { LOAD("libgio-2.0.so.0", " (Debian: libglib2.0-0)", ".") }

static int is_loaded(void) {
    pthread_once(&loading, load);
    return problem[0] == 0;
}

const char *keyturn_bus_problem(void) { return is_loaded() ? "Can't start a thread." : problem; }

// Time limit: a thread that cancels

struct keyturn_limit {
    object cancellable;
    int has_thread, is_done, is_over;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t done;
    struct timespec end;
};

static void *watch(void *context) {
    keyturn_limit *limit = context;
    int error = 0;
    pthread_mutex_lock(&limit->lock);
    while (!limit->is_done && error == 0) error = pthread_cond_timedwait(&limit->done, &limit->lock, &limit->end);
    int is_over = limit->is_over = !limit->is_done;
    pthread_mutex_unlock(&limit->lock);
    if (is_over) library.g_cancellable_cancel(limit->cancellable);
    return NULL;
}

static void set_end(keyturn_limit *limit, int32_t milliseconds) {
    clock_gettime(CLOCK_MONOTONIC, &limit->end);
    limit->end.tv_sec += milliseconds / 1000;
    limit->end.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (limit->end.tv_nsec >= 1000000000) {
        limit->end.tv_sec += 1;
        limit->end.tv_nsec -= 1000000000;
    }
}

keyturn_limit *keyturn_limit_start(int32_t milliseconds) {
    keyturn_limit *limit = is_loaded() ? calloc(1, sizeof *limit) : NULL;
    if (limit == NULL) return NULL;
    set_end(limit, milliseconds);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&limit->lock, NULL);
    pthread_cond_init(&limit->done, &attributes);
    pthread_condattr_destroy(&attributes);
    limit->cancellable = library.g_cancellable_new();
    if (milliseconds < 0) return limit;
    limit->has_thread = pthread_create(&limit->thread, NULL, watch, limit) == 0;
    if (limit->has_thread) return limit;
    keyturn_limit_end(limit);
    return NULL;
}

void keyturn_limit_cancel(keyturn_limit *limit) { library.g_cancellable_cancel(limit->cancellable); }

void *keyturn_limit_cancellable(keyturn_limit *limit) { return limit->cancellable; }

int32_t keyturn_limit_is_over(keyturn_limit *limit) {
    pthread_mutex_lock(&limit->lock);
    int is_over = limit->is_over;
    pthread_mutex_unlock(&limit->lock);
    return is_over;
}

void keyturn_limit_end(keyturn_limit *limit) {
    pthread_mutex_lock(&limit->lock);
    limit->is_done = 1;
    pthread_cond_signal(&limit->done);
    pthread_mutex_unlock(&limit->lock);
    if (limit->has_thread) pthread_join(limit->thread, NULL);
    pthread_cond_destroy(&limit->done);
    pthread_mutex_destroy(&limit->lock);
    library.g_object_unref(limit->cancellable);
    free(limit);
}

// Errors

__attribute__((format(printf, 3, 4))) static int32_t outcome(int32_t value, char *why, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, KEYTURN_BUS_WHY, format, arguments);
    va_end(arguments);
    return value;
}

/// Whether no process has the name. A service that failed to start counts as existing.
static int is_nobody(const char *error) {
    return strcmp(error, "org.freedesktop.DBus.Error.ServiceUnknown") == 0
        || strcmp(error, "org.freedesktop.DBus.Error.NameHasNoOwner") == 0
        || strcmp(error, "org.freedesktop.DBus.Error.Spawn.ServiceNotFound") == 0;
}

/// Returns the outcome for an error, and frees the error.
static int32_t failure(g_error *error, keyturn_limit *limit, char *why) {
    if (error == NULL) return outcome(KEYTURN_BUS_FAILED, why, "It gave no reason.");
    char *remote = library.g_dbus_error_get_remote_error(error);
    const char *name = remote == NULL ? "" : remote;
    int is_ours = error->domain == library.g_io_error_quark();
    library.g_dbus_error_strip_remote_error(error);
    int32_t result;
    if (is_ours && error->code == G_IO_ERROR_CANCELLED) {
        result = keyturn_limit_is_over(limit)
            ? outcome(KEYTURN_BUS_UNANSWERED, why, "No response in time.")
            : outcome(KEYTURN_BUS_CANCELLED, why, "The call was cancelled.");
    } else if (is_ours && error->code == G_IO_ERROR_CLOSED) {
        result = outcome(KEYTURN_BUS_STOPPED, why, "The session bus exited before it responded.");
    } else if (strcmp(name, "org.freedesktop.DBus.Error.NoReply") == 0) {
        result = outcome(KEYTURN_BUS_STOPPED, why, "It exited before it responded.");
    } else {
        result = outcome(
            is_nobody(name) ? KEYTURN_BUS_NOBODY : KEYTURN_BUS_FAILED, why, "%s%s%s", name, name[0] == 0 ? "" : ": ",
            error->message);
    }
    library.g_free(remote);
    library.g_clear_error(&error);
    return result;
}

// Bus

static void bus_close(object bus) {
    g_error *error = NULL;
    library.g_dbus_connection_close_sync(bus, NULL, &error);
    library.g_clear_error(&error);
    library.g_object_unref(bus);
}

/// Whether the peer of a `GSocketConnection` is another user than this one and root. If so, writes the reason to `why`.
static int is_distrusted(object stream, char *why) {
    struct ucred peer;
    socklen_t length = sizeof peer;
    int descriptor = library.g_socket_get_fd(library.g_socket_connection_get_socket(stream));
    if (getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0) {
        outcome(KEYTURN_BUS_ABSENT, why, "The session bus doesn't say who runs it.");
        return 1;
    }
    if (peer.uid == geteuid() || peer.uid == 0) return 0;
    outcome(KEYTURN_BUS_ABSENT, why, "The session bus belongs to another user (ID %u).", (unsigned)peer.uid);
    return 1;
}

int32_t keyturn_bus_is_distrusted(void *bus, char *why) {
    return is_distrusted(library.g_dbus_connection_get_stream(bus), why);
}

/// Connects to a bus and sends nothing, or returns NULL with `result` and `why`.
static object stream_open(const char *address, keyturn_limit *limit, int32_t *result, char *why) {
    why[0] = 0;
    g_error *error = NULL;
    object stream = library.g_dbus_address_get_stream_sync(address, NULL, limit->cancellable, &error);
    if (stream == NULL) {
        *result = failure(error, limit, why);
        if (*result != KEYTURN_BUS_CANCELLED)
            *result = outcome(KEYTURN_BUS_ABSENT, why, "Can't reach the session bus.");
        return NULL;
    }
    if (!is_distrusted(stream, why)) return stream;
    library.g_object_unref(stream);
    *result = KEYTURN_BUS_ABSENT;
    return NULL;
}

int32_t keyturn_bus_examine(const char *address, keyturn_limit *limit, char *why) {
    int32_t result = KEYTURN_BUS_DONE;
    object stream = stream_open(address, limit, &result, why);
    if (stream != NULL) library.g_object_unref(stream);
    return result;
}

static object bus_open(const char *address, keyturn_limit *limit, int32_t *result, char *why) {
    object stream = stream_open(address, limit, result, why);
    if (stream == NULL) return NULL;
    g_error *error = NULL;
    object bus = library.g_dbus_connection_new_sync(
        stream, NULL, G_CONNECTION_AS_CLIENT | G_CONNECTION_TO_BUS, NULL, limit->cancellable, &error);
    library.g_object_unref(stream);
    if (bus != NULL) return bus;
    *result = failure(error, limit, why);
    if (*result != KEYTURN_BUS_CANCELLED) *result = outcome(KEYTURN_BUS_ABSENT, why, "Can't reach the session bus.");
    return NULL;
}

/// Calls a method of the bus itself.
static object ask_bus(object bus, const char *method, object parameters, keyturn_limit *limit, g_error **error) {
    return library.g_dbus_connection_call_sync(
        bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, parameters, NULL, 0,
        G_TIMEOUT_NONE, limit->cancellable, error);
}

static int has_owner(object bus, const char *name, keyturn_limit *limit, g_error **error) {
    object reply = ask_bus(bus, "NameHasOwner", library.g_variant_new("(s)", name), limit, error);
    if (reply == NULL) return 0;
    int32_t has = 0;
    if (library.g_variant_is_of_type(reply, "(b)")) library.g_variant_get(reply, "(b)", &has);
    library.g_variant_unref(reply);
    return has;
}

static int is_activatable(object bus, const char *name, keyturn_limit *limit, g_error **error) {
    object reply = ask_bus(bus, "ListActivatableNames", NULL, limit, error);
    if (reply == NULL) return 0;
    int found = 0;
    if (library.g_variant_is_of_type(reply, "(as)")) {
        char **names = NULL;
        library.g_variant_get(reply, "(^as)", &names);
        for (char **one = names; *one != NULL; one++) found |= strcmp(*one, name) == 0;
        library.g_strfreev(names);
    }
    library.g_variant_unref(reply);
    return found;
}

int32_t keyturn_bus_presence(
    const char *address, const char *name, keyturn_limit *limit, int32_t *presence, char *why) {
    int32_t result = KEYTURN_BUS_DONE;
    object bus = bus_open(address, limit, &result, why);
    if (bus == NULL) return result;
    g_error *error = NULL;
    *presence = has_owner(bus, name, limit, &error) ? 1 : 0;
    if (*presence == 0 && error == NULL && is_activatable(bus, name, limit, &error)) *presence = 2;
    if (error != NULL) result = failure(error, limit, why);
    bus_close(bus);
    return result;
}

int32_t keyturn_bus_call(
    const char *address, const char *name, const char *path, const char *interface, const char *method,
    const char *const *texts, int32_t count, keyturn_limit *limit, char **answer, char *why) {
    int32_t result = KEYTURN_BUS_DONE;
    object bus = bus_open(address, limit, &result, why);
    if (bus == NULL) return result;
    object builder = library.g_variant_builder_new("r");
    for (int32_t index = 0; index < count; index++) library.g_variant_builder_add(builder, "s", texts[index]);
    object parameters = library.g_variant_builder_end(builder);
    library.g_variant_builder_unref(builder);
    g_error *error = NULL;
    object reply = library.g_dbus_connection_call_sync(
        bus, name, path, interface, method, parameters, NULL, 0, G_TIMEOUT_NONE,
        limit->cancellable, &error);
    if (reply == NULL) {
        result = failure(error, limit, why);
    } else if (!library.g_variant_is_of_type(reply, "(s)")) {
        result = outcome(KEYTURN_BUS_FAILED, why, "It responded with another type than text.");
    } else {
        char *text = NULL;
        library.g_variant_get(reply, "(s)", &text);
        *answer = strdup(text);
        // It contains tokens.
        explicit_bzero(text, strlen(text));
        library.g_free(text);
        if (*answer == NULL) result = outcome(KEYTURN_BUS_FAILED, why, "Out of memory.");
    }
    if (reply != NULL) library.g_variant_unref(reply);
    bus_close(bus);
    return result;
}

int32_t keyturn_bus_notify(
    const char *address, const char *title, const char *body, keyturn_limit *limit, char *why) {
    int32_t result = KEYTURN_BUS_DONE;
    object bus = bus_open(address, limit, &result, why);
    if (bus == NULL) return result;
    object none = NULL;
    object parameters = library.g_variant_new(
        "(susssasa{sv}i)", "Keyturn", (uint32_t)0, "dialog-password", title, body, none, none, (int32_t)0);
    g_error *error = NULL;
    object reply = library.g_dbus_connection_call_sync(
        bus, "org.freedesktop.Notifications", "/org/freedesktop/Notifications", "org.freedesktop.Notifications", "Notify",
        parameters, NULL, 0, G_TIMEOUT_NONE, limit->cancellable, &error);
    if (reply == NULL) result = failure(error, limit, why);
    if (reply != NULL) library.g_variant_unref(reply);
    bus_close(bus);
    return result;
}
