import CCurl
import Foundation
import KeyturnSystem
import OAuthCore

extension CurlTransport {
    func response(
        of curl: OpaquePointer, code: Int32, to request: HTTPRequest, _ proxy: ProxyChoice?
    ) throws(TransportFailure) -> HTTPResponse {
        var response = Self.head(of: curl)
        // The status of an error counts more than the rest of its text.
        response.isCut = Int(code) == KEYTURN_CURL_BODY_TOO_LARGE && !(200..<300).contains(response.status)
        guard code == 0 || response.isCut else { throw failure(of: curl, code: code, to: request, proxy) }
        var length = 0
        let body = keyturn_curl_body(curl, &length)
        response.body = Array(UnsafeBufferPointer(start: body, count: length))
        return response
    }

    static func head(of curl: OpaquePointer) -> HTTPResponse {
        var response = HTTPResponse(status: Int(keyturn_curl_status(curl)), headers: headers(of: curl))
        response.version = String(cString: keyturn_curl_http_version(curl))
        return response
    }

    private static func headers(of curl: OpaquePointer) -> HTTPHeaders {
        var headers = HTTPHeaders()
        for index in 0..<keyturn_curl_header_count(curl) {
            var length = 0
            let bytes = keyturn_curl_header(curl, index, &length)
            let line = UnsafeBufferPointer(start: bytes, count: length)
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let blanks: [UInt8] = [0x20, 0x09]
            let value = line[(colon + 1)...].drop(while: blanks.contains)
            let end = value.lastIndex { !blanks.contains($0) }.map { $0 + 1 } ?? value.startIndex
            headers.append(
                HTTPHeaders.Field(name: String(decoding: line[..<colon], as: UTF8.self), bytes: value[..<end]))
        }
        return headers
    }

    private func failure(
        of curl: OpaquePointer, code: Int32, to request: HTTPRequest, _ proxy: ProxyChoice?
    ) -> TransportFailure {
        let url = request.url
        // Only the host, because the query may contain a secret.
        let host = url.host() ?? "the server"
        let said = keyturn_curl_error(curl, code).map { String(cString: $0) } ?? "error \(code)"
        if let limit = Self.limit(code, said, keyturn_curl_os_error(curl)) {
            return TransportFailure(.systemLimit, reason: "Can't connect to \(host): \(limit.reason).")
        }
        if code > 0, let proxy {
            let report = Report(
                code: code, message: said, connectStatus: Int(keyturn_curl_connect_status(curl)),
                needsTicket: keyturn_curl_proxy_needs_ticket(curl) != 0)
            if let failure = Self.failure(of: proxy, report, server: url.hostAndPort) { return failure }
        }
        switch Int(code) {
        case KEYTURN_CURL_CANCELLED: return Self.cancelled
        case KEYTURN_CURL_BODY_TOO_LARGE:
            let size = Self.headers(of: curl)["Content-Length"].flatMap { Int($0) }.map { "\($0) bytes" } ?? "too much"
            return TransportFailure(
                .bodyTooLarge,
                reason: "\(host) sent \(size), but the limit for a response is \(limits.bodyBytes) bytes.")
        // libcurl has limits of its own, and reports a line that exceeds them as missing memory.
        case KEYTURN_CURL_HEADERS_TOO_LARGE, 27, 100:
            return TransportFailure(
                .bodyTooLarge,
                reason: "\(host) sent too large a header: the limit is \(KEYTURN_CURL_HEADER_BYTES) bytes in "
                    + "\(KEYTURN_CURL_HEADER_LINES) fields.")
        case KEYTURN_CURL_SWITCHED:
            return TransportFailure(
                .other, reason: "\(host) switched to another protocol, which nobody asked for (HTTP 101).")
        case KEYTURN_CURL_SINK_FAILED: return TransportFailure(.other, reason: "The body could not be written.")
        case KEYTURN_CURL_REJECTED_SERVER: return CredentialGuard.failure(url, "Nothing was sent.")
        case 6:
            return TransportFailure(
                NetworkInterfaces.reachOthers ? Self.kind(of: code) : .offline, reason: "Can't resolve \(host) (DNS).")
        case 77:
            return Self.unusable(certificateAuthorityFile ?? keyturn_curl_authorities(curl).map { String(cString: $0) })
        default: return failure(of: curl, code: code, said, to: request, proxy)
        }
    }

    private func failure(
        of curl: OpaquePointer, code: Int32, _ said: String, to request: HTTPRequest, _ proxy: ProxyChoice?
    ) -> TransportFailure {
        let url = request.url
        let host = url.host() ?? "the server"
        let route = proxy.map { " (through the proxy \($0.shown), $\($0.variable))" } ?? ""
        guard code != 35 || !Self.saysPlainHTTP(said) else {
            return TransportFailure(.plainHTTP, reason: "\(url.hostAndPort) speaks http, not https.")
        }
        guard code != 28 || said.range(of: "SSL connection timeout", options: .caseInsensitive) == nil else {
            // The server accepted the connection but never answered the TLS handshake.
            let advice = url.isLoopback ? " If it speaks http, start its URL with http:// instead." : ""
            return TransportFailure(
                .timedOut, reason: "it accepts the connection, but doesn't respond with TLS.\(advice)\(route)")
        }
        if let seconds = limits.idleSeconds(for: request), code == 28, said.contains("too slow") {
            return TransportFailure(.timedOut, reason: "no data came for \(seconds) seconds\(route).")
        }
        let number = keyturn_curl_os_error(curl)
        if code == 7, number != 0, said.contains("connect to \(host) ") {
            guard number != ENETUNREACH || NetworkInterfaces.reachOthers else {
                return TransportFailure(.offline, reason: "Can't reach \(host): \(systemReason(number)).")
            }
            return TransportFailure(Self.kind(of: code), reason: "\(systemReason(number)).")
        }
        var failure = TransportFailure(Self.kind(of: code), reason: said)
        if failure.isOfDate {
            let date = Date.now.ISO8601Format(.iso8601.year().month().day())
            failure.reason += ". This computer's clock says \(date)"
        } else if url.lowercasedScheme == "http", [1, 52, 56].contains(code) {
            // A server that expects TLS drops the connection, or responds with something other than HTTP.
            failure.reason += ". If it speaks https, start its URL with https:// instead."
        }
        failure.reason += route
        return failure
    }

    private static func unusable(_ file: String?) -> TransportFailure {
        let problem = file.map { "\($0) \(CertificateFile.problem($0) ?? "can't be used")" }
        return TransportFailure(
            .unsafeAuthorities, reason: "The CA file \(problem ?? "contains no certificate or is unreadable").")
    }

    /// The limit of this computer that made a request fail, which libcurl hides behind other causes.
    private static func limit(_ code: Int32, _ said: String, _ systemCode: Int32) -> SystemLimit? {
        if said.contains("thread failed to start") { return SystemThread.obstacle ?? .threads }
        // No initialisation, no name, no connection, no memory, no CA file, or a port whose user is unknown.
        guard [2, 6, 7, 27, 77].contains(code) || Int(code) == KEYTURN_CURL_REJECTED_SERVER else { return nil }
        return SystemLimit(code: code == 7 ? systemCode : 0) ?? .nearlyMet
    }

    /// The kind for a `CURLcode`. The numbers are part of libcurl's ABI.
    static func kind(of code: Int32) -> TransportFailure.Kind {
        switch code {
        case 6: .couldNotResolveHost
        case 7, 35: .couldNotConnect
        case 28: .timedOut
        case 16, 18, 52, 55, 56, 92, 95: .connectionLost
        case 60, 77, 83, 90, 91: .untrustedCertificate
        default: .other
        }
    }
}
