import CCurl
import Foundation
import KeyturnSystem
import OAuthCore

/// HTTP with libcurl: with the proxy of the environment (``ProxyChoice``) and its CA bundle, TLS 1.2 or later, and
/// https only, except for loopback. Each request has its own thread, because libcurl blocks. Safe requests reuse
/// connections. Requests that redeem a code or token use a new connection, because libcurl repeats a request when a
/// reused one is dead. Plain http goes to no other user's process (``CredentialGuard``).
package final class CurlTransport: HTTPTransport {
    package struct Limits: Sendable {
        /// `nil` for 5 seconds on this computer and 10 elsewhere.
        package var connectSeconds: Double?
        package var totalSeconds: Double
        /// Whether a request also ends after ``HTTPRequest/usualSeconds`` without a byte.
        package var isUsual: Bool
        /// Seconds without a byte after which a request ends; `nil` for no such limit.
        package var idleSeconds: UInt32?
        package var bodyBytes: Int

        /// Shorter than the patience of 'keyturn check', so that it can say why nothing responds.
        package func connectSeconds(isLoopback: Bool) -> Double { connectSeconds ?? (isLoopback ? 5 : 10) }

        /// Progress extends a wait: a slow line or a cold start still brings what it sends.
        package func idleSeconds(for request: HTTPRequest) -> UInt32? {
            isUsual ? UInt32(min(totalSeconds, request.usualSeconds)) : idleSeconds
        }

        package init(
            connectSeconds: Double? = nil, totalSeconds: Double = 30, isUsual: Bool = false, idleSeconds: UInt32? = nil,
            bodyBytes: Int = 1 << 20
        ) {
            (self.connectSeconds, self.totalSeconds, self.isUsual) = (connectSeconds, totalSeconds, isUsual)
            (self.idleSeconds, self.bodyBytes) = (idleSeconds, bodyBytes)
        }
    }

    package let certificateAuthorityFile: String?
    /// Folders of hashed certificates (openssl-rehash(1)) to trust instead of the system's, separated by colons.
    let certificateAuthorityFolders: String?
    let limits: Limits
    private let proxy: ProxyChoice?
    private let idle = CurlPool()

    package init(
        certificateAuthorityFile: String? = nil, certificateAuthorityFolders: String? = nil, limits: Limits = Limits(),
        proxy: ProxyChoice? = nil
    ) {
        (self.proxy, self.certificateAuthorityFolders) = (proxy, certificateAuthorityFolders)
        (self.certificateAuthorityFile, self.limits) = (certificateAuthorityFile, limits)
    }

    /// The transport of an application: trusts the named CA file, else those of the environment, else the system's.
    package convenience init(named file: String?, environment: [String: String], limits: Limits = Limits()) {
        // OpenSSL reads these variables; libcurl does not.
        func variable(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
        self.init(
            certificateAuthorityFile: file ?? variable("SSL_CERT_FILE"),
            certificateAuthorityFolders: file == nil ? variable("SSL_CERT_DIR") : nil, limits: limits,
            proxy: ProxyChoice(in: environment))
    }

    package func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        try await send(request, into: nil)
    }

    /// What to do with a piece of a response's body: keep it for the response, or the sink has taken it, or stop.
    package enum BodyPiece: Int32, Sendable {
        case collected = 0
        case taken = 1
        case stop = -1
    }

    package typealias BodySink = @Sendable (_ head: HTTPResponse, _ piece: [UInt8]) -> BodyPiece

    /// Sends a request, and passes the body to a sink while it arrives. The response contains the pieces that were kept.
    package func send(_ request: HTTPRequest, into sink: BodySink?) async throws(TransportFailure) -> HTTPResponse {
        let transfer = CurlTransfer()
        guard request.isSpending, let work = OneTimeWork.current else {
            return try await result(request, sink, transfer).get()
        }
        return try await work.send(withdraw: transfer.withdraw) { await result(request, sink, transfer) }.get()
    }

    /// The body of a request that is read once, while it is sent.
    package struct BodySource: Sendable {
        var length: Int64?
        /// Blocks. Returns the number of bytes, 0 at the end, or -1 to end the exchange.
        var read: @Sendable (UnsafeMutableRawBufferPointer) -> Int

        package init(length: Int64?, read: @escaping @Sendable (UnsafeMutableRawBufferPointer) -> Int) {
            self.length = length
            self.read = read
        }
    }

    /// Sends another program's request. The sink first gets the header alone, which may come long before a piece.
    package func relay(
        _ request: HTTPRequest, from source: BodySource?, into sink: @escaping BodySink
    ) async throws(TransportFailure) -> HTTPResponse {
        try await result(request, sink, CurlTransfer(), relaying: true, source).get()
    }

    private func result(
        _ request: HTTPRequest, _ sink: BodySink?, _ transfer: CurlTransfer, relaying: Bool = false,
        _ source: BodySource? = nil
    ) async -> Result<HTTPResponse, TransportFailure> {
        let notice = slowNotice(for: request)
        defer { notice?.cancel() }
        // A stream that has begun isn't slow.
        func hearing(_ sink: @escaping BodySink) -> BodySink {
            return { head, piece in
                notice?.cancel()
                return sink(head, piece)
            }
        }
        let sink = sink.map(hearing)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                do throws(SystemLimit) {
                    try SystemThread.start { [self] in
                        perform(request, sink, source, relaying, transfer, continuation)
                    }
                } catch {
                    continuation.resume(
                        returning: .failure(
                            TransportFailure(.systemLimit, reason: "No request can be sent: \(error.reason).")))
                }
            }
        } onCancel: {
            transfer.cancel()
        }
    }

    private func slowNotice(for request: HTTPRequest) -> Task<Void, Never>? {
        guard let listener = MSALHTTPConfig.slowRequests else { return nil }
        let text = request.wait(isUsual: limits.isUsual)
        return Task(executorPreference: ThreadPool.current) {
            guard (try? await sleep(for: MSALHTTPConfig.slowRequest)) != nil else { return }
            listener.tell(text)
        }
    }

    private func perform(
        _ request: HTTPRequest, _ sink: BodySink?, _ source: BodySource?, _ relays: Bool, _ transfer: CurlTransfer,
        _ continuation: CheckedContinuation<Result<HTTPResponse, TransportFailure>, Never>
    ) {
        do throws(TransportFailure) {
            let isLoopback = try Self.checkAddress(request.url)
            let proxy = proxy.flatMap { $0.serves(request.url) ? $0 : nil }
            let curl = try idle.takeHandle()
            guard transfer.begin(curl) else {
                idle.give(curl)
                throw Self.cancelled
            }
            let result = Result { () throws(TransportFailure) in
                try prepare(request, on: curl, proxy, isLoopback: isLoopback, source)
                let stream = sink.map { BodyStream(curl, $0, source) }
                guard stream?.begin(request.method, announcesHead: relays) != false else {
                    throw TransportFailure(.other, reason: "libcurl rejected the request.")
                }
                defer { withExtendedLifetime(stream) {} }
                return try response(of: curl, code: keyturn_curl_perform(curl), to: request, proxy)
            }
            let isReusable = transfer.finish()
            if isReusable { idle.give(curl) }
            continuation.resume(returning: result)
            // After resuming, because freeing a cancelled transfer may wait for the resolver.
            if !isReusable { keyturn_curl_free(curl) }
        } catch { continuation.resume(returning: .failure(error)) }
    }

    private func prepare(
        _ request: HTTPRequest, on curl: OpaquePointer, _ proxy: ProxyChoice?, isLoopback: Bool, _ source: BodySource?
    ) throws(TransportFailure) {
        var isPrepared =
            keyturn_curl_begin(
                curl, request.method.rawValue, request.url.absoluteString, Self.agent, proxy?.address ?? "",
                isLoopback ? 1 : 0) == 1
            && keyturn_curl_set_limits(
                curl, Self.milliseconds(limits.connectSeconds(isLoopback: isLoopback)),
                Self.milliseconds(limits.totalSeconds), limits.bodyBytes) == 1
        if source == nil, ![.get, .head].contains(request.method) {
            isPrepared = isPrepared && keyturn_curl_set_body(curl, request.body, request.body.count) == 1
        }
        if let seconds = limits.idleSeconds(for: request) {
            isPrepared = isPrepared && keyturn_curl_set_idle_limit(curl, seconds) == 1
        }
        if request.needsOnlyHeaders { keyturn_curl_end_at_headers(curl) }
        // libcurl repeats no request whose body it has begun to read from a source.
        if request.isSpending, source.map({ $0.length == 0 }) ?? true {
            isPrepared = isPrepared && keyturn_curl_use_new_connection(curl) == 1
        }
        if request.url.lowercasedScheme == "http" { keyturn_curl_set_guard(curl, CredentialGuard.mayReceive) }
        if let certificateAuthorityFile {
            try Self.checkAuthorities(certificateAuthorityFile)
            isPrepared = isPrepared && keyturn_curl_set_authorities(curl, certificateAuthorityFile) == 1
        }
        if let folders = certificateAuthorityFolders {
            for folder in folders.split(separator: ":") { try Self.checkAuthorities(inFolder: String(folder)) }
            let isAlone: Int32 = certificateAuthorityFile == nil ? 1 : 0
            isPrepared = isPrepared && keyturn_curl_set_authority_folders(curl, folders, isAlone) == 1
        }
        for field in request.headers.fields {
            // A line break would inject header fields. libcurl sends a field without a value only with a semicolon.
            let value = field.wireValue
            let line = Array("\(field.name)\(value.isEmpty ? ";" : ": ")".utf8) + value
            guard !line.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                throw TransportFailure(.other, reason: "A header field of the request contains a control character.")
            }
            let isAdded = (line + [0]).withUnsafeBufferPointer { line in
                line.withMemoryRebound(to: CChar.self) { keyturn_curl_add_header(curl, $0.baseAddress) }
            }
            isPrepared = isPrepared && isAdded == 1
        }
        guard isPrepared else { throw TransportFailure(.other, reason: "libcurl rejected the request.") }
    }

    /// Milliseconds for libcurl, which treats 0 as no limit.
    private static func milliseconds(_ seconds: Double) -> UInt32 {
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return seconds > 0.001 ? UInt32(seconds * 1000) : 1
    }

    /// Throws for an insecure URL. Returns whether it is loopback, where plain http is allowed (RFC 8252 §8.3).
    private static func checkAddress(_ url: URL) throws(TransportFailure) -> Bool {
        let (scheme, host) = (url.lowercasedScheme, url.lowercasedHost)
        guard !host.isEmpty, scheme == "https" || (scheme == "http" && url.isLoopback) else {
            throw TransportFailure(.other, reason: "\(host.isEmpty ? "The URL" : host) doesn't use https.")
        }
        return url.isLoopback
    }

    /// Before each request, because other users may change the file. Rejects a FIFO, at which libcurl would wait.
    private static func checkAuthorities(_ path: String) throws(TransportFailure) {
        try checkTrust(path)
        do throws(PlainFile.Failure) { _ = try PlainFile.read(path, atMost: 0) } catch {
            throw unreadable("file", path, error)
        }
    }

    private static func checkAuthorities(inFolder path: String) throws(TransportFailure) {
        let entries: [PlainFile.Entry]
        do throws(PlainFile.Failure) { entries = try PlainFile.names(in: path) } catch {
            throw unreadable("folder", path, error)
        }
        for entry in entries { try checkTrust("\(path)/\(entry.name)") }
    }

    private static func checkTrust(_ path: String) throws(TransportFailure) {
        guard let distrust = FileTrust.distrust(of: path) else { return }
        throw TransportFailure(
            .unsafeAuthorities, reason: "The CA file \(path) is not used: \(distrust.problem). \(distrust.remedy).")
    }

    private static func unreadable(_ kind: String, _ path: String, _ error: PlainFile.Failure) -> TransportFailure {
        let isLimit = if case .system(let code) = error { SystemLimit(code: code) != nil } else { false }
        return TransportFailure(
            isLimit ? .systemLimit : .unsafeAuthorities, reason: "Can't read the CA \(kind) \(path): \(error.reason).")
    }

    /// Some servers and firewalls reject requests without one. A field of the request replaces it.
    private static let agent = "keyturn/\(Release.version)"

    static let cancelled = TransportFailure(.cancelled, reason: "The request was cancelled.")
}
