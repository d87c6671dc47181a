import Glibc

/// Waits until a descriptor is readable or the time limit is over; nil waits without limit. A signal may end the wait
/// early.
///
/// - Returns: the readable descriptors, including those at their end.
package func descriptorsReady(of descriptors: [Int32], atMost limit: Duration?) -> Set<Int32> {
    var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&entries, nfds_t(entries.count), PollTimeout(limit).milliseconds) > 0 else { return [] }
    return Set(entries.filter { $0.revents != 0 }.map(\.fd))
}
