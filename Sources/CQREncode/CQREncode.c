#include "CQREncode.h"

#include <qrencode.h>
#include <stddef.h>

#include "../CSystem/loading/loading.h"

#define FUNCTIONS(each)     \
    each(QRcode_encodeData) \
    each(QRcode_free)

static struct { FUNCTIONS(LOADED) } library;
static char problem[256];
static pthread_once_t loading = PTHREAD_ONCE_INIT;

static void load(void) { LOAD("libqrencode.so.4", NULL, "") }

int32_t keyturn_qr_encode(const uint8_t *bytes, int32_t length, uint8_t *modules) {
    pthread_once(&loading, load);
    if (problem[0] != 0 || length <= 0) return 0;
    QRcode *code = library.QRcode_encodeData(length, bytes, 0, QR_ECLEVEL_L);
    if (code == NULL) return 0;
    int32_t width = code->width;
    if (width > KEYTURN_QR_WIDEST) width = 0;
    // The lowest bit of a module is its colour.
    for (int32_t i = 0; i < width * width; i++) modules[i] = code->data[i] & 1;
    library.QRcode_free(code);
    return width;
}
