#include "library.h"

#include <dlfcn.h>
#include <pthread.h>

#include "COpenSSL.h"

struct keyturn_libcrypto keyturn_libcrypto;

static pthread_once_t loading = PTHREAD_ONCE_INIT;
static int is_there = 0;

static void load(void) {
    void *handle = dlopen("libcrypto.so.3", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return;
#define FIND(name)                                                \
    crypto.name = (__typeof__(name) *)dlsym(handle, #name);       \
    if (crypto.name == NULL) return;
    FUNCTIONS(FIND)
    // It would free its state when the process exits, while another thread may still be making a key or verifying a
    // signature. It has to be told before its first use; the kernel frees everything anyway.
    crypto.OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
    is_there = 1;
}

int keyturn_libcrypto_is_there(void) {
    pthread_once(&loading, load);
    return is_there;
}

void keyturn_crypto_load(void) { keyturn_libcrypto_is_there(); }
