#pragma once

#include <stddef.h>
#include <stdint.h>

// QR codes with libqrencode, which is loaded at its first use, because only a sign-in with a device code needs it.

/// The width of the largest symbol in modules (version 40).
enum { KEYTURN_QR_WIDEST = 177 };

/// Encodes `bytes` with the lowest error correction in the smallest possible symbol. Writes a byte per module, row by
/// row, 1 for dark; `modules` needs `KEYTURN_QR_WIDEST` squared bytes.
///
/// Returns the width in modules, or 0 when there are too many bytes or the library is missing.
int32_t keyturn_qr_encode(const uint8_t *bytes, int32_t length, uint8_t *modules);
