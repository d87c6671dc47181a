#include "COpenSSL.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "sink.h"

static int add_extension(X509 *certificate, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    int added = extension != NULL && X509_add_ext(certificate, extension, -1) == 1;
    X509_EXTENSION_free(extension);
    return added;
}

static int set_serial(X509 *certificate, const uint8_t *serial, size_t length) {
    BIGNUM *number = BN_bin2bn(serial, (int)length, NULL);
    int set = number != NULL && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != NULL;
    BN_free(number);
    return set;
}

int64_t keyturn_certificate_self_signed(
    const keyturn_key *key, const char *common_name, const char *names, int64_t not_before, int32_t days,
    const uint8_t *serial, size_t serial_length, uint8_t *out, size_t room) {
    int64_t length = -1;
    // X509_sign takes a key that is not const, and changes nothing of it but its count of owners.
    EVP_PKEY *own = (EVP_PKEY *)key;
    X509 *certificate = X509_new();
    BIO *sink = BIO_new(BIO_s_mem());
    X509_NAME *subject = certificate != NULL ? X509_get_subject_name(certificate) : NULL;
    time_t start = (time_t)not_before;
    if (sink != NULL && subject != NULL && serial_length <= 20 && X509_set_version(certificate, 2) == 1
        && set_serial(certificate, serial, serial_length)
        && X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_UTF8, (const uint8_t *)common_name, -1, -1, 0) == 1
        && X509_set_issuer_name(certificate, subject) == 1
        && X509_time_adj_ex(X509_getm_notBefore(certificate), 0, 0, &start) != NULL
        && X509_time_adj_ex(X509_getm_notAfter(certificate), days, 0, &start) != NULL
        && X509_set_pubkey(certificate, own) == 1
        && add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
        && add_extension(certificate, NID_key_usage, "critical,digitalSignature,keyCertSign")
        && add_extension(certificate, NID_ext_key_usage, "serverAuth")
        && add_extension(certificate, NID_subject_key_identifier, "hash")
        && add_extension(certificate, NID_subject_alt_name, names) && X509_sign(certificate, own, EVP_sha256()) > 0
        && PEM_write_bio_X509(sink, certificate) == 1) {
        length = keyturn_copy_sink(sink, out, room);
    }
    BIO_free(sink);
    X509_free(certificate);
    ERR_clear_error();
    return length;
}
