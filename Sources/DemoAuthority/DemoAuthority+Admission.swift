import Foundation
import OAuthCore

/// An authority for the tests of other programs, which is at every host that a program names.
extension DemoAuthority {
    /// Prepares for a request: the authority has its host, knows its tenant, and its scopes exist.
    package mutating func admit(_ request: HTTPRequest) {
        origin = request.url.origin
        let parameters = Parameters(queryOf: request.url.absoluteString)
        let route = Route(request.url)
        if route?.endpoint == .instanceDiscovery {
            if let url = parameters["authorization_endpoint"].flatMap(URL.init(string:)) { admit(authority: url) }
        } else if let tenant = route?.tenant {
            adopt(tenant.split(separator: "/").map(String.init), at: request.url)
        }
        let form =
            request.method == .post ? Parameters(formEncoded: String(decoding: request.body, as: UTF8.self)) : [:]
        for scope in [parameters["scope"], form["scope"]].compactMap(\.self) { directory.admit(scopes: scope) }
    }

    /// Makes the tenant and the user flow of an authority known.
    package mutating func admit(authority url: URL) {
        let segments = url.path().split(separator: "/").map(String.init)
        guard let first = segments.first else { return }
        let isOfPolicy = first.lowercased() == "tfp"
        let isShort = segments.count == 2
        adopt(isOfPolicy ? Array(segments.prefix(3)) : isShort ? segments : [first], at: url)
    }

    private mutating func adopt(_ segments: [String], at url: URL) {
        let names = segments.first?.lowercased() == "tfp" ? Array(segments.dropFirst()) : segments
        guard let tenant = names.first, directory.selector(for: segments.joined(separator: "/")) == nil else { return }
        directory.adopt(
            tenant, policy: names.count > 1 ? names[1] : nil, isForCustomers: url.microsoftService == .ciam,
            identifier: identifier(), replacesHome: !hasIssuedTokens)
    }
}
