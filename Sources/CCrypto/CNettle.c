#define _DEFAULT_SOURCE
#include "CNettle.h"

#include <nettle/gcm.h>
#include <nettle/memops.h>
#include <nettle/sha2.h>
#include <string.h>

void keyturn_sha2(int32_t bits, const uint8_t *in, size_t in_length, uint8_t *out) {
    union {
        struct sha256_ctx sha256;
        struct sha512_ctx sha512;
    } context;
    switch (bits) {
    case 256:
        sha256_init(&context.sha256);
        sha256_update(&context.sha256, in_length, in);
        sha256_digest(&context.sha256, SHA256_DIGEST_SIZE, out);
        break;
    case 384:
        sha384_init(&context.sha512);
        sha384_update(&context.sha512, in_length, in);
        sha384_digest(&context.sha512, SHA384_DIGEST_SIZE, out);
        break;
    case 512:
        sha512_init(&context.sha512);
        sha512_update(&context.sha512, in_length, in);
        sha512_digest(&context.sha512, SHA512_DIGEST_SIZE, out);
        break;
    }
    // It contains data from secrets, such as code verifiers.
    explicit_bzero(&context, sizeof context);
}

int32_t keyturn_equal(const uint8_t *left, const uint8_t *right, size_t length) {
    return memeql_sec(left, right, length);
}

static void begin(
    struct gcm_aes256_ctx *context, const uint8_t *key, const uint8_t *nonce, size_t nonce_length,
    const uint8_t *associated, size_t associated_length) {
    gcm_aes256_set_key(context, key);
    gcm_aes256_set_iv(context, nonce_length, nonce);
    gcm_aes256_update(context, associated_length, associated);
}

void keyturn_aes256gcm_encrypt(
    const uint8_t *key, const uint8_t *nonce, size_t nonce_length, const uint8_t *associated,
    size_t associated_length, const uint8_t *in, size_t in_length, uint8_t *out) {
    struct gcm_aes256_ctx context;
    begin(&context, key, nonce, nonce_length, associated, associated_length);
    gcm_aes256_encrypt(&context, in_length, out, in);
    gcm_aes256_digest(&context, KEYTURN_GCM_TAG_LENGTH, out + in_length);
    explicit_bzero(&context, sizeof context);
}

int32_t keyturn_aes256gcm_decrypt(
    const uint8_t *key, const uint8_t *nonce, size_t nonce_length, const uint8_t *associated,
    size_t associated_length, const uint8_t *in, size_t in_length, uint8_t *out) {
    size_t length = in_length - KEYTURN_GCM_TAG_LENGTH;
    struct gcm_aes256_ctx context;
    uint8_t tag[KEYTURN_GCM_TAG_LENGTH];
    begin(&context, key, nonce, nonce_length, associated, associated_length);
    gcm_aes256_decrypt(&context, length, out, in);
    gcm_aes256_digest(&context, sizeof tag, tag);
    explicit_bzero(&context, sizeof context);
    int32_t is_authentic = memeql_sec(tag, in + length, sizeof tag);
    // Never return unauthenticated data.
    if (!is_authentic) explicit_bzero(out, length);
    return is_authentic;
}
