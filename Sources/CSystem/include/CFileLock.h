#pragma once

#include <stdint.h>

/// Locks one byte of an open file for writing, without waiting. The byte may be beyond the end of the file.
///
/// Uses an open file description lock (Linux, fcntl(2)), which also excludes other descriptors of the same process. The
/// kernel releases it when the process exits. Returns 0 or the error; EAGAIN when another holds the lock.
int32_t keyturn_lock_byte(int32_t file, int64_t offset);

/// Names this process as the holder of a byte that it has locked, with a lock of the other kind (F_SETLK) on the next byte.
/// The kernel knows the process of such a lock only. It ends with the process, and when the process closes any descriptor of
/// the file.
void keyturn_lock_name_holder(int32_t file, int64_t offset);

/// Returns the process that is named as the holder of a byte, or 0 if none is.
int32_t keyturn_lock_holder(int32_t file, int64_t offset);

/// Returns 0 if the file system of an open file has both kinds of locks and flock(2), else the error of the one that it lacks.
/// Leaves the file locked.
int32_t keyturn_try_locks(int32_t file);
