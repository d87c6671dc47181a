import Glibc

/// Bytes from one thread to another through a pair of sockets, whose buffer bounds what waits between them. Each end is used
/// and closed by one thread; both block.
package final class BytePipe: Sendable {
    package let readingDescriptor: Int32
    private let writingDescriptor: Int32
    private let state = Locked(State())

    private struct State {
        var isWhole = false
        var isReading = true
        var isWriting = true
    }

    package init() throws(SystemLimit) {
        var descriptors: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &descriptors) == 0 else {
            throw SystemLimit(creating: errno, otherwise: .memory)
        }
        (readingDescriptor, writingDescriptor) = (descriptors[0], descriptors[1])
    }

    deinit {
        stopReading()
        stopWriting(isWhole: false)
    }

    /// Whether the writer wrote all that it wanted to, so that the end is no break.
    package var isWhole: Bool { state.withLock { $0.isWhole } }

    /// Returns `false` if the reader has gone.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Bool { writeAll(bytes, to: writingDescriptor) == 0 }

    /// Reads what is there, or waits for the next bytes. Returns 0 at the end, and -1 at a break.
    package func read(into room: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = Glibc.read(readingDescriptor, room.baseAddress, room.count)
            if count < 0, errno == EINTR { continue }
            return count > 0 ? count : count == 0 && isWhole ? 0 : -1
        }
    }

    package func stopReading() {
        if state.withLock({ replace(&$0.isReading, with: false) }) { close(readingDescriptor) }
    }

    package func stopWriting(isWhole: Bool) {
        let isFirst = state.withLock { state in
            if state.isWriting { state.isWhole = isWhole }
            return replace(&state.isWriting, with: false)
        }
        if isFirst { close(writingDescriptor) }
    }
}
