import KeyturnCrypto
import OAuthCore

/// A fault that the authority can simulate, for testing clients. ``allCases`` lists them all.
package struct Fault: Sendable, Hashable, CaseIterable {
    /// The behaviour that the fault requires of a client.
    package enum Demand: String, Sendable {
        case reject, accept
        /// Ignore the response and keep waiting.
        case ignore
    }

    /// The change to the authority or to part of its responses.
    enum Effect: Sendable {
        case setting(@Sendable (inout AuthoritySettings) -> Void)
        /// Changes the claims of an ID token.
        case claims(@Sendable (inout [String: JSONValue]) -> Void)
        case header(@Sendable (inout [String: JSONValue]) -> Void)
        case signature(@Sendable (SignedParts) -> String)
        /// Changes the claims of an assertion for another authority, or refuses it.
        case assertion(@Sendable (inout [String: JSONValue]) throws(AuthorityError) -> Void)
        /// Changes the parameters of the authorization response in any response mode.
        case authorization(@Sendable (inout Parameters) -> Void)
        /// Changes the whole successful response of an endpoint.
        case response(Document, @Sendable (inout HTTPResponse) -> Void)
    }

    /// A document that programs request.
    enum Document: Sendable {
        case discovery, keys, userInfo, tokens
        case api, apiMetadata, authorizationServer, registration
        case pushedRequest, revocation

        fileprivate init?(_ route: Route) {
            switch route {
            case .openIDConfiguration: self = .discovery
            case .keys: self = .keys
            case .userInfo: self = .userInfo
            case .token: self = .tokens
            case .api: self = .api
            case .apiMetadata: self = .apiMetadata
            case .authorizationServer: self = .authorizationServer
            case .registration: self = .registration
            case .pushedRequest: self = .pushedRequest
            case .revocation: self = .revocation
            case .home, .stylesheet, .errorExplanation, .instanceDiscovery, .authorize, .deviceAuthorization, .device,
                .logout, .signIn, .chooseAccount, .consent, .secondFactor, .signOut:
                return nil
            }
        }
    }

    /// The parts of a valid signed token.
    struct SignedParts {
        let header, claims: Substring
        let signature: [UInt8]
    }

    /// The name on the command line.
    package let name: String
    /// The module of the conformance plans (`oidcc-client-test-…`), or another source of the requirement; nil for a
    /// requirement of this project.
    package let source: String?
    package let demand: Demand
    /// Whether the fault affects refreshes instead of sign-ins.
    package let isOfRefreshes: Bool
    private let effects: [Effect]

    /// Whether the fault affects sign-outs instead of sign-ins.
    package var isOfSignOuts: Bool {
        effects.contains { effect in
            guard case .response(.revocation, _) = effect else { return false }
            return true
        }
    }

    /// Whether the fault is in the way to an API's token by an organisation's assertion.
    package var isOfAssertions: Bool {
        effects.contains { effect in
            guard case .assertion = effect else { return false }
            return true
        }
    }

    /// The path of the API whose way to its authority the fault affects, or `nil`.
    package var resource: String? {
        let isOfResource = effects.contains { effect in
            guard case .response(let document, _) = effect else { return false }
            return [.api, .apiMetadata, .authorizationServer, .registration].contains(document)
        }
        return isOfAssertions ? "/api/team" : isOfResource ? "/api/me" : nil
    }

    /// Requires at least one effect.
    init(
        _ name: String, _ source: String?, _ demand: Demand, isOfRefreshes: Bool = false,
        _ effect: Effect, _ more: Effect...
    ) {
        self.name = name
        self.source = source
        self.demand = demand
        self.isOfRefreshes = isOfRefreshes
        effects = [effect] + more
    }

    package init?(named name: String) {
        guard let fault = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = fault
    }

    package static func == (left: Fault, right: Fault) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    package var settings: AuthoritySettings {
        var settings = AuthoritySettings()
        settings.add(self)
        return settings
    }
}

extension AuthoritySettings {
    package mutating func add(_ fault: Fault) {
        faults.append(fault)
        fault.set(&self)
    }
}

/// The changes, called where each part is created.
extension Fault {
    fileprivate func set(_ settings: inout AuthoritySettings) {
        for case .setting(let change) in effects { change(&settings) }
    }

    func spoil(_ claims: inout [String: JSONValue], isRefresh: Bool) {
        guard isRefresh || !isOfRefreshes else { return }
        for case .claims(let change) in effects { change(&claims) }
    }

    func spoil(assertion: inout [String: JSONValue]) throws(AuthorityError) {
        for case .assertion(let change) in effects { try change(&assertion) }
    }

    func spoil(header: inout [String: JSONValue]) {
        for case .header(let change) in effects { change(&header) }
    }

    /// Changes a signed token in compact form.
    func spoil(token: String) -> String {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.decode(parts[2]) else { return token }
        for case .signature(let change) in effects {
            return change(SignedParts(header: parts[0], claims: parts[1], signature: signature))
        }
        return token
    }

    func spoil(authorization: inout Parameters) {
        for case .authorization(let change) in effects { change(&authorization) }
    }

    func spoil(_ response: inout HTTPResponse, of route: Route, isRefresh: Bool) {
        guard isRefresh || !isOfRefreshes, let document = Document(route) else { return }
        guard document != .tokens || response.status == 200 else { return }
        for case .response(document, let change) in effects { change(&response) }
    }
}
