#include "COpenSSL.h"

#include "library.h"

static int add_extension(X509 *certificate, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    crypto.X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = crypto.X509V3_EXT_conf_nid(NULL, &context, kind, value);
    int added = extension != NULL && crypto.X509_add_ext(certificate, extension, -1) == 1;
    crypto.X509_EXTENSION_free(extension);
    return added;
}

static int set_serial(X509 *certificate, const uint8_t *serial, size_t length) {
    BIGNUM *number = crypto.BN_bin2bn(serial, (int)length, NULL);
    int set = number != NULL && crypto.BN_to_ASN1_INTEGER(number, crypto.X509_get_serialNumber(certificate)) != NULL;
    crypto.BN_free(number);
    return set;
}

int64_t keyturn_certificate_self_signed(
    const keyturn_key *key, const char *common_name, const char *names, int64_t not_before, int32_t days,
    const uint8_t *serial, size_t serial_length, uint8_t *out, size_t room) {
    int64_t length = -1;
    // X509_sign takes a non-const key, but changes only its reference count.
    EVP_PKEY *own = (EVP_PKEY *)key;
    X509 *certificate = crypto.X509_new();
    BIO *sink = crypto.BIO_new(crypto.BIO_s_mem());
    X509_NAME *subject = certificate != NULL ? crypto.X509_get_subject_name(certificate) : NULL;
    time_t start = (time_t)not_before;
    if (sink != NULL && subject != NULL && serial_length <= 20 && crypto.X509_set_version(certificate, 2) == 1
        && set_serial(certificate, serial, serial_length)
        && crypto.X509_NAME_add_entry_by_txt(
               subject, "CN", MBSTRING_UTF8, (const uint8_t *)common_name, -1, -1, 0) == 1
        && crypto.X509_set_issuer_name(certificate, subject) == 1
        && crypto.X509_time_adj_ex(crypto.X509_getm_notBefore(certificate), 0, 0, &start) != NULL
        && crypto.X509_time_adj_ex(crypto.X509_getm_notAfter(certificate), days, 0, &start) != NULL
        && crypto.X509_set_pubkey(certificate, own) == 1
        && add_extension(certificate, NID_basic_constraints, "critical,CA:TRUE,pathlen:0")
        && add_extension(certificate, NID_key_usage, "critical,digitalSignature,keyCertSign")
        && add_extension(certificate, NID_ext_key_usage, "serverAuth")
        && add_extension(certificate, NID_subject_key_identifier, "hash")
        && add_extension(certificate, NID_authority_key_identifier, "keyid:always")
        && add_extension(certificate, NID_subject_alt_name, names)
        && crypto.X509_sign(certificate, own, crypto.EVP_sha256()) > 0
        && crypto.PEM_write_bio_X509(sink, certificate) == 1) {
        length = keyturn_copy_sink(sink, out, room);
    }
    crypto.BIO_free(sink);
    crypto.X509_free(certificate);
    crypto.ERR_clear_error();
    return length;
}
