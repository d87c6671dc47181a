#pragma once

#include <stddef.h>
#include <stdint.h>

// Plain functions over libcrypto 3 (EVP): key pairs, and keys from passphrases. Unless said otherwise they return 1 when they
// did what they are named for and 0 when they did not, also when there is no libcrypto; OpenSSL's error queue is left
// empty either way.

typedef struct evp_pkey_st keyturn_key;

/// Looks for libcrypto now, which the first of the functions that needs it does else.
void keyturn_crypto_load(void);

/// scrypt (RFC 7914). `memory` is the most bytes it may take; `out` has room for out_length bytes.
int32_t keyturn_scrypt(
    const uint8_t *passphrase, size_t passphrase_length, const uint8_t *salt, size_t salt_length, uint64_t n,
    uint64_t r, uint64_t p, uint64_t memory, uint8_t *out, size_t out_length);

// Keys. Each maker returns NULL when it cannot make one; the caller frees what it got.

keyturn_key *keyturn_key_rsa_public(
    const uint8_t *modulus, size_t modulus_length, const uint8_t *exponent, size_t exponent_length);
/// `curve_bits` is 256, 384 or 521; `point` is 04 || x || y.
keyturn_key *keyturn_key_elliptic_public(int32_t curve_bits, const uint8_t *point, size_t point_length);
keyturn_key *keyturn_key_ed25519_public(const uint8_t *bytes, size_t length);
keyturn_key *keyturn_key_generate_rsa(int32_t bits);
keyturn_key *keyturn_key_generate_elliptic(int32_t curve_bits);
keyturn_key *keyturn_key_generate_ed25519(void);
/// An unencrypted private key.
keyturn_key *keyturn_key_from_pem(const char *pem, size_t length);
void keyturn_key_free(keyturn_key *key);

/// A certificate that a private key gives to itself, in PEM, for `names` in OpenSSL's form ("IP:127.0.0.1,DNS:localhost").
/// It counts from `not_before`, in seconds since 1970, for so many days. `serial` is its number. The length, or -1.
int64_t keyturn_certificate_self_signed(
    const keyturn_key *key, const char *common_name, const char *names, int64_t not_before, int32_t days,
    const uint8_t *serial, size_t serial_length, uint8_t *out, size_t room);

// What a key holds. The functions that copy out return the length, or -1 when it has no such part or room is short.

enum { KEYTURN_KEY_OTHER = 0, KEYTURN_KEY_RSA = 1, KEYTURN_KEY_ED25519 = 2 };
/// One of the above, or the bits of a NIST curve: 256, 384, 521.
int32_t keyturn_key_kind(const keyturn_key *key);
int64_t keyturn_key_to_pem(const keyturn_key *key, uint8_t *out, size_t room);
int64_t keyturn_key_rsa_modulus(const keyturn_key *key, uint8_t *out, size_t room);
int64_t keyturn_key_rsa_exponent(const keyturn_key *key, uint8_t *out, size_t room);
/// x || y, each as long as the curve's field.
int64_t keyturn_key_elliptic_point(const keyturn_key *key, uint8_t *out, size_t room);
int64_t keyturn_key_ed25519_bytes(const keyturn_key *key, uint8_t *out, size_t room);

// Signatures. `digest_bits` is 0 for Ed25519; `pss` asks for RSASSA-PSS with MGF1 of the same digest and a salt of its
// length. ECDSA signatures are r || s, each as long as the curve's field (RFC 7518 section 3.4).

int32_t keyturn_verify(
    keyturn_key *key, int32_t digest_bits, int32_t pss, const uint8_t *signature, size_t signature_length,
    const uint8_t *message, size_t message_length);
/// Returns the signature's length or -1. 2,048 bytes are room enough.
int64_t keyturn_sign(
    keyturn_key *key, int32_t digest_bits, int32_t pss, const uint8_t *message, size_t message_length, uint8_t *out,
    size_t room);
