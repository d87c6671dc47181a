#pragma once

#include <stdint.h>

// What is used of GLib and GIO, declared here as in their headers (ABI of GLib 2.74, kept stable), for the reason that
// CSecret gives.

typedef void *object;

typedef struct {
    uint32_t domain;
    int32_t code;
    char *message;
} g_error;

enum { G_CONNECTION_AS_CLIENT = 1 << 0, G_CONNECTION_TO_BUS = 1 << 3 };
enum { G_IO_ERROR_CLOSED = 18, G_IO_ERROR_CANCELLED = 19 };
enum { G_TIMEOUT_NONE = INT32_MAX };

// name, result, arguments
#define FUNCTIONS(each)                                                                                       \
    each(g_cancellable_new, object, (void))                                                                   \
    each(g_cancellable_cancel, void, (object))                                                                \
    each(g_object_unref, void, (object))                                                                      \
    each(g_clear_error, void, (g_error **))                                                                   \
    each(g_io_error_quark, uint32_t, (void))                                                                  \
    each(g_dbus_connection_new_for_address_sync, object,                                                      \
        (const char *address, int32_t flags, object observer, object cancellable, g_error **))                \
    each(g_dbus_connection_close_sync, int32_t, (object, object cancellable, g_error **))                     \
    each(g_dbus_connection_call_sync, object,                                                                 \
        (object connection, const char *name, const char *path, const char *interface, const char *method,    \
            object parameters, object reply_type, int32_t flags, int32_t milliseconds, object cancellable,    \
            g_error **))                                                                                      \
    each(g_dbus_error_get_remote_error, char *, (const g_error *))                                            \
    each(g_dbus_error_strip_remote_error, int32_t, (g_error *))                                               \
    each(g_variant_builder_new, object, (const char *type))                                                   \
    each(g_variant_builder_add, void, (object, const char *format, ...))                                      \
    each(g_variant_builder_end, object, (object))                                                             \
    each(g_variant_builder_unref, void, (object))                                                             \
    each(g_variant_new, object, (const char *format, ...))                                                    \
    each(g_variant_get, void, (object, const char *format, ...))                                              \
    each(g_variant_is_of_type, int32_t, (object, const char *type))                                           \
    each(g_variant_unref, void, (object))                                                                     \
    each(g_strfreev, void, (char **))                                                                         \
    each(g_free, void, (void *))
