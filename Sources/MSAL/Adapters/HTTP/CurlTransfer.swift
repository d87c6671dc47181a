import CCurl
import KeyturnSystem
import OAuthCore

/// Lets another thread cancel an exchange while it is running.
final class CurlTransfer: Sendable {
    private struct State {
        var isStopped = false
        var curl: UInt?
    }

    private let state = Locked(State())

    func begin(_ curl: OpaquePointer) -> Bool {
        let address = UInt(bitPattern: curl)
        return state.withLock { state in
            guard !state.isStopped else { return false }
            state.curl = address
            return true
        }
    }

    /// Returns `false` when the exchange was cancelled or withdrawn; the handle can't be reused then.
    func finish() -> Bool {
        state.withLock { state in
            state.curl = nil
            return !state.isStopped
        }
    }

    func cancel() { stop(with: keyturn_curl_cancel) }

    /// Cancels the exchange unless its request has been sent.
    func withdraw() { stop(with: keyturn_curl_withdraw) }

    private func stop(with stop: (OpaquePointer) -> Void) {
        state.withLock { state in
            state.isStopped = true
            if let curl = state.curl.flatMap(OpaquePointer.init(bitPattern:)) { stop(curl) }
        }
    }
}

/// Passes the bodies of one exchange from a source and to a sink, in the exchange's thread.
final class BodyStream {
    private let curl: OpaquePointer
    private let sink: CurlTransport.BodySink
    private let source: CurlTransport.BodySource?
    private var head: HTTPResponse?

    init(_ curl: OpaquePointer, _ sink: @escaping CurlTransport.BodySink, _ source: CurlTransport.BodySource?) {
        (self.curl, self.sink, self.source) = (curl, sink, source)
    }

    func begin(_ method: HTTPRequest.Method, announcesHead: Bool) -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        keyturn_curl_set_sink(
            curl,
            { context, bytes, length in
                guard let context else { return 0 }
                let stream = Unmanaged<BodyStream>.fromOpaque(context).takeUnretainedValue()
                return stream.pass(Array(UnsafeBufferPointer(start: bytes, count: length)))
            }, context)
        if announcesHead { keyturn_curl_announce_head(curl) }
        guard let source else { return true }
        let result = keyturn_curl_set_source(
            curl, method.rawValue, source.length ?? -1,
            { context, bytes, room in
                guard let context, let bytes else { return -1 }
                let stream = Unmanaged<BodyStream>.fromOpaque(context).takeUnretainedValue()
                return stream.give(UnsafeMutableRawBufferPointer(start: bytes, count: room))
            }, context)
        return result == 1
    }

    private func pass(_ piece: [UInt8]) -> Int32 {
        let head = head ?? CurlTransport.head(of: curl)
        self.head = head
        return sink(head, piece).rawValue
    }

    private func give(_ room: UnsafeMutableRawBufferPointer) -> Int64 { Int64(source?.read(room) ?? 0) }
}
