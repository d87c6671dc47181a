import Glibc
import KeyturnSystem

/// A file descriptor to read from, closed on deinitialisation.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// The available bytes; nil at the end of input, which means that the terminal is closed.
    func read() -> [UInt8]? {
        // Another process may have read the input, for example the shell while the program was stopped. The descriptor
        // can't be non-blocking, because other processes share its open file description.
        guard !descriptorsReady(of: [number], atMost: .zero).isEmpty else { return [] }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(number, &bytes, bytes.count)
        if count > 0 { return Array(bytes.prefix(count)) }
        return count < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil
    }
}
