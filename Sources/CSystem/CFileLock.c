#define _GNU_SOURCE
#include "CFileLock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>

// In C, because Swift's Glibc module lacks F_OFD_SETLK and can't call the variadic fcntl.
int32_t keyturn_lock_byte(int32_t file, int64_t offset) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset, .l_len = 1};
    if (fcntl(file, F_OFD_SETLK, &lock) == 0) return 0;
    // POSIX allows either error.
    return errno == EACCES ? EAGAIN : errno;
}

void keyturn_lock_name_holder(int32_t file, int64_t offset) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset + 1, .l_len = 1};
    fcntl(file, F_SETLK, &lock);
}

int32_t keyturn_lock_holder(int32_t file, int64_t offset) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = offset + 1, .l_len = 1};
    if (fcntl(file, F_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return 0;
    // Negative for a lock without a process, and 0 for a process of another PID namespace.
    return lock.l_pid > 0 ? lock.l_pid : 0;
}

int32_t keyturn_try_locks(int32_t file) {
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    if (fcntl(file, F_SETLK, &lock) != 0) return errno;
    return flock(file, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
}
