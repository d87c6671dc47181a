#pragma once

#include <stdint.h>

// The used parts of GLib and GIO (stable ABI of GLib 2.74). Their own headers need include paths from pkg-config, with
// which SwiftPM would link the libraries and so load them at every start.

typedef void *object;

typedef struct {
    uint32_t domain;
    int32_t code;
    char *message;
} g_error;

typedef struct list {
    object data;
    struct list *next, *previous;
} list;

enum { G_BUS_TYPE_SESSION = 2 };
enum { G_CONNECTION_AS_CLIENT = 1 << 0, G_CONNECTION_TO_BUS = 1 << 3 };
enum { G_IO_ERROR_CLOSED = 18, G_IO_ERROR_CANCELLED = 19, G_IO_ERROR_TIMED_OUT = 24 };
enum { G_TIMEOUT_NONE = INT32_MAX };

object g_cancellable_new(void);
void g_cancellable_cancel(object);
void g_object_unref(object);
void g_clear_error(g_error **);
uint32_t g_io_error_quark(void);
object g_bus_get_sync(int32_t type, object cancellable, g_error **);
char *g_dbus_address_get_for_bus_sync(int32_t type, object cancellable, g_error **);
object g_dbus_address_get_stream_sync(const char *address, char **guid, object cancellable, g_error **);
object g_dbus_connection_new_sync(
    object stream, const char *guid, int32_t flags, object observer, object cancellable, g_error **);
void g_dbus_connection_set_exit_on_close(object, int32_t);
object g_dbus_connection_get_stream(object);
object g_socket_connection_get_socket(object);
int32_t g_socket_get_fd(object);
int32_t g_dbus_connection_close_sync(object, object cancellable, g_error **);
object g_dbus_connection_call_sync(
    object connection, const char *name, const char *path, const char *interface, const char *method, object parameters,
    object reply_type, int32_t flags, int32_t milliseconds, object cancellable, g_error **);
char *g_dbus_error_get_remote_error(const g_error *);
int32_t g_dbus_error_strip_remote_error(g_error *);
object g_variant_builder_new(const char *type);
void g_variant_builder_add(object, const char *format, ...);
object g_variant_builder_end(object);
void g_variant_builder_unref(object);
object g_variant_new(const char *format, ...);
void g_variant_get(object, const char *format, ...);
int32_t g_variant_get_boolean(object);
int32_t g_variant_is_of_type(object, const char *type);
void g_variant_unref(object);
const char *g_hash_table_lookup(object table, const char *key);
void g_hash_table_unref(object);
void g_list_free(void *);
void g_strfreev(char **);
void g_free(void *);
