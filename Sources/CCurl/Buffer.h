// Bytes that grow, and are erased before their memory is freed.
#pragma once

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint8_t *bytes;
    size_t length;
    size_t room;
} buffer;

/// Erases the buffer before freeing it, because it contains tokens and codes.
static void empty(buffer *buffer) {
    if (buffer->bytes != NULL) explicit_bzero(buffer->bytes, buffer->length);
    buffer->length = 0;
}

static int append(buffer *to, const char *bytes, size_t length) {
    if (to->length + length > to->room) {
        buffer longer = {.length = to->length, .room = (to->length + length) * 2};
        longer.bytes = malloc(longer.room);
        if (longer.bytes == NULL) return 0;
        if (to->bytes != NULL) memcpy(longer.bytes, to->bytes, to->length);
        empty(to);
        free(to->bytes);
        *to = longer;
    }
    memcpy(to->bytes + to->length, bytes, length);
    to->length += length;
    return 1;
}
