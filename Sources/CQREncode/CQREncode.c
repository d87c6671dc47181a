#include "CQREncode.h"

#include <dlfcn.h>
#include <pthread.h>
#include <qrencode.h>
#include <stddef.h>

static struct {
    __typeof__(QRcode_encodeData) *encode;
    __typeof__(QRcode_free) *free;
} library;

static pthread_once_t loading = PTHREAD_ONCE_INIT;

static void load(void) {
    void *handle = dlopen("libqrencode.so.4", RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL) return;
    library.free = (__typeof__(QRcode_free) *)dlsym(handle, "QRcode_free");
    // Found last: it says that everything was.
    if (library.free != NULL) library.encode = (__typeof__(QRcode_encodeData) *)dlsym(handle, "QRcode_encodeData");
}

int32_t keyturn_qr_encode(const uint8_t *bytes, int32_t length, uint8_t *modules) {
    pthread_once(&loading, load);
    if (library.encode == NULL || length <= 0) return 0;
    QRcode *code = library.encode(length, bytes, 0, QR_ECLEVEL_L);
    if (code == NULL) return 0;
    int32_t width = code->width;
    if (width > KEYTURN_QR_WIDEST) width = 0;
    // The lowest bit of a module is its colour, the others say how it came to be.
    for (int32_t i = 0; i < width * width; i++) modules[i] = code->data[i] & 1;
    library.free(code);
    return width;
}
