import KeyturnCrypto
import OAuthCore

/// One way for an authority to misbehave, as a switch: for tests of clients, and to show what a client says then.
/// ``allCases`` has one row for each.
package struct Fault: Sendable, Hashable, CaseIterable {
    /// What a client is to do.
    package enum Demand: String, Sendable {
        case reject, accept
        /// The answer is not the one that is waited for: wait on.
        case ignore
    }

    /// What it does to the authority, or to one part of what the authority says.
    enum Effect: Sendable {
        case setting(@Sendable (inout AuthoritySettings) -> Void)
        /// Of an ID token.
        case claims(@Sendable (inout [String: JSONValue]) -> Void)
        case header(@Sendable (inout [String: JSONValue]) -> Void)
        case signature(@Sendable (SignedParts) -> String)
        /// The parameters of the browser's answer, however they travel.
        case answer(@Sendable (inout Parameters) -> Void)
        /// The whole answer of an endpoint, when that gives what was asked for.
        case response(Document, @Sendable (inout HTTPResponse) -> Void)
    }

    /// What a program asks for.
    enum Document: Sendable {
        case discovery, keys, userInfo, tokens

        fileprivate init?(_ route: Route) {
            switch route {
            case .openIDConfiguration: self = .discovery
            case .keys: self = .keys
            case .userInfo: self = .userInfo
            case .token: self = .tokens
            case .home, .stylesheet, .errorExplanation, .instanceDiscovery, .authorize, .deviceAuthorization, .device,
                .endSession, .signIn, .chooseAccount, .consent, .secondFactor, .signOut:
                return nil
            }
        }
    }

    /// A signed token that is still whole.
    struct SignedParts {
        let header, claims: Substring
        let signature: [UInt8]
    }

    /// As on the command line.
    package let name: String
    /// The module of the conformance plans (`oidcc-client-test-…`), or where else the demand comes from.
    package let source: String
    package let demand: Demand
    /// Whether it shows when tokens are renewed, not when somebody signs in.
    package let isOfRenewals: Bool
    private let effects: [Effect]

    /// One that does nothing cannot be written.
    init(
        _ name: String, _ source: String, _ demand: Demand, isOfRenewals: Bool = false,
        _ effect: Effect, _ more: Effect...
    ) {
        self.name = name
        self.source = source
        self.demand = demand
        self.isOfRenewals = isOfRenewals
        effects = [effect] + more
    }

    package init?(named name: String) {
        guard let fault = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = fault
    }

    package static func == (left: Fault, right: Fault) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// How the authority has to be set for it.
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

/// What it does, asked for by those who make each part.
extension Fault {
    fileprivate func set(_ settings: inout AuthoritySettings) {
        for case .setting(let change) in effects { change(&settings) }
    }

    func spoil(_ claims: inout [String: JSONValue], isRenewal: Bool) {
        guard isRenewal || !isOfRenewals else { return }
        for case .claims(let change) in effects { change(&claims) }
    }

    func spoil(header: inout [String: JSONValue]) {
        for case .header(let change) in effects { change(&header) }
    }

    /// The token in compact form, after it was signed.
    func spoil(token: String) -> String {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let signature = Base64URL.decode(parts[2]) else { return token }
        for case .signature(let change) in effects {
            return change(SignedParts(header: parts[0], claims: parts[1], signature: signature))
        }
        return token
    }

    func spoil(answer: inout Parameters) {
        for case .answer(let change) in effects { change(&answer) }
    }

    func spoil(_ response: inout HTTPResponse, of route: Route, isRenewal: Bool) {
        guard isRenewal || !isOfRenewals, let document = Document(route) else { return }
        guard document != .tokens || response.status == 200 else { return }
        for case .response(document, let change) in effects { change(&response) }
    }
}
