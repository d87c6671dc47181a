import Foundation
import OAuthCore

/// The header fields that pass a gate.
enum GateHeaders {
    /// Fields of one connection (RFC 9110 §7.6.1).
    private static let ofConnection: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "proxy-authenticate", "proxy-authentication-info", "content-length",
    ]

    /// Fields of requests: the client's own credentials, and those with which a server takes another method or path than the
    /// gate has seen.
    private static let notSent: Set<String> = [
        "host", "expect", "authorization", "proxy-authorization", "cookie", "forwarded", "x-method-override",
        "x-ms-authorization",
    ]
    private static let notSentStarts = ["x-http-method", "x-original-", "x-rewrite-", "x-forwarded-"]

    /// Fields of responses. Cookies would go to each server of this computer, whatever its port, and programs would share a
    /// session; a challenge would make a client ask for a password that the gate removes.
    private static let notReturned: Set<String> = ["set-cookie", "set-cookie2", "www-authenticate", "alt-svc"]

    static func request(_ headers: HTTPHeaders) -> HTTPHeaders {
        passing(headers) { name in !notSent.contains(name) && !notSentStarts.contains(where: name.hasPrefix) }
    }

    /// - Parameter door: the gate's own address, which replaces the origin's in a redirect to the origin.
    static func response(_ head: HTTPResponse, from origin: URL, at door: String) -> HTTPHeaders {
        var headers = passing(head.headers) { !notReturned.contains($0) && !$0.hasPrefix("access-control-") }
        headers["Location"] = head.headers["Location"].map { location($0, from: origin, at: door) }
        headers["Content-Length"] = head.headers["Content-Length"]
        return headers
    }

    private static func passing(_ headers: HTTPHeaders, _ isKept: (String) -> Bool) -> HTTPHeaders {
        let named = Set(
            headers.all("Connection").flatMap { $0.lowercased().split(separator: ",") }
                .map { $0.trimmingCharacters(in: .whitespaces) })
        var result = HTTPHeaders()
        for field in headers.fields {
            // CGI and WSGI servers read an underscore as a hyphen.
            let name = field.name.lowercased().replacing("_", with: "-")
            if !ofConnection.contains(name), !named.contains(name), isKept(name) {
                result.append(field.name, field.value)
            }
        }
        return result
    }

    /// The place of a redirect. Another origin stays: the client goes there itself, without the token.
    private static func location(_ text: String, from origin: URL, at door: String) -> String {
        guard let target = URL(string: text, relativeTo: origin)?.absoluteURL, target.origin == origin.origin else {
            return text
        }
        let path = target.path(percentEncoded: true)
        let rest = path.dropFirst(origin.basePath.count)
        guard text.hasPrefix("/") || text.contains("://"), path.hasPrefix(origin.basePath),
            rest.isEmpty || rest.hasPrefix("/")
        else { return text }
        let query = target.query(percentEncoded: true).map { "?\($0)" } ?? ""
        let fragment = target.fragment(percentEncoded: true).map { "#\($0)" } ?? ""
        return door + (rest.isEmpty ? "/" : rest) + query + fragment
    }
}

extension URL {
    /// Whether a token may go there.
    var isSecureOrigin: Bool { isResource && host() != nil }

    /// The path without a slash at its end.
    var basePath: String {
        let path = path(percentEncoded: true)
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }
}
