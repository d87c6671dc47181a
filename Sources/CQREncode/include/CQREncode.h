#pragma once

#include <stddef.h>
#include <stdint.h>

// QR codes by libqrencode, which is loaded when first used: only a sign-in with a device code draws one.

/// Widest symbol there is, in modules (version 40).
enum { KEYTURN_QR_WIDEST = 177 };

/// Encodes `bytes` at the lowest level of error correction, in the smallest symbol that holds them. Writes a byte for
/// each module, row by row, 1 where it is dark; `modules` has room for `KEYTURN_QR_WIDEST` squared.
///
/// Returns the width in modules; 0 when the bytes are too many or the library is not there.
int32_t keyturn_qr_encode(const uint8_t *bytes, int32_t length, uint8_t *modules);
