import Foundation
import MSAL
import OAuthCore

/// What a program on a server asks of the computer from which 'keyturn ssh' came, as the target of an HTTP request
/// (docs/decisions/0055-carried-tokens.md).
struct CarriedRequest: Sendable, Equatable {
    /// Both sides have the same, or the older one says so.
    static let version = 1
    private static let path = "/\(version)/carry"

    struct Invalid: Error, Equatable {
        var isOfOtherVersion = false
        var reason: String
    }

    var profile: String?
    var account: String?
    var scopes: [String] = []
    var resource: URL?
    var claims: String?
    var minimumValidity = 0
    /// Whether a server has rejected the token.
    var isRefresh = false
    var program = ""
    /// The page to open, of a sign-in on the server. Such a request asks for no token.
    var page: CarriedPage?

    var target: String {
        var items = scopes.map { URLQueryItem(name: "scope", value: $0) }
        for (name, value) in [
            ("profile", profile), ("account", account), ("resource", resource?.absoluteString), ("claims", claims),
            ("validity", minimumValidity > 0 ? "\(minimumValidity)" : nil), ("refresh", isRefresh ? "1" : nil),
            ("program", program), ("page", page?.url.absoluteString), ("redirect", page?.redirectURI.absoluteString),
            ("state", page?.state),
        ] where value != nil { items.append(URLQueryItem(name: name, value: value)) }
        var components = URLComponents()
        (components.path, components.queryItems) = (Self.path, items)
        return components.string ?? Self.path
    }

    init() {}

    init(_ url: URL) throws(Invalid) {
        guard url.path() == Self.path else {
            throw Invalid(
                isOfOtherVersion: true,
                reason: "This computer's Keyturn carries tokens by version \(Self.version) of the protocol, and "
                    + "got a request of another one. Install the same version of Keyturn on both sides.")
        }
        let invalid = Invalid(
            reason: "The request isn't one of a Keyturn: a parameter is unknown, repeated or invalid.")
        var seen: Set<String> = []
        var parts: [String: String] = [:]
        for item in URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? [] {
            guard let value = item.value, seen.insert(item.name).inserted || item.name == "scope" else { throw invalid }
            if CarriedPage.names.contains(item.name) {
                parts[item.name] = value
            } else if !set(item.name, to: value) {
                throw invalid
            }
        }
        guard !parts.isEmpty else { return }
        page = CarriedPage(parts)
        guard page != nil, seen.subtracting(CarriedPage.names + ["program"]).isEmpty else { throw invalid }
    }

    /// Returns whether the parameter has a valid value.
    private mutating func set(_ name: String, to value: String) -> Bool {
        let isShort = value.utf8.count <= 200 && !value.isEmpty
        switch name {
        case "profile": profile = value
        case "account": account = value
        case "program": program = value
        case "scope":
            scopes.append(value)
            return value.isScope && scopes.count <= 50
        case "resource":
            resource = URL(string: value)
            return resource?.isResource == true && resource?.host() != nil
        case "claims":
            claims = value
            return (try? MSALClaimsRequest(challenge: value)) != nil
        case "validity":
            minimumValidity = Int(value) ?? -1
            return (1...86_400).contains(minimumValidity)
        case "refresh":
            isRefresh = true
            return value == "1"
        default: return false
        }
        return isShort || name == "program" && value.isEmpty
    }

    /// The request for a demand, after a rejection. `nil` if only a sign-in meets it.
    init?(_ demand: Demand, after rejection: Rejection?, of program: String) {
        let challenge = rejection?.challenge ?? demand.challenge
        guard rejection?.means != .signedIn, demand.tenant == nil, challenge?.acrValues == nil, challenge?.maxAge == nil
        else { return nil }
        profile = demand.settings.profileName
        account = demand.accountName
        scopes = demand.namedScopes
        scopes += (challenge?.scopes ?? []).filter { !demand.namedScopes.contains($0) }
        (resource, claims) = (demand.resource, challenge?.claims ?? demand.claims)
        minimumValidity = Int(demand.minimumValidity)
        isRefresh = demand.forceRefresh || rejection?.means == .refreshed
        self.program = String(program.prefix(60))
    }

    /// The demand at the computer with the sign-in, but for its claims and lifetime.
    func demand(_ settings: Settings, profile: String?, account: String?, scopes: [String]) -> Demand {
        var settings = settings
        settings.profileName = profile
        var demand = Demand(settings: settings, resource: resource, scopes: scopes)
        demand.accountName = account
        return demand
    }
}

/// The page of a sign-in on a server, for the browser of the computer from which 'keyturn ssh' came.
struct CarriedPage: Sendable, Equatable {
    static let names = ["page", "redirect", "state"]

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
            query["prompt"] != "none", url.absoluteString.utf8.count <= 16 << 10,
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

    enum Decision: Sendable, Equatable { case opens, questions, rejected }

    func decision(_ profiles: [Profile], unasked: Set<String>) -> Decision {
        let known = profiles.filter { $0.authority.origin == url.origin }
        // Other programs of this computer listen at its ports, too.
        guard url.lowercasedScheme == "https" || !known.isEmpty else { return .rejected }
        return known.contains { $0.clientID == clientID && unasked.contains($0.name) } ? .opens : .questions
    }
}
