#pragma once

#include <stddef.h>
#include <stdint.h>

// Plain functions over libnettle: what needs no key pair. It is small and asks for no preparation, so a token from the cache
// does not wait for it as it would for OpenSSL.

enum { KEYTURN_GCM_TAG_LENGTH = 16 };

/// `bits` is 256, 384 or 512; `out` has room for bits / 8 bytes.
void keyturn_sha2(int32_t bits, const uint8_t *in, size_t in_length, uint8_t *out);

/// 1 when equal, in a time that depends on `length` only.
int32_t keyturn_equal(const uint8_t *left, const uint8_t *right, size_t length);

/// `key` is 32 bytes; `out` has room for in_length + KEYTURN_GCM_TAG_LENGTH bytes: ciphertext, then tag.
void keyturn_aes256gcm_seal(
    const uint8_t *key, const uint8_t *nonce, size_t nonce_length, const uint8_t *associated,
    size_t associated_length, const uint8_t *in, size_t in_length, uint8_t *out);

/// `in` is ciphertext, then tag, so no shorter than that; `out` has room for in_length - KEYTURN_GCM_TAG_LENGTH bytes. Returns
/// 1, or 0 when the text is not what was sealed; nothing of it is left in `out` then.
int32_t keyturn_aes256gcm_open(
    const uint8_t *key, const uint8_t *nonce, size_t nonce_length, const uint8_t *associated,
    size_t associated_length, const uint8_t *in, size_t in_length, uint8_t *out);
