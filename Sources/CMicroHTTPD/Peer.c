#define _GNU_SOURCE
#include "Peer.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static enum peer peer_for(uid_t user) { return user == geteuid() || user == 0 ? PEER_OWN : PEER_OTHER; }

static void fill(__be32 place[4], __be16 *port, const struct sockaddr_storage *address) {
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *four = (const struct sockaddr_in *)address;
        place[0] = four->sin_addr.s_addr;
        *port = four->sin_port;
    } else {
        const struct sockaddr_in6 *six = (const struct sockaddr_in6 *)address;
        memcpy(place, &six->sin6_addr, sizeof six->sin6_addr);
        *port = six->sin6_port;
    }
}

// sock_diag(7), which finds one socket at once. /proc/net/tcp would list all, which takes long on a busy computer.
static enum peer tcp_peer(int kernel, const struct sockaddr_storage *peer, const struct sockaddr_storage *own) {
    struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 request;
    } message = {
        .header = {.nlmsg_len = sizeof message, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
        .request = {
            .sdiag_family = (__u8)peer->ss_family, .sdiag_protocol = IPPROTO_TCP, .idiag_states = ~0U,
            .id = {.idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}}};
    fill(message.request.id.idiag_src, &message.request.id.idiag_sport, peer);
    fill(message.request.id.idiag_dst, &message.request.id.idiag_dport, own);
    union {
        struct nlmsghdr header;
        char bytes[1024];
    } reply;
    if (send(kernel, &message, sizeof message, 0) != (ssize_t)sizeof message) return PEER_UNKNOWN;
    ssize_t count = recv(kernel, &reply, sizeof reply, 0);
    if (count < (ssize_t)sizeof reply.header) return PEER_UNKNOWN;
    if (reply.header.nlmsg_type == NLMSG_ERROR) return PEER_UNKNOWN;
    if (reply.header.nlmsg_type != SOCK_DIAG_BY_FAMILY
        || reply.header.nlmsg_len < NLMSG_LENGTH(sizeof(struct inet_diag_msg))) return PEER_UNKNOWN;
    const struct inet_diag_msg *found = NLMSG_DATA(&reply.header);
    // A closed connection has no process, and the kernel reports root; a listener at the port isn't its other end.
    enum { LISTENING = 10 };
    if (found->idiag_inode == 0 || found->idiag_state == LISTENING) return PEER_OTHER;
    return peer_for(found->idiag_uid);
}

enum peer peer_of(int socket_) {
    struct sockaddr_storage peer, own;
    socklen_t peer_length = sizeof peer, own_length = sizeof own;
    // The client has gone.
    if (getpeername(socket_, (struct sockaddr *)&peer, &peer_length) != 0
        || getsockname(socket_, (struct sockaddr *)&own, &own_length) != 0) return PEER_OTHER;
    if (own.ss_family == AF_UNIX) {
        struct ucred credentials;
        socklen_t length = sizeof credentials;
        return getsockopt(socket_, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0
            ? peer_for(credentials.uid) : PEER_OTHER;
    }
    int kernel = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (kernel < 0) return PEER_UNKNOWN;
    enum peer result = tcp_peer(kernel, &peer, &own);
    // Without this, a client that has just closed looks like a kernel without sock_diag, which knows at least this end.
    if (result == PEER_UNKNOWN && tcp_peer(kernel, &own, &peer) != PEER_UNKNOWN) result = PEER_OTHER;
    close(kernel);
    return result;
}
