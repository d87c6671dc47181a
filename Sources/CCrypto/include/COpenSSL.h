#pragma once

#include <stddef.h>
#include <stdint.h>

// Functions over libcrypto 3 (EVP) for key pairs, and for keys from passphrases. Unless stated otherwise they return 1
// on success and 0 on failure, including a missing libcrypto. OpenSSL's error queue is always left empty.

typedef struct evp_pkey_st keyturn_key;

/// Loads libcrypto now instead of at its first use.
void keyturn_crypto_load(void);

/// Derives a key with scrypt (RFC 7914). `memory` is the limit in bytes; `out` needs out_length bytes.
int32_t keyturn_scrypt(
    const uint8_t *passphrase, size_t passphrase_length, const uint8_t *salt, size_t salt_length, uint64_t n,
    uint64_t r, uint64_t p, uint64_t memory, uint8_t *out, size_t out_length);

// Keys. The functions that create a key return NULL on failure. The caller frees the key.

keyturn_key *keyturn_key_rsa_public(
    const uint8_t *modulus, size_t modulus_length, const uint8_t *exponent, size_t exponent_length);
/// `curve_bits` is 256, 384 or 521; `point` is 04 || x || y.
keyturn_key *keyturn_key_elliptic_public(int32_t curve_bits, const uint8_t *point, size_t point_length);
keyturn_key *keyturn_key_ed25519_public(const uint8_t *bytes, size_t length);
keyturn_key *keyturn_key_generate_rsa(int32_t bits);
keyturn_key *keyturn_key_generate_elliptic(int32_t curve_bits);
keyturn_key *keyturn_key_generate_ed25519(void);
/// Parses an unencrypted private key.
keyturn_key *keyturn_key_from_pem(const char *pem, size_t length);
void keyturn_key_free(keyturn_key *key);

/// Creates a self-signed certificate in PEM, for `names` in OpenSSL's format ("IP:127.0.0.1,DNS:localhost"). It is
/// valid from `not_before`, in seconds since 1970, for `days`. Returns the length, or -1.
int64_t keyturn_certificate_self_signed(
    const keyturn_key *key, const char *common_name, const char *names, int64_t not_before, int32_t days,
    const uint8_t *serial, size_t serial_length, uint8_t *out, size_t room);

// Parts of a key. The functions that copy return the length, or -1 when the key has no such part or `room` is too
// small.

enum { KEYTURN_KEY_OTHER = 0, KEYTURN_KEY_RSA = 1, KEYTURN_KEY_ED25519 = 2 };
/// One of the values above, or the bits of a NIST curve: 256, 384, 521.
int32_t keyturn_key_kind(const keyturn_key *key);
int64_t keyturn_key_to_pem(const keyturn_key *key, uint8_t *out, size_t room);
int64_t keyturn_key_rsa_modulus(const keyturn_key *key, uint8_t *out, size_t room);
int64_t keyturn_key_rsa_exponent(const keyturn_key *key, uint8_t *out, size_t room);
/// x || y, each as long as the curve's field.
int64_t keyturn_key_elliptic_point(const keyturn_key *key, uint8_t *out, size_t room);
int64_t keyturn_key_ed25519_bytes(const keyturn_key *key, uint8_t *out, size_t room);

// Signatures. `digest_bits` is 0 for Ed25519. `pss` selects RSASSA-PSS with MGF1, the same digest and a salt of its
// length. ECDSA signatures are r || s, each as long as the curve's field (RFC 7518 section 3.4).

int32_t keyturn_verify(
    keyturn_key *key, int32_t digest_bits, int32_t pss, const uint8_t *signature, size_t signature_length,
    const uint8_t *message, size_t message_length);
/// Returns the length of the signature, or -1. 2048 bytes are always enough.
int64_t keyturn_sign(
    keyturn_key *key, int32_t digest_bits, int32_t pss, const uint8_t *message, size_t message_length, uint8_t *out,
    size_t room);
