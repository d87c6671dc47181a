import Foundation
import MSAL
import OAuthCore
import TerminalUI

/// A request of `keyturn call` as a value: what goes where, with and without a token, and after a redirect.
struct APICall: Sendable {
    /// As curl's library by default.
    static let mostRedirects = 10

    var method: HTTPRequest.Method
    var url: URL
    var headers: HTTPHeaders
    var body: [UInt8]
    /// The `Authorization` field. Goes only to the origin of the command line.
    var authorization: String?
    /// What the token is for, if that is less than the origin. No redirect takes it out of there.
    var resource: URL?
    private var redirects = 0
    /// Whether a redirect has left what the token is for. Then the token isn't sent.
    private(set) var isOutside = false

    init(_ method: HTTPRequest.Method, _ url: URL, headers: HTTPHeaders = [:], body: [UInt8] = []) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }

    var request: HTTPRequest {
        var request = HTTPRequest(method, url, headers: headers, body: body)
        request.headers["Authorization"] = isOutside ? nil : authorization
        if request.headers["Accept"] == nil { request.headers["Accept"] = "*/*" }
        return request
    }

    mutating func take(_ token: TokenDesk.Token) {
        (authorization, resource) = (token.result.authorizationHeader, token.resource)
    }

    static func isRedirect(_ response: HTTPResponse) -> Bool {
        [301, 302, 303, 307, 308].contains(response.status) && response.headers["Location"] != nil
    }

    /// The call after a redirect (RFC 9110 §15.4), or `nil` for other responses.
    func following(_ response: HTTPResponse) throws(Failure) -> APICall? {
        guard Self.isRedirect(response), let location = response.headers["Location"],
            let target = URL(string: location, relativeTo: url)?.absoluteURL
        else { return nil }
        guard redirects < Self.mostRedirects else {
            throw Failure(
                .failed, name: "redirectLoop", "The API redirected more than \(Self.mostRedirects) times.",
                nextStep: "Ask the API's operator.")
        }
        let next = target.shown
        guard target.isAllowedEndpoint(of: url) else {
            throw Failure(
                .failed, name: "unsafeRedirect",
                "The API redirects to \(next), which is not safe. Nothing was sent there.",
                nextStep: "If you trust that URL, call it instead.")
        }
        var call = self
        call.redirects += 1
        call.url = target
        if response.status == 303 ? method != .head : response.status < 303 && method == .post {
            call.method = .get
            call.body = []
            call.headers["Content-Type"] = nil
        }
        if target.origin != url.origin {
            guard call.body.isEmpty else {
                throw Failure(
                    .failed, name: "redirectedBody",
                    "The API redirects the request with its data to another origin, \(next). It was not sent there.",
                    nextStep: "If you trust that URL, call it instead.")
            }
            call.headers = [:]
        }
        call.isOutside = isOutside || target.origin != url.origin || resource.map(target.isPart) == false
        return call
    }

    /// A 401 without a challenge asks for any token, or another one. That of another origin or resource gets none.
    func challenge(in response: HTTPResponse) -> [String]? {
        guard !isOutside, [401, 403].contains(response.status) else { return nil }
        let fields = response.headers.all("WWW-Authenticate")
        if fields.isEmpty { return response.status == 401 ? ["Bearer"] : nil }
        return fields
    }
}

extension URL {
    /// The URL to which a server redirects, for a line: its beginning without query and fragment, which may contain a secret.
    var shown: String {
        let text = absoluteString
        let start = text.prefix { $0 != "?" && $0 != "#" }.prefix(200)
        return Printable.sanitize(start) + (start.endIndex == text.endIndex ? "" : "…")
    }
}
