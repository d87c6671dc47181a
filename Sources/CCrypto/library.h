#pragma once

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stddef.h>
#include <stdint.h>

#include "../CSystem/loading/loading.h"

// libcrypto, loaded at its first use, because loading it takes longer than getting a cached token.

#define FUNCTIONS(each) \
    each(BIO_ctrl)                            \
    each(BIO_free)                            \
    each(BIO_new)                             \
    each(BIO_new_mem_buf)                     \
    each(BIO_s_mem)                           \
    each(BIO_s_secmem)                        \
    each(BN_bin2bn)                           \
    each(BN_bn2binpad)                        \
    each(BN_free)                             \
    each(BN_num_bits)                         \
    each(BN_to_ASN1_INTEGER)                  \
    each(CRYPTO_free)                         \
    each(ECDSA_SIG_free)                      \
    each(ECDSA_SIG_get0_r)                    \
    each(ECDSA_SIG_get0_s)                    \
    each(ECDSA_SIG_new)                       \
    each(ECDSA_SIG_set0)                      \
    each(ERR_clear_error)                     \
    each(EVP_DigestSign)                      \
    each(EVP_DigestSignInit)                  \
    each(EVP_DigestVerify)                    \
    each(EVP_DigestVerifyInit)                \
    each(EVP_MD_CTX_free)                     \
    each(EVP_MD_CTX_new)                      \
    each(EVP_PBE_scrypt)                      \
    each(EVP_PKEY_CTX_free)                   \
    each(EVP_PKEY_CTX_new_from_name)          \
    each(EVP_PKEY_CTX_set_rsa_mgf1_md)        \
    each(EVP_PKEY_CTX_set_rsa_padding)        \
    each(EVP_PKEY_CTX_set_rsa_pss_saltlen)    \
    each(EVP_PKEY_Q_keygen)                   \
    each(EVP_PKEY_free)                       \
    each(EVP_PKEY_fromdata)                   \
    each(EVP_PKEY_fromdata_init)              \
    each(EVP_PKEY_get_bn_param)               \
    each(EVP_PKEY_get_group_name)             \
    each(EVP_PKEY_get_raw_public_key)         \
    each(EVP_PKEY_is_a)                       \
    each(EVP_PKEY_new_raw_public_key)         \
    each(EVP_sha256)                          \
    each(EVP_sha384)                          \
    each(EVP_sha512)                          \
    each(OPENSSL_init_crypto)                 \
    each(OSSL_PARAM_BLD_free)                 \
    each(OSSL_PARAM_BLD_new)                  \
    each(OSSL_PARAM_BLD_push_BN)              \
    each(OSSL_PARAM_BLD_to_param)             \
    each(OSSL_PARAM_construct_end)            \
    each(OSSL_PARAM_construct_octet_string)   \
    each(OSSL_PARAM_construct_utf8_string)    \
    each(OSSL_PARAM_free)                     \
    each(PEM_read_bio_PrivateKey)             \
    each(PEM_write_bio_PrivateKey)            \
    each(PEM_write_bio_X509)                  \
    each(X509V3_EXT_conf_nid)                 \
    each(X509V3_set_ctx)                      \
    each(X509_EXTENSION_free)                 \
    each(X509_NAME_add_entry_by_txt)          \
    each(X509_add_ext)                        \
    each(X509_free)                           \
    each(X509_get_serialNumber)               \
    each(X509_get_subject_name)               \
    each(X509_getm_notAfter)                  \
    each(X509_getm_notBefore)                 \
    each(X509_new)                            \
    each(X509_set_issuer_name)                \
    each(X509_set_pubkey)                     \
    each(X509_set_version)                    \
    each(X509_sign)                           \
    each(X509_time_adj_ex)                    \
    each(d2i_ECDSA_SIG)                       \
    each(i2d_ECDSA_SIG)                      

extern struct keyturn_libcrypto {
    FUNCTIONS(LOADED)
} keyturn_libcrypto;

#define crypto keyturn_libcrypto

/// Whether libcrypto is available with all functions. Checked when the first object of a kind is created.
int keyturn_libcrypto_is_there(void);

/// Copies the content of a memory BIO and returns its length, or -1 when it is empty or too long.
int64_t keyturn_copy_sink(BIO *sink, uint8_t *out, size_t room);
