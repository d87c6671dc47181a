import CCurl
import OAuthCore

/// Passes the bodies of one exchange from a source and to a sink, in the exchange's thread.
final class BodyStream {
    private let curl: OpaquePointer
    private let sink: CurlTransport.BodySink
    private let source: CurlTransport.BodySource?
    private var head: HTTPResponse?

    init(_ curl: OpaquePointer, _ sink: @escaping CurlTransport.BodySink, _ source: CurlTransport.BodySource?) {
        self.curl = curl
        self.sink = sink
        self.source = source
    }

    /// - Parameter announcesHead: whether the sink gets the header as soon as it has come.
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
