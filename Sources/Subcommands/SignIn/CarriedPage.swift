import Foundation
import MSAL
import OAuthCore

/// The page of a sign-in on a server, for the browser of the computer from which 'keyturn ssh' came.
struct CarriedPage: Sendable, Equatable {
    /// Its parameters in a request.
    static let names = ["page", "redirect", "state"]
    private static let mostBytes = 16 << 10

    let url: URL
    /// A port of the computer with the browser, which listens there.
    let redirectURI: URL
    /// That of the response. Others belong to other sign-ins.
    let state: String
    let clientID: String

    /// `nil` unless the page is an authorization request with this redirect URI and state, or refers to one (RFC 9126).
    init?(_ url: URL?, redirectURI: URL?, state: String?) {
        guard let url, let redirectURI, let state else { return nil }
        var query: [String: String] = [:]
        for item in URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? [] {
            guard query.updateValue(item.value ?? "", forKey: item.name) == nil else { return nil }
        }
        let (sentURI, sentState) = (query["redirect_uri"], query["state"])
        let isPushed = sentURI == nil && sentState == nil && query["request_uri"] != nil
        // The user reads the host, and without a prompt wouldn't see to what account the server gets tokens.
        guard url.isSecureEndpoint, url.lowercasedHost.wholeMatch(of: #/[a-z0-9.:-]+/#) != nil,
            query["prompt"] != "none",
            url.absoluteString.utf8.count <= Self.mostBytes,
            redirectURI.lowercasedScheme == "http", redirectURI.isSecureEndpoint, redirectURI.fragment() == nil,
            1024...65535 ~= redirectURI.port ?? 0, 16...512 ~= state.utf8.count,
            isPushed || sentURI == redirectURI.absoluteString && sentState == state,
            let clientID = query["client_id"], !clientID.isEmpty
        else { return nil }
        (self.url, self.redirectURI, self.state, self.clientID) = (url, redirectURI, state, clientID)
    }

    init?(_ parts: [String: String]) {
        let urls = ["page", "redirect"].map { parts[$0].flatMap { URL(string: $0) } }
        self.init(urls[0], redirectURI: urls[1], state: parts["state"])
    }

    /// What the computer with the browser does with the page.
    enum Decision: Sendable, Equatable { case opens, questions, rejected }

    /// - Parameter unasked: the names of the profiles whose pages open without a question.
    func decision(_ profiles: [Profile], unasked: Set<String>) -> Decision {
        let known = profiles.filter { $0.authority.origin == url.origin }
        // Other programs of this computer listen at its ports, too.
        guard url.lowercasedScheme == "https" || !known.isEmpty else { return .rejected }
        return known.contains { $0.clientID == clientID && unasked.contains($0.name) } ? .opens : .questions
    }
}
