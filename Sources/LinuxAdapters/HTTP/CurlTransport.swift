import AuthEngine
import CCurl
import Foundation
import OAuthCore
import POSIX

/// HTTP by libcurl: its proxies (`https_proxy`, `no_proxy`), its CA bundle, TLS 1.2 or later, https only but for loopback.
///
/// Each request has a thread of its own, because libcurl blocks; connections are kept for the next request that only
/// reads. One that spends something has a new connection, because libcurl sends it again when a kept one is dead. One
/// that carries a credential goes to no other user's process (``CredentialGuard``).
package final class CurlTransport: HTTPTransport {
    package struct Limits: Sendable {
        package var connectSeconds: Double
        package var totalSeconds: Double
        package var bodyBytes: Int

        package init(connectSeconds: Double = 15, totalSeconds: Double = 30, bodyBytes: Int = 1 << 20) {
            self.connectSeconds = connectSeconds
            self.totalSeconds = totalSeconds
            self.bodyBytes = bodyBytes
        }
    }

    package let certificateAuthorityFile: String?
    private let limits: Limits
    private let idle = CurlPool()

    /// - Parameter certificateAuthorityFile: PEM certificates to trust instead of the system's.
    package init(certificateAuthorityFile: String? = nil, limits: Limits = Limits()) {
        self.certificateAuthorityFile = certificateAuthorityFile
        self.limits = limits
    }

    package func send(_ request: HTTPRequest) async throws(TransportFailure) -> HTTPResponse {
        let transfer = CurlTransfer()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { [self] in perform(request, transfer, continuation) }
            }
        } onCancel: {
            transfer.cancel()
        }
        return try result.get()
    }

    private func perform(
        _ request: HTTPRequest, _ transfer: CurlTransfer,
        _ continuation: CheckedContinuation<Result<HTTPResponse, TransportFailure>, Never>
    ) {
        do throws(TransportFailure) {
            let isLoopback = try Self.checkAddress(request.url)
            let curl = try idle.take()
            guard transfer.begin(curl) else {
                idle.give(curl)
                throw Self.cancelled
            }
            let result = Result { () throws(TransportFailure) in
                try prepare(request, on: curl, isLoopback: isLoopback)
                return try Self.response(
                    of: curl, code: keyturn_curl_perform(curl), url: request.url, bodyLimit: limits.bodyBytes)
            }
            let isReusable = transfer.end()
            continuation.resume(returning: result)
            // Only now: freeing a cancelled transfer may have to wait for the resolver.
            if isReusable { idle.give(curl) } else { keyturn_curl_free(curl) }
        } catch {
            continuation.resume(returning: .failure(error))
        }
    }

    private func prepare(
        _ request: HTTPRequest, on curl: OpaquePointer, isLoopback: Bool
    ) throws(TransportFailure) {
        var isPrepared =
            keyturn_curl_begin(curl, request.method.rawValue, request.url.absoluteString, isLoopback ? 1 : 0) == 1
            && keyturn_curl_set_limits(
                curl, Self.milliseconds(limits.connectSeconds), Self.milliseconds(limits.totalSeconds),
                limits.bodyBytes) == 1
        if ![.get, .head].contains(request.method) {
            isPrepared = isPrepared && keyturn_curl_set_body(curl, request.body, request.body.count) == 1
        }
        if request.isSpending { isPrepared = isPrepared && keyturn_curl_use_new_connection(curl) == 1 }
        if request.carriesCredential, request.url.lowercasedScheme == "http" {
            isPrepared = isPrepared && keyturn_curl_set_guard(curl, CredentialGuard.mayAnswer) == 1
        }
        if let certificateAuthorityFile {
            try Self.checkAuthorities(certificateAuthorityFile)
            isPrepared = isPrepared && keyturn_curl_set_authorities(curl, certificateAuthorityFile) == 1
        }
        for field in request.headers.fields {
            // A line end in a field would let its value add fields of its own.
            let line = "\(field.name): \(field.value)"
            guard !line.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
                throw TransportFailure(.other, detail: "A header field of the request holds a control character.")
            }
            // libcurl leaves out a field without a value unless it is written so.
            isPrepared = isPrepared && keyturn_curl_add_header(curl, field.value.isEmpty ? "\(field.name);" : line) == 1
        }
        guard isPrepared else { throw TransportFailure(.other, detail: "libcurl does not take this request.") }
    }

    /// libcurl's 0 means no limit or its own; a limit that was asked for is never that, whatever the number.
    private static func milliseconds(_ seconds: Double) -> UInt32 {
        guard seconds < 1_000_000 else { return 1_000_000_000 }
        return seconds > 0.001 ? UInt32(seconds * 1000) : 1
    }

    /// Whether the address is loopback, where plain http is allowed (RFC 8252 §8.3).
    private static func checkAddress(_ url: URL) throws(TransportFailure) -> Bool {
        let (scheme, host) = (url.lowercasedScheme, url.lowercasedHost)
        guard !host.isEmpty, scheme == "https" || (scheme == "http" && url.isLoopback) else {
            throw TransportFailure(.other, detail: "\(host.isEmpty ? "The address" : host) is not reached by https.")
        }
        return url.isLoopback
    }

    /// Each time, because other users may change it meanwhile. libcurl would wait at a FIFO.
    private static func checkAuthorities(_ path: String) throws(TransportFailure) {
        if let distrust = FileTrust.distrust(of: path) {
            throw TransportFailure(
                .unsafeAuthorities,
                detail: "the CA file \(path) is not used: \(distrust.problem). \(distrust.remedy).")
        }
        do throws(PlainFile.Failure) {
            _ = try PlainFile.read(path, atMost: 0)
        } catch {
            throw TransportFailure(.unsafeAuthorities, detail: "the CA file \(path) cannot be read: \(error.reason).")
        }
    }

    static let cancelled = TransportFailure(.cancelled, detail: "The request was cancelled.")
}
