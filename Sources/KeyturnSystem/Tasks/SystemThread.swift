import Glibc

/// Starts threads. Unlike Foundation's, it reports that the system starts none: what waits for the thread would wait for ever.
package enum SystemThread {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    package static func start(_ body: @escaping @Sendable () -> Void) throws(SystemLimit) {
        try start(body, creating: create)
    }

    /// Starts a thread for work that ends by itself, or else does the work on this thread.
    package static func startOrRun(_ body: @escaping @Sendable () -> Void) {
        if (try? start(body)) == nil { body() }
    }

    /// - Parameter create: starts a thread. Returns an `errno`.
    static func start(
        _ body: @escaping @Sendable () -> Void, creating create: (UnsafeMutableRawPointer) -> Int32
    ) throws(SystemLimit) {
        let context = Unmanaged.passRetained(Body(body))
        let code = create(context.toOpaque())
        guard code != 0 else { return }
        context.release()
        // EAGAIN stands for several limits.
        throw SystemLimit(creating: code, otherwise: .threads)
    }

    /// Why no thread can be started now; `nil` if one can. For a library that doesn't tell.
    package static var obstacle: SystemLimit? {
        do throws(SystemLimit) { try start {} } catch { return error }
        return nil
    }

    private static func create(_ context: UnsafeMutableRawPointer) -> Int32 {
        var thread = pthread_t()
        let code = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context)
        if code == 0 { pthread_detach(thread) }
        return code
    }
}
