#include "COpenSSL.h"

#include <limits.h>
#include <string.h>

#include "library.h"

static const EVP_MD *digest_of(int32_t bits) {
    switch (bits) {
    case 256: return crypto.EVP_sha256();
    case 384: return crypto.EVP_sha384();
    case 512: return crypto.EVP_sha512();
    default: return NULL;
    }
}

static const char *curve_name(int32_t bits) {
    switch (bits) {
    case 256: return "prime256v1";
    case 384: return "secp384r1";
    case 521: return "secp521r1";
    default: return NULL;
    }
}

static size_t field_length(int32_t curve_bits) { return ((size_t)curve_bits + 7) / 8; }

// Errors left in OpenSSL's queue would be attributed to the next call.
static int32_t settled(int ok) {
    crypto.ERR_clear_error();
    return ok ? 1 : 0;
}

int32_t keyturn_scrypt(
    const uint8_t *passphrase, size_t passphrase_length, const uint8_t *salt, size_t salt_length, uint64_t n,
    uint64_t r, uint64_t p, uint64_t memory, uint8_t *out, size_t out_length) {
    if (!keyturn_libcrypto_is_there()) return 0;
    return settled(
        crypto.EVP_PBE_scrypt(
            (const char *)passphrase, passphrase_length, salt, salt_length, n, r, p, memory, out, out_length) == 1);
}

// Keys

static EVP_PKEY *public_key_from(const char *type, OSSL_PARAM *parameters) {
    EVP_PKEY_CTX *context = crypto.EVP_PKEY_CTX_new_from_name(NULL, type, NULL);
    EVP_PKEY *key = NULL;
    if (context == NULL || crypto.EVP_PKEY_fromdata_init(context) != 1
        || crypto.EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1) {
        key = NULL;
    }
    crypto.EVP_PKEY_CTX_free(context);
    crypto.ERR_clear_error();
    return key;
}

keyturn_key *keyturn_key_rsa_public(
    const uint8_t *modulus, size_t modulus_length, const uint8_t *exponent, size_t exponent_length) {
    if (!keyturn_libcrypto_is_there()) return NULL;
    if (modulus_length > OPENSSL_RSA_MAX_MODULUS_BITS / 8 || exponent_length > OPENSSL_RSA_MAX_MODULUS_BITS / 8) {
        return NULL;
    }
    EVP_PKEY *key = NULL;
    BIGNUM *n = crypto.BN_bin2bn(modulus, (int)modulus_length, NULL);
    BIGNUM *e = crypto.BN_bin2bn(exponent, (int)exponent_length, NULL);
    OSSL_PARAM_BLD *builder = crypto.OSSL_PARAM_BLD_new();
    if (n != NULL && e != NULL && builder != NULL
        && crypto.OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, n) == 1
        && crypto.OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, e) == 1) {
        OSSL_PARAM *parameters = crypto.OSSL_PARAM_BLD_to_param(builder);
        if (parameters != NULL) key = public_key_from("RSA", parameters);
        crypto.OSSL_PARAM_free(parameters);
    }
    crypto.OSSL_PARAM_BLD_free(builder);
    crypto.BN_free(n);
    crypto.BN_free(e);
    crypto.ERR_clear_error();
    return key;
}

keyturn_key *keyturn_key_elliptic_public(int32_t curve_bits, const uint8_t *point, size_t point_length) {
    if (!keyturn_libcrypto_is_there()) return NULL;
    const char *curve = curve_name(curve_bits);
    if (curve == NULL || point_length != 1 + 2 * field_length(curve_bits)) return NULL;
    OSSL_PARAM parameters[] = {
        crypto.OSSL_PARAM_construct_utf8_string(OSSL_PKEY_PARAM_GROUP_NAME, (char *)curve, 0),
        crypto.OSSL_PARAM_construct_octet_string(OSSL_PKEY_PARAM_PUB_KEY, (void *)point, point_length),
        crypto.OSSL_PARAM_construct_end(),
    };
    return public_key_from("EC", parameters);
}

keyturn_key *keyturn_key_ed25519_public(const uint8_t *bytes, size_t length) {
    if (!keyturn_libcrypto_is_there()) return NULL;
    EVP_PKEY *key = crypto.EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, bytes, length);
    crypto.ERR_clear_error();
    return key;
}

keyturn_key *keyturn_key_generate_rsa(int32_t bits) {
    if (!keyturn_libcrypto_is_there()) return NULL;
    EVP_PKEY *key = bits < 2048 ? NULL : crypto.EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)bits);
    crypto.ERR_clear_error();
    return key;
}

keyturn_key *keyturn_key_generate_elliptic(int32_t curve_bits) {
    if (!keyturn_libcrypto_is_there()) return NULL;
    const char *curve = curve_name(curve_bits);
    EVP_PKEY *key = curve == NULL ? NULL : crypto.EVP_PKEY_Q_keygen(NULL, NULL, "EC", curve);
    crypto.ERR_clear_error();
    return key;
}

keyturn_key *keyturn_key_generate_ed25519(void) {
    if (!keyturn_libcrypto_is_there()) return NULL;
    EVP_PKEY *key = crypto.EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    crypto.ERR_clear_error();
    return key;
}

// Otherwise OpenSSL prompts for the pass phrase of an encrypted key on the terminal.
static int no_pass_phrase(char *buffer, int size, int writing, void *context) {
    (void)buffer, (void)size, (void)writing, (void)context;
    return -1;
}

keyturn_key *keyturn_key_from_pem(const char *pem, size_t length) {
    if (!keyturn_libcrypto_is_there()) return NULL;
    if (length > INT_MAX) return NULL;
    BIO *source = crypto.BIO_new_mem_buf(pem, (int)length);
    EVP_PKEY *key = source == NULL ? NULL : crypto.PEM_read_bio_PrivateKey(source, NULL, no_pass_phrase, NULL);
    crypto.BIO_free(source);
    crypto.ERR_clear_error();
    return key;
}

void keyturn_key_free(keyturn_key *key) { crypto.EVP_PKEY_free(key); }

int32_t keyturn_key_kind(const keyturn_key *key) {
    if (crypto.EVP_PKEY_is_a(key, "RSA")) return KEYTURN_KEY_RSA;
    if (crypto.EVP_PKEY_is_a(key, "ED25519")) return KEYTURN_KEY_ED25519;
    char group[32];
    size_t length = 0;
    int32_t kind = KEYTURN_KEY_OTHER;
    if (crypto.EVP_PKEY_is_a(key, "EC") && crypto.EVP_PKEY_get_group_name(key, group, sizeof group, &length) == 1) {
        const int32_t curves[] = {256, 384, 521};
        for (size_t i = 0; i < sizeof curves / sizeof *curves; i++) {
            if (strcmp(group, curve_name(curves[i])) == 0) kind = curves[i];
        }
    }
    crypto.ERR_clear_error();
    return kind;
}

int64_t keyturn_copy_sink(BIO *sink, uint8_t *out, size_t room) {
    char *text = NULL;
    long available = crypto.BIO_ctrl(sink, BIO_CTRL_INFO, 0, &text);
    if (available <= 0 || (size_t)available > room) return -1;
    memcpy(out, text, (size_t)available);
    return available;
}

int64_t keyturn_key_to_pem(const keyturn_key *key, uint8_t *out, size_t room) {
    int64_t length = -1;
    BIO *sink = crypto.BIO_new(crypto.BIO_s_secmem());
    if (sink != NULL && crypto.PEM_write_bio_PrivateKey(sink, key, NULL, NULL, 0, NULL, NULL) == 1) {
        length = keyturn_copy_sink(sink, out, room);
    }
    crypto.BIO_free(sink);
    crypto.ERR_clear_error();
    return length;
}

// `width` 0: without leading zeros.
static int64_t number_of(const EVP_PKEY *key, const char *name, size_t width, uint8_t *out, size_t room) {
    int64_t length = -1;
    BIGNUM *number = NULL;
    if (crypto.EVP_PKEY_get_bn_param(key, name, &number) == 1) {
        size_t needed = width > 0 ? width : ((size_t)crypto.BN_num_bits(number) + 7) / 8;
        if (needed <= room && crypto.BN_bn2binpad(number, out, (int)needed) >= 0) length = (int64_t)needed;
    }
    crypto.BN_free(number);
    crypto.ERR_clear_error();
    return length;
}

int64_t keyturn_key_rsa_modulus(const keyturn_key *key, uint8_t *out, size_t room) {
    return number_of(key, OSSL_PKEY_PARAM_RSA_N, 0, out, room);
}

int64_t keyturn_key_rsa_exponent(const keyturn_key *key, uint8_t *out, size_t room) {
    return number_of(key, OSSL_PKEY_PARAM_RSA_E, 0, out, room);
}

int64_t keyturn_key_elliptic_point(const keyturn_key *key, uint8_t *out, size_t room) {
    size_t width = field_length(keyturn_key_kind(key));
    if (2 * width > room || number_of(key, OSSL_PKEY_PARAM_EC_PUB_X, width, out, width) < 0
        || number_of(key, OSSL_PKEY_PARAM_EC_PUB_Y, width, out + width, width) < 0) {
        return -1;
    }
    return (int64_t)(2 * width);
}

int64_t keyturn_key_ed25519_bytes(const keyturn_key *key, uint8_t *out, size_t room) {
    size_t length = room;
    int ok = crypto.EVP_PKEY_get_raw_public_key(key, out, &length) == 1;
    crypto.ERR_clear_error();
    return ok ? (int64_t)length : -1;
}

// Signatures

// `sign` selects EVP_DigestSignInit or EVP_DigestVerifyInit.
static EVP_MD_CTX *signature_context(EVP_PKEY *key, int sign, int32_t digest_bits, int32_t pss) {
    const EVP_MD *digest = digest_of(digest_bits);
    if (digest_bits != 0 && digest == NULL) return NULL;
    EVP_MD_CTX *context = crypto.EVP_MD_CTX_new();
    if (context == NULL) return NULL;
    EVP_PKEY_CTX *options = NULL;
    int ok = sign ? crypto.EVP_DigestSignInit(context, &options, digest, NULL, key)
                  : crypto.EVP_DigestVerifyInit(context, &options, digest, NULL, key);
    if (ok == 1
        && (!pss
            || (crypto.EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1
                && crypto.EVP_PKEY_CTX_set_rsa_mgf1_md(options, digest) == 1
                && crypto.EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1))) {
        return context;
    }
    crypto.EVP_MD_CTX_free(context);
    return NULL;
}

// Converts r || s to DER for EVP. NULL when it is invalid. The caller frees the result.
static uint8_t *ecdsa_der(const uint8_t *raw, size_t raw_length, size_t width, size_t *der_length) {
    if (raw_length != 2 * width) return NULL;
    uint8_t *der = NULL;
    ECDSA_SIG *pair = crypto.ECDSA_SIG_new();
    BIGNUM *r = crypto.BN_bin2bn(raw, (int)width, NULL);
    BIGNUM *s = crypto.BN_bin2bn(raw + width, (int)width, NULL);
    if (pair != NULL && r != NULL && s != NULL && crypto.ECDSA_SIG_set0(pair, r, s) == 1) {
        int length = crypto.i2d_ECDSA_SIG(pair, &der);
        *der_length = length > 0 ? (size_t)length : 0;
    } else {
        crypto.BN_free(r);
        crypto.BN_free(s);
    }
    crypto.ECDSA_SIG_free(pair);
    return der;
}

static int64_t ecdsa_raw(const uint8_t *der, size_t der_length, size_t width, uint8_t *out, size_t room) {
    int64_t length = -1;
    ECDSA_SIG *pair = crypto.d2i_ECDSA_SIG(NULL, &der, (long)der_length);
    if (pair != NULL && 2 * width <= room && crypto.BN_bn2binpad(crypto.ECDSA_SIG_get0_r(pair), out, (int)width) >= 0
        && crypto.BN_bn2binpad(crypto.ECDSA_SIG_get0_s(pair), out + width, (int)width) >= 0) {
        length = (int64_t)(2 * width);
    }
    crypto.ECDSA_SIG_free(pair);
    return length;
}

int32_t keyturn_verify(
    keyturn_key *key, int32_t digest_bits, int32_t pss, const uint8_t *signature, size_t signature_length,
    const uint8_t *message, size_t message_length) {
    uint8_t *der = NULL;
    if (crypto.EVP_PKEY_is_a(key, "EC")) {
        der = ecdsa_der(signature, signature_length, field_length(keyturn_key_kind(key)), &signature_length);
        if (der == NULL) return settled(0);
        signature = der;
    }
    EVP_MD_CTX *context = signature_context(key, 0, digest_bits, pss);
    int ok = context != NULL
        && crypto.EVP_DigestVerify(context, signature, signature_length, message, message_length) == 1;
    crypto.EVP_MD_CTX_free(context);
    crypto.CRYPTO_free(der, __FILE__, __LINE__);
    return settled(ok);
}

int64_t keyturn_sign(
    keyturn_key *key, int32_t digest_bits, int32_t pss, const uint8_t *message, size_t message_length, uint8_t *out,
    size_t room) {
    uint8_t made[2048];
    size_t length = sizeof made;
    int64_t result = -1;
    EVP_MD_CTX *context = signature_context(key, 1, digest_bits, pss);
    if (context != NULL && crypto.EVP_DigestSign(context, made, &length, message, message_length) == 1) {
        if (crypto.EVP_PKEY_is_a(key, "EC")) {
            result = ecdsa_raw(made, length, field_length(keyturn_key_kind(key)), out, room);
        } else if (length <= room) {
            memcpy(out, made, length);
            result = (int64_t)length;
        }
    }
    crypto.EVP_MD_CTX_free(context);
    crypto.ERR_clear_error();
    return result;
}
