import Dispatch
import Glibc

/// A descriptor that wakes a handler when there is something to read, and is closed when nobody needs it any more.
final class DescriptorSource {
    private let descriptor: Int32
    private let source: any DispatchSourceRead

    init(_ descriptor: Int32, queue: DispatchQueue) {
        self.descriptor = descriptor
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        source.setCancelHandler { Glibc.close(descriptor) }
    }

    func start(_ handler: @escaping @Sendable () -> Void) {
        source.setEventHandler(handler: handler)
        source.activate()
    }

    func suspend() { source.suspend() }
    func resume() { source.resume() }
    func cancel() { source.cancel() }

    /// What is there now; nil at the end, which for a terminal means that it is gone.
    func read() -> [UInt8]? {
        // Another process may have taken the input meanwhile, as a shell does while the program is stopped, and a
        // terminal's descriptor cannot be made non-blocking without doing that to everyone who shares it.
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&state, 1, 0) > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count > 0 { return Array(bytes.prefix(count)) }
        return count < 0 && (errno == EINTR || errno == EAGAIN) ? [] : nil
    }
}
