#pragma once

#include <stdint.h>

/// Takes a write lock on one byte of an open file, which need not reach that far, and never waits: an open file
/// description lock (Linux, fcntl(2)), which goes with the description. The kernel ends it when the process dies, and it
/// keeps two descriptors of one process apart too. Returns 0, or the error; EAGAIN when it is taken.
int32_t keyturn_lock_byte(int32_t file, int64_t offset);
