import Foundation
import KeyturnCrypto

/// What the browser brought back to the redirect URI (RFC 6749 §4.1.2), checked against what was asked.
package enum AuthorizationResponse: Sendable, Equatable {
    /// Signed in. `cloudHost` is Entra's `cloud_instance_host_name`, `issuer` the answer's `iss` (RFC 9207).
    case code(Secret, clientInfo: ClientInfo?, cloudHost: String?, issuer: String? = nil)
    /// The authority refused, or the person did.
    case refused(OAuthErrorResponse)

    /// What a response has to match.
    package struct Expectation: Sendable, Equatable {
        package var state: String
        /// The authority's issuer, when known (RFC 9207 §2.4); any tenant's where it is a template.
        package var issuer: IssuerTemplate?
        /// The authority promises `iss` (`authorization_response_iss_parameter_supported`).
        package var requiresIssuer: Bool

        package init(state: String, issuer: IssuerTemplate? = nil, requiresIssuer: Bool = false) {
            self.state = state
            self.issuer = issuer
            self.requiresIssuer = requiresIssuer
        }
    }

    /// Why an address is not the answer to our request.
    package enum Failure: Error, Sendable, Equatable {
        case tooLong(limit: Int)
        /// RFC 6749 §3.1 forbids it, and which of the two counts would be a guess.
        case repeatedParameter(String)
        case stateMissing
        case stateMismatch
        case issuerMissing
        case issuerMismatch(expected: String, found: String)
        /// Neither a code nor an error.
        case codeMissing
    }

    package static let maximumLength = 64 * 1024

    package init(callback: URL, expecting expected: Expectation) throws(Failure) {
        guard callback.absoluteString.utf8.count <= Self.maximumLength else {
            throw .tooLong(limit: Self.maximumLength)
        }
        let parameters = Self.parameters(of: callback)
        if let repeated = parameters.firstRepeatedName { throw .repeatedParameter(repeated) }
        try Self.check(state: parameters["state"], expected)
        try Self.check(issuer: parameters["iss"], beside: parameters, expected)
        if let refusal = OAuthErrorResponse(parameters) {
            self = .refused(refusal)
        } else if let code = parameters["code"], !code.isEmpty {
            self = .code(
                Secret(code), clientInfo: parameters["client_info"].flatMap { try? ClientInfo(parsing: $0) },
                cloudHost: parameters["cloud_instance_host_name"], issuer: parameters["iss"])
        } else {
            throw .codeMissing
        }
    }

    /// The parameters of an address, in the query and in the fragment.
    package static func parameters(of callback: URL) -> Parameters {
        let text = callback.absoluteString
        let halves = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let query = halves[0].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).dropFirst().first
        return Parameters(formEncoded: [query ?? "", halves.dropFirst().first ?? ""].joined(separator: "&"))
    }

    /// Whether an address carries `state`, compared in constant time: how a waiting sign-in knows its own answer.
    package static func carries(state: String, _ callback: URL) -> Bool {
        let parameters = parameters(of: callback)
        guard parameters.count(of: "state") == 1, let found = parameters["state"] else { return false }
        return constantTimeEqual(Array(found.utf8), Array(state.utf8))
    }

    private static func check(state: String?, _ expected: Expectation) throws(Failure) {
        guard let state, !state.isEmpty else { throw .stateMissing }
        guard constantTimeEqual(Array(state.utf8), Array(expected.state.utf8)) else { throw .stateMismatch }
    }

    private static func check(issuer: String?, beside all: Parameters, _ expected: Expectation) throws(Failure) {
        guard let issuer else {
            if expected.requiresIssuer { throw .issuerMissing }
            return
        }
        // An authority that never told its issuer cannot be held to it.
        guard let wanted = expected.issuer else { return }
        guard !wanted.matches(issuer) else { return }
        throw .issuerMismatch(expected: wanted.text, found: isShown(issuer, beside: all) ? issuer : "…")
    }

    /// An issuer is shown only when it is a URL that holds none of the other parameters: a mangled address may have run
    /// them into it.
    private static func isShown(_ issuer: String, beside all: Parameters) -> Bool {
        guard issuer.utf8.allSatisfy(isVisible), URL(string: issuer)?.lowercasedHost.isEmpty == false else {
            return false
        }
        return all.pairs.allSatisfy { pair in
            let value = String(decoding: pair.value.utf8.filter(isVisible), as: UTF8.self)
            // Nothing that is secret is shorter.
            return pair.name == "iss" || value.count < 8 || !issuer.contains(value)
        }
    }

    private static func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }
}

extension Parameters {
    package var firstRepeatedName: String? {
        var seen: Set<String> = []
        return pairs.first { !seen.insert($0.name).inserted }?.name
    }
}
