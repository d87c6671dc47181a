#pragma once

#include <openssl/bio.h>
#include <stddef.h>
#include <stdint.h>

/// Copies what was written into a BIO in memory, and gives its length; -1 when there is nothing, or no room for it.
int64_t keyturn_copy_sink(BIO *sink, uint8_t *out, size_t room);
