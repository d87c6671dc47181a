#pragma once

#include <stdint.h>

/// Locks one byte of an open file for writing, without waiting. The byte may be beyond the end of the file.
///
/// Uses an open file description lock (Linux, fcntl(2)), which also excludes other descriptors of the same process. The
/// kernel releases it when the process exits. Returns 0 or the error; EAGAIN when another holds the lock.
int32_t keyturn_lock_byte(int32_t file, int64_t offset);
