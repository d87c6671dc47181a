import Glibc
import Tasks

/// A descriptor to read from, closed with its last user.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }

    deinit { close(number) }

    /// What is there now; nil at the end, which for a terminal means that it is gone.
    func read() -> [UInt8]? {
        // Another process may have taken the input meanwhile, as a shell does while the program is stopped, and a
        // terminal's descriptor cannot be made non-blocking without doing that to everyone who shares it.
        guard !descriptorsReady(of: [number], atMost: .zero).isEmpty else { return [] }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(number, &bytes, bytes.count)
        if count > 0 { return Array(bytes.prefix(count)) }
        return count < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil
    }
}
