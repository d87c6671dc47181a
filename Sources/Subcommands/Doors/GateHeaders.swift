import Foundation
import OAuthCore

enum GateHeaders {
    /// Fields of one connection (RFC 9110 §7.6.1).
    private static let ofConnection: Set<String> = [
        "connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "proxy-authenticate", "proxy-authentication-info", "content-length", "http2-settings",
    ]

    /// Fields of requests: the client's own credentials, and those with which a server or its proxy takes another method, path,
    /// origin, user or address of the client than the gate has seen.
    private static let notSent: Set<String> = [
        "host", "expect", "authorization", "proxy-authorization", "cookie", "cookie2", "forwarded", "destination",
        "x-ms-authorization", "x-authorization", "x-host", "x-real-host", "x-scheme", "x-url-scheme", "x-url", "x-uri",
        "request-uri", "x-request-uri", "http-url", "base-url", "x-path", "x-user", "x-username", "x-uid",
        "remote-user", "sudo", "as-user", "x-act-as", "x-on-behalf-of", "x-sub-account", "mscrmcallerid",
        "callerobjectid", "dropbox-api-select-user", "dropbox-api-select-admin",
    ]
    private static let notSentStarts = [
        "x-http-method", "x-method", "x-original-", "x-originating-", "x-rewrite-", "x-forwarded-", "x-forward-",
        "x-proxy-", "x-envoy-", "x-accel-", "x-remote-", "x-authenticated-", "x-auth-", "x-webauth-",
        "x-ms-client-principal", "x-goog-authenticated-user", "x-goog-iap-", "x-amzn-oidc-", "x-ssl-client-",
        "ssl-client-", "x-client-cert", "x-wp-", "x-sendfile", "x-lighttpd-",
    ]
    /// Within a name, in whatever company.
    private static let notSentWords = [
        "override", "impersonat", "rewrite", "original-url", "client-ip", "connecting-ip", "real-ip",
    ]

    /// Fields of responses. Cookies would go to each server of this computer, whatever its port, and programs would share a
    /// session; a challenge would make a client ask for a password that the gate removes.
    private static let notReturned: Set<String> = ["set-cookie", "set-cookie2", "www-authenticate", "alt-svc"]

    static func request(_ headers: HTTPHeaders) -> HTTPHeaders {
        passing(headers) { name in
            !notSent.contains(name) && !notSentStarts.contains(where: name.hasPrefix)
                && !notSentWords.contains(where: name.contains)
        }
    }

    /// - Parameter door: the gate's own address, which replaces the origin's in a redirect to the origin.
    static func response(_ head: HTTPResponse, from origin: URL, at door: String) -> HTTPHeaders {
        var headers = passing(head.headers) { !notReturned.contains($0) && !$0.hasPrefix("access-control-") }
        headers["Location"] = head.headers["Location"].map { location($0, from: origin, at: door) }
        // A coding counts more than a length, and is the gate's own (RFC 9112 §6.3).
        headers["Content-Length"] = head.headers["Transfer-Encoding"] == nil ? head.headers["Content-Length"] : nil
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
            if !ofConnection.contains(name), !named.contains(name), isKept(name) { result.append(field) }
        }
        return result
    }

    /// The place of a redirect. To one outside the gate, the client goes itself, without the token.
    private static func location(_ text: String, from origin: URL, at door: String) -> String {
        guard text.hasPrefix("/") || text.contains("://"),
            let target = URL(string: text, relativeTo: origin)?.absoluteURL
        else { return text }
        let (path, base) = (target.path(percentEncoded: true), origin.basePath)
        guard target.origin == origin.origin, path == base || path.hasPrefix("\(base)/") else {
            return text.hasPrefix("/") ? target.absoluteString : text
        }
        let rest = path.dropFirst(base.count)
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
