#pragma once

#include <stdint.h>

/// Creates a descriptor that becomes readable at a time of the wall clock, in seconds since 1970, and when the clock is set or
/// the computer resumes from suspension. Returns -1 with errno on failure.
int32_t keyturn_wall_timer(int64_t seconds);

/// Listens on a new Unix socket with mode 0600. Returns the socket or a negative errno. Fails if the file exists.
/// keeps_messages: each message arrives whole, and accepting waits (SOCK_SEQPACKET). Else a stream, which doesn't wait.
int32_t keyturn_unix_listen(const char *path, int32_t keeps_messages);

/// Connects to the program that listens on a Unix socket, and limits each wait for it. Returns the connection or a negative
/// errno.
int32_t keyturn_unix_connect(const char *path, int32_t seconds, int32_t keeps_messages);
