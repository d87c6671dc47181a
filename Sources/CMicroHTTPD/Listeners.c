#define _GNU_SOURCE
#include "CMicroHTTPD.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int32_t keyturn_loopback_listen(int32_t ipv6, uint16_t port) {
    return keyturn_listen_at(ipv6 ? "::1" : "127.0.0.1", port);
}

int32_t keyturn_listen_at(const char *text, uint16_t port) {
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons(port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons(port)};
    const int ipv6 = inet_pton(AF_INET6, text, &v6.sin6_addr) == 1;
    if (!ipv6 && inet_pton(AF_INET, text, &v4.sin_addr) != 1) return -EINVAL;
    const struct sockaddr *address = ipv6 ? (const struct sockaddr *)&v6 : (const struct sockaddr *)&v4;
    socklen_t length = ipv6 ? sizeof v6 : sizeof v4;

    int listener = socket(ipv6 ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (listener < 0) return -errno;
    const int yes = 1;
    if (setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) == 0
        && (!ipv6 || setsockopt(listener, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes) == 0)
        && bind(listener, address, length) == 0 && listen(listener, SOMAXCONN) == 0) {
        return listener;
    }
    int error = errno;
    close(listener);
    return -error;
}

uint16_t keyturn_loopback_port(int32_t listener) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(listener, (struct sockaddr *)&address, &length) != 0) return 0;
    return ntohs(
        address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                      : ((struct sockaddr_in *)&address)->sin_port);
}

void keyturn_loopback_close(int32_t listener) { close(listener); }
