#define _GNU_SOURCE
#include "CDescriptor.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

// In C, because Swift's Glibc module lacks timerfd_create(2).
int32_t keyturn_wall_timer(int64_t seconds) {
    int timer = timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
    // A time of 0 would never come.
    struct itimerspec time = {.it_value.tv_sec = seconds > 0 ? seconds : 1};
    if (timer < 0 || timerfd_settime(timer, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &time, NULL) == 0) return timer;
    int error = errno;
    close(timer);
    errno = error;
    return -1;
}

static int open_socket(const char *path, int type, struct sockaddr_un *address) {
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address->sun_path) return -ENAMETOOLONG;
    strcpy(address->sun_path, path);
    int file = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);
    return file < 0 ? -errno : file;
}

static int32_t closed(int file) {
    int error = errno;
    close(file);
    return -error;
}

int32_t keyturn_unix_listen(const char *path, int32_t keeps_messages) {
    struct sockaddr_un address;
    int listener = open_socket(path, keeps_messages ? SOCK_SEQPACKET : SOCK_STREAM | SOCK_NONBLOCK, &address);
    if (listener < 0) return listener;
    // Linux creates the file with the mode of the socket.
    if (fchmod(listener, 0600) == 0 && bind(listener, (const struct sockaddr *)&address, sizeof address) == 0
        && listen(listener, SOMAXCONN) == 0) {
        return listener;
    }
    return closed(listener);
}

int32_t keyturn_unix_connect(const char *path, int32_t seconds, int32_t keeps_messages) {
    struct sockaddr_un address;
    int client = open_socket(path, keeps_messages ? SOCK_SEQPACKET : SOCK_STREAM, &address);
    if (client < 0) return client;
    const struct timeval limit = {.tv_sec = seconds};
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    return connect(client, (const struct sockaddr *)&address, sizeof address) == 0 ? client : closed(client);
}
