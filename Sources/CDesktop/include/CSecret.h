#pragma once

#include <stddef.h>
#include <stdint.h>

// Keys in the Secret Service of the session bus, through libsecret and GIO, which are loaded at the first call.
//
// Each function first checks the default collection and stops if it is locked, because libsecret would open a prompt.
// `milliseconds` limits all D-Bus calls of a function together. Each returns one of the values below and writes the
// reason to `why` as a sentence, which needs KEYTURN_SECRET_WHY bytes.

enum {
    KEYTURN_SECRET_DONE = 0,
    /// No bus, service, library or default collection.
    KEYTURN_SECRET_ABSENT = 1,
    KEYTURN_SECRET_LOCKED = 2,
    /// No response in time.
    KEYTURN_SECRET_UNANSWERED = 3,
    KEYTURN_SECRET_FAILED = 4,
    /// The service works, but doesn't have the item.
    KEYTURN_SECRET_MISSING = 5,

    KEYTURN_SECRET_WHY = 512,
};

/// Returns DONE if a key can be stored, else the obstacle.
int32_t keyturn_secret_state(int32_t milliseconds, char *why);

/// Stores a key. `store` and `key_id` become the item's attributes.
int32_t keyturn_secret_store(
    const char *label, const char *store, const char *key_id, const char *text, int32_t milliseconds, char *why);

/// Copies the item's text to `text`, including its terminator.
int32_t keyturn_secret_lookup(const char *key_id, char *text, size_t room, int32_t milliseconds, char *why);

int32_t keyturn_secret_clear(const char *key_id, int32_t milliseconds, char *why);

/// `bytes` are valid during the call.
typedef void keyturn_secret_found(void *context, const char *schema, const char *bytes, size_t length);

/// Calls `found` for each unlocked item of any program with this attribute. Read-only.
int32_t keyturn_secret_find(
    const char *attribute, const char *value, keyturn_secret_found *found, void *context, int32_t milliseconds, char *why);
