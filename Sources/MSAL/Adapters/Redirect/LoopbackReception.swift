import Foundation
import OAuthCore

/// Classifies a request to the receiver, without state.
enum LoopbackReception: Equatable {
    /// A possible response, as the authority's URL. Fields of `form_post` are in the query.
    case response(URL)
    case resultPage
    /// A response to another path, in the URL.
    case elsewhere
    /// The browser sends the cookies of all programs that ever listened on this host.
    case oversized
    case reject(status: Int)

    /// Not the redirect URI's path, so that no code remains in the browser's address bar.
    static let resultPath = "/.keyturn/back-to-the-terminal"

    init(_ request: HTTPRequest, redirectURI: URL, port: UInt16) {
        guard LoopbackAddress.isOurs(request, port: port),
            let came = URLComponents(url: request.url, resolvingAgainstBaseURL: false),
            let expected = URLComponents(url: redirectURI, resolvingAgainstBaseURL: false)
        else {
            self = .reject(status: 400)
            return
        }
        guard Self.headerBytes(request) <= RedirectVisit.mostHeaderBytes else {
            self = .oversized
            return
        }
        switch came.percentEncodedPath {
        case Self.resultPath: self = [.get, .head].contains(request.method) ? .resultPage : .reject(status: 405)
        case expected.percentEncodedPath, expected.percentEncodedPath.isEmpty ? "/" : expected.percentEncodedPath:
            self = Self.response(request, came, expected)
        default: self = IgnoredResponse(request.url)?.hasState == true ? .elsewhere : .reject(status: 404)
        }
    }

    private static func headerBytes(_ request: HTTPRequest) -> Int {
        request.headers.fields.reduce(request.url.absoluteString.utf8.count) { size, field in
            size + field.name.utf8.count + field.value.utf8.count + ": \r\n".utf8.count
        }
    }

    private static func response(
        _ request: HTTPRequest, _ came: URLComponents, _ expected: URLComponents
    ) -> LoopbackReception {
        var response = expected
        switch request.method {
        case .get: response.percentEncodedQuery = came.percentEncodedQuery
        case .post:
            let type = request.headers["Content-Type"]?.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
            guard type?.lowercased() == "application/x-www-form-urlencoded" else { return .reject(status: 415) }
            // Parsing and encoding turns any bytes into a valid query.
            let form = Parameters(formEncoded: String(decoding: request.body, as: UTF8.self)).formEncoded
            response.percentEncodedQuery = [came.percentEncodedQuery, form].compactMap { $0 }.joined(separator: "&")
        default: return .reject(status: 405)
        }
        return response.url.map(LoopbackReception.response) ?? .reject(status: 400)
    }
}

/// A loopback redirect URI (RFC 8252 §7.3), and the requests that match it.
struct LoopbackAddress: Equatable {
    /// The configured host, an IPv6 address with brackets.
    let host: String
    /// The port, or 0 for any.
    let port: UInt16
    let path: String
    let query: String?

    init(_ redirectURI: URL) throws(RedirectReceiverFailure) {
        guard let components = URLComponents(url: redirectURI, resolvingAgainstBaseURL: false),
            components.scheme?.lowercased() == "http", let host = components.encodedHost?.lowercased(),
            Loopback.contains(host), components.user == nil, components.password == nil,
            components.fragment == nil, let port = UInt16(exactly: components.port ?? 0)
        else {
            throw RedirectReceiverFailure(
                reason: "Only http://localhost, http://[::1] and http://127.0.0.1 (or another address of 127.0.0.0/8) "
                    + "are loopback redirect URIs. A port and a path are optional.")
        }
        self.host = host
        self.port = port
        path = components.percentEncodedPath
        query = components.percentEncodedQuery
    }

    /// The address to listen on, or `nil` for both 127.0.0.1 and ::1.
    var ownAddress: String? { Loopback.usualHosts.contains(host) ? nil : host }

    /// The redirect URI with the actual port, for the authorization request (RFC 8252 §7.3).
    func redirectURI(boundTo port: UInt16) throws(RedirectReceiverFailure) -> URL {
        let text = "http://\(host):\(port)\(path)\(query.map { "?\($0)" } ?? "")"
        guard let url = URL(string: text) else { throw RedirectReceiverFailure(reason: "\(text) is not a valid URL.") }
        return url
    }

    /// Prevents DNS rebinding, where another site's name resolves to 127.0.0.1.
    static func isOurs(_ request: HTTPRequest, port: UInt16) -> Bool {
        guard let said = request.headers["Host"]?.lowercased() else { return false }
        let suffix = ":\(port)"
        if said.hasSuffix(suffix), Loopback.contains(said.dropLast(suffix.count)) { return true }
        return port == 80 && Loopback.contains(said)
    }
}

extension URLComponents {
    fileprivate var encodedHost: String? {
        // Foundation versions differ in the brackets of IPv6 addresses.
        guard let host = percentEncodedHost else { return nil }
        return host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }
}
