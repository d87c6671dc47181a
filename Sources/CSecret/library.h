#pragma once

#include <stddef.h>
#include <stdint.h>

// What is used of GLib, GIO and libsecret, declared here as in their headers (ABI of libsecret 0.20, GLib 2.74; both are
// kept stable): those need include paths that only pkg-config tells, and with it SwiftPM links the libraries, which
// would then be loaded at every start.

typedef void *object;

typedef struct {
    uint32_t domain;
    int32_t code;
    char *message;
} g_error;

enum { G_BUS_TYPE_SESSION = 2 };
enum { G_IO_ERROR_CANCELLED = 19, G_IO_ERROR_TIMED_OUT = 24 };

typedef struct {
    const char *name;
    int32_t flags;
    struct {
        const char *name;
        int32_t type;
    } attributes[32];
    int32_t reserved;
    void *reserved1[7];
} secret_schema;

typedef struct list {
    object data;
    struct list *next, *previous;
} list;

enum { SECRET_SCHEMA_DONT_MATCH_NAME = 1 << 1, SECRET_SEARCH_ALL = 1 << 1 };

// name, result, arguments
#define FUNCTIONS(each)                                                                                               \
    each(g_object_unref, void, (object))                                                                              \
    each(g_clear_error, void, (g_error **))                                                                           \
    each(g_io_error_quark, uint32_t, (void))                                                                          \
    each(g_bus_get_sync, object, (int32_t type, object cancellable, g_error **))                                      \
    each(g_dbus_connection_set_exit_on_close, void, (object, int32_t))                                                \
    each(g_dbus_connection_call_sync, object,                                                                         \
        (object connection, const char *name, const char *path, const char *interface, const char *method,            \
            object parameters, object reply_type, int32_t flags, int32_t milliseconds, object cancellable,            \
            g_error **))                                                                                              \
    each(g_dbus_error_get_remote_error, char *, (const g_error *))                                                    \
    each(g_variant_new, object, (const char *format, ...))                                                            \
    each(g_variant_get, void, (object, const char *format, ...))                                                      \
    each(g_variant_is_of_type, int32_t, (object, const char *type))                                                   \
    each(g_variant_get_boolean, int32_t, (object))                                                                    \
    each(g_variant_unref, void, (object))                                                                             \
    each(g_free, void, (void *))                                                                                      \
    each(secret_password_store_sync, int32_t,                                                                         \
        (const secret_schema *, const char *collection, const char *label, const char *password, object cancellable,  \
            g_error **, ...))                                                                                         \
    each(secret_password_lookup_nonpageable_sync, char *, (const secret_schema *, object cancellable, g_error **, ...)) \
    each(secret_password_free, void, (char *))                                                                        \
    each(secret_password_search_sync, list *,                                                                         \
        (const secret_schema *, int32_t flags, object cancellable, g_error **, ...))                                  \
    each(secret_retrievable_retrieve_secret_sync, object, (object item, object cancellable, g_error **))              \
    each(secret_retrievable_get_attributes, object, (object item))                                                    \
    each(secret_value_get, const char *, (object value, size_t *length))                                              \
    each(secret_value_unref, void, (object))                                                                          \
    each(g_hash_table_lookup, const char *, (object table, const char *key))                                          \
    each(g_hash_table_unref, void, (object))                                                                          \
    each(g_list_free, void, (void *))                                                                                 \
    each(secret_password_clear_sync, int32_t, (const secret_schema *, object cancellable, g_error **, ...))
