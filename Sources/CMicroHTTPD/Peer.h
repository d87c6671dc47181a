#pragma once

#include <netinet/in.h>
#include <sys/types.h>

// The user at the other end of a connection within this computer.

enum peer { PEER_UNKNOWN, PEER_OWN, PEER_OTHER };

/// Whether the process at the other end of a Unix or TCP socket belongs to this user or root. `PEER_UNKNOWN` only if the kernel
/// can't be asked.
enum peer peer_of(int socket);
