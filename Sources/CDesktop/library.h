#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../CSystem/loading/glib.h"

// The used parts of libsecret (stable ABI of libsecret 0.20), as for GLib.

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

enum { SECRET_SCHEMA_DONT_MATCH_NAME = 1 << 1, SECRET_SEARCH_ALL = 1 << 1 };

int32_t secret_password_store_sync(
    const secret_schema *, const char *collection, const char *label, const char *password, object cancellable, g_error **,
    ...);
char *secret_password_lookup_nonpageable_sync(const secret_schema *, object cancellable, g_error **, ...);
void secret_password_free(char *);
list *secret_password_search_sync(const secret_schema *, int32_t flags, object cancellable, g_error **, ...);
int32_t secret_password_clear_sync(const secret_schema *, object cancellable, g_error **, ...);
object secret_retrievable_retrieve_secret_sync(object item, object cancellable, g_error **);
object secret_retrievable_get_attributes(object item);
const char *secret_value_get(object value, size_t *length);
void secret_value_unref(object);

#define FUNCTIONS(each)                           \
    each(g_object_unref)                          \
    each(g_clear_error)                           \
    each(g_io_error_quark)                        \
    each(g_bus_get_sync)                          \
    each(g_dbus_address_get_for_bus_sync)         \
    each(g_dbus_connection_set_exit_on_close)     \
    each(g_dbus_connection_call_sync)             \
    each(g_dbus_error_get_remote_error)           \
    each(g_variant_new)                           \
    each(g_variant_get)                           \
    each(g_variant_is_of_type)                    \
    each(g_variant_get_boolean)                   \
    each(g_variant_unref)                         \
    each(g_free)                                  \
    each(g_hash_table_lookup)                     \
    each(g_hash_table_unref)                      \
    each(g_list_free)                             \
    each(secret_password_store_sync)              \
    each(secret_password_lookup_nonpageable_sync) \
    each(secret_password_free)                    \
    each(secret_password_search_sync)             \
    each(secret_password_clear_sync)              \
    each(secret_retrievable_retrieve_secret_sync) \
    each(secret_retrievable_get_attributes)       \
    each(secret_value_get)                        \
    each(secret_value_unref)
