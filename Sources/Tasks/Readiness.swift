import Glibc

/// Waits until one of several descriptors can be read, or so long; nil waits for ever. A signal of the system may end it
/// early.
/// - Returns: those that can be read, or have come to their end.
package func descriptorsReady(of descriptors: [Int32], atMost limit: Duration?) -> Set<Int32> {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&entries, nfds_t(entries.count), PollTimeout(limit).milliseconds) > 0 else { return [] }
    return Set(entries.filter { $0.revents != 0 }.map(\.fd))
}
