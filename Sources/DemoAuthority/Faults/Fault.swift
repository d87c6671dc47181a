import CResources
import KeyturnCrypto
import OAuthCore

/// A fault that the authority can simulate, for testing clients: a row of `Resources/authority/faults.json`, which changes members,
/// or else code in ``coded``.
package struct Fault: Sendable, Hashable, CaseIterable {
    package enum Demand: String, Sendable {
        case reject, accept
        /// Ignore the response and keep waiting.
        case ignore
    }

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
        case response(Route.Endpoint, @Sendable (inout HTTPResponse) -> Void)
    }

    struct SignedParts {
        let header, claims: Substring
        let signature: [UInt8]
    }

    package let name: String
    package let title: String
    package let behaviour: String
    /// The module of the conformance plans (`oidcc-client-test-…`) or another source; nil: a requirement of this project.
    package let source: String?
    package let demand: Demand
    package let isOfRefreshes: Bool
    let effects: [Effect]

    private static let file = JSONValue(resource: keyturn_resource_faults())

    package static let allCases = (file["faults"]?.array ?? []).compactMap { try? Fault($0) }

    /// Tests have rows of their own.
    package init(_ row: JSONValue) throws(JSONValue.UnexpectedMember) {
        name = try row.required("name", \.string)
        title = try row.required("title", \.string)
        behaviour = try row.required("behaviour", \.string)
        source = try row.optional("source", \.string)
        demand = try row.required("demand") { $0.string.flatMap(Demand.init) }
        isOfRefreshes = try row.optional("isOfRefreshes", \.bool) ?? false
        let changes = try row.optional("changes", \.object) ?? [:]
        effects =
            try changes.map { part, members throws(JSONValue.UnexpectedMember) in
                let members = members.object ?? [:]
                guard !members.isEmpty, let effect = Self.effect(on: part, members) else {
                    throw JSONValue.UnexpectedMember()
                }
                return effect
            } + Self.coded[name, default: []]
    }

    package init?(named name: String) {
        guard let fault = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = fault
    }

    package static func == (left: Fault, right: Fault) -> Bool { left.name == right.name }

    package func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The source as a sentence. A conformance module tests a section of a specification.
    package var reference: String? {
        guard let source else { return nil }
        let section = Self.file["sections"]?[source]?.string
        return section.map { "Source: \($0); conformance test \(source)." } ?? "Source: \(source)."
    }

    private var endpoints: [Route.Endpoint] {
        effects.compactMap { if case .response(let endpoint, _) = $0 { endpoint } else { nil } }
    }

    package var isOfSignOuts: Bool { endpoints.contains(.revocation) }

    /// Whether the fault is in the way to an API's token by an organisation's assertion.
    package var isOfAssertions: Bool { effects.contains { if case .assertion = $0 { true } else { false } } }

    /// The path of the API whose way to its authority the fault affects, or `nil`.
    package var resource: String? {
        let ofResource: Set<Route.Endpoint> = [.api, .apiMetadata, .authorizationServer, .registration]
        return isOfAssertions ? "/api/team" : ofResource.isDisjoint(with: endpoints) ? nil : "/api/me"
    }

    package var settings: AuthoritySettings {
        var settings = AuthoritySettings()
        settings.add(self)
        return settings
    }
}

extension AuthoritySettings {
    package mutating func add(_ fault: Fault) {
        faults.append(fault)
        for case .setting(let change) in fault.effects { change(&self) }
    }
}

/// The changes, called where each part is created.
extension Fault {
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

    func spoil(_ response: inout HTTPResponse, of endpoint: Route.Endpoint, isRefresh: Bool) {
        guard isRefresh || !isOfRefreshes, endpoint != .token || response.status == 200 else { return }
        for case .response(endpoint, let change) in effects { change(&response) }
    }
}
