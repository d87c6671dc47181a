#pragma once

#include <stddef.h>
#include <stdint.h>

// Functions over libnettle for hashing and AES. It is small and needs no initialisation, so getting a cached token
// doesn't have to load OpenSSL.

enum { KEYTURN_GCM_TAG_LENGTH = 16 };

/// `bits` is 256, 384 or 512; `out` needs bits / 8 bytes.
void keyturn_sha2(int32_t bits, const uint8_t *in, size_t in_length, uint8_t *out);

/// Returns 1 when equal, in a time that depends only on `length`.
int32_t keyturn_equal(const uint8_t *left, const uint8_t *right, size_t length);

/// Encrypts. `key` is 32 bytes; `out` needs in_length + KEYTURN_GCM_TAG_LENGTH bytes for ciphertext and tag.
void keyturn_aes256gcm_encrypt(
    const uint8_t *key, const uint8_t *nonce, size_t nonce_length, const uint8_t *associated,
    size_t associated_length, const uint8_t *in, size_t in_length, uint8_t *out);

/// Decrypts. `in` is ciphertext and tag, at least KEYTURN_GCM_TAG_LENGTH bytes; `out` needs in_length -
/// KEYTURN_GCM_TAG_LENGTH bytes. Returns 1, or 0 with erased output when the text was modified.
int32_t keyturn_aes256gcm_decrypt(
    const uint8_t *key, const uint8_t *nonce, size_t nonce_length, const uint8_t *associated,
    size_t associated_length, const uint8_t *in, size_t in_length, uint8_t *out);
