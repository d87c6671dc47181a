#include "library.h"

#include "COpenSSL.h"

struct keyturn_libcrypto keyturn_libcrypto;

#define library keyturn_libcrypto

static char problem[256];
static pthread_once_t loading = PTHREAD_ONCE_INIT;

static void load(void) {
    LOAD("libcrypto.so.3", NULL, "")
    if (problem[0] != 0) return;
    // Before the first use: prevents OpenSSL from freeing its state at exit, while another thread may still use it.
    crypto.OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
}

int keyturn_libcrypto_is_there(void) {
    pthread_once(&loading, load);
    return problem[0] == 0;
}

void keyturn_crypto_load(void) { keyturn_libcrypto_is_there(); }
