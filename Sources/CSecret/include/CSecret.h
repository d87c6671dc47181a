#pragma once

#include <stddef.h>
#include <stdint.h>

// Keys in the Secret Service of the session bus, through libsecret and GIO, which are loaded at the first call.
//
// Each function looks at the default collection first, and goes no further when it is locked: libsecret would open a
// prompt that a terminal may not have. Each ends within `milliseconds`, all of its D-Bus calls together. They return one
// of the values below, and write to `why`, which has room for KEYTURN_SECRET_WHY bytes, one sentence for a person.

enum {
    KEYTURN_SECRET_DONE = 0,
    /// No bus, no service on it, no library, or no default collection.
    KEYTURN_SECRET_ABSENT = 1,
    KEYTURN_SECRET_LOCKED = 2,
    /// No answer in time.
    KEYTURN_SECRET_UNANSWERED = 3,
    KEYTURN_SECRET_FAILED = 4,
    /// The service works, and holds no such item.
    KEYTURN_SECRET_MISSING = 5,

    KEYTURN_SECRET_WHY = 512,
};

/// Whether a key could be stored: DONE, or what is in the way.
int32_t keyturn_secret_state(int32_t milliseconds, char *why);

/// `store` and `key_id` become the item's attributes.
int32_t keyturn_secret_store(
    const char *label, const char *store, const char *key_id, const char *text, int32_t milliseconds, char *why);

/// Copies the item's text with its end to `text`.
int32_t keyturn_secret_lookup(const char *key_id, char *text, size_t room, int32_t milliseconds, char *why);

int32_t keyturn_secret_clear(const char *key_id, int32_t milliseconds, char *why);

/// `bytes` are good for the time of the call.
typedef void keyturn_secret_found(void *context, const char *schema, const char *bytes, size_t length);

/// Calls `found` for each unlocked item, of whatever program, that has this attribute. Reads only.
int32_t keyturn_secret_find(
    const char *attribute, const char *value, keyturn_secret_found *found, void *context, int32_t milliseconds, char *why);
