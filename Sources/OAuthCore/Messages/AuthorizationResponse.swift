import Foundation
import KeyturnCrypto

/// The authorization response at the redirect URI (RFC 6749 §4.1.2), checked against the request.
package enum AuthorizationResponse: Sendable, Equatable {
    case code(Code)
    case rejected(OAuthErrorResponse)

    package struct Code: Sendable, Equatable {
        package var value: Secret
        /// `cloud_instance_host_name` of Microsoft Entra ID.
        package var cloudHost: String?
        /// `iss` (RFC 9207).
        package var issuer: String?
    }

    package struct Expectation: Sendable, Equatable {
        package var state: String
        /// The issuer, if known (RFC 9207 §2.4). A template matches any tenant.
        package var issuer: IssuerTemplate?
        /// Whether the authority always sends `iss` (`authorization_response_iss_parameter_supported`).
        package var requiresIssuer: Bool

        package init(state: String, issuer: IssuerTemplate? = nil, requiresIssuer: Bool = false) {
            (self.state, self.issuer, self.requiresIssuer) = (state, issuer, requiresIssuer)
        }
    }

    package enum Failure: Error, Sendable, Equatable {
        case tooLong(limit: Int)
        /// A parameter occurs twice, which RFC 6749 §3.1 forbids.
        case repeatedParameter(String)
        case stateMissing
        case stateMismatch
        case issuerMissing
        case issuerMismatch(expected: String, found: String)
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
        if let rejection = OAuthErrorResponse(parameters) {
            self = .rejected(rejection)
        } else if let code = parameters["code"], !code.isEmpty {
            let cloudHost = parameters["cloud_instance_host_name"]
            self = .code(Code(value: Secret(code), cloudHost: cloudHost, issuer: parameters["iss"]))
        } else {
            throw .codeMissing
        }
    }

    package static func parameters(of callback: URL) -> Parameters {
        Parameters(queryAndFragmentOf: callback.absoluteString)
    }

    /// Whether a URL has this `state`, compared in constant time.
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
        // Without a known issuer there is nothing to compare.
        guard let wanted = expected.issuer else { return }
        guard !wanted.matches(issuer) else { return }
        throw .issuerMismatch(expected: wanted.text, found: isShown(issuer, beside: all) ? issuer : "…")
    }

    /// Whether to show an issuer in an error: only a URL without the values of other parameters, because a damaged
    /// response URL may have mixed them.
    private static func isShown(_ issuer: String, beside all: Parameters) -> Bool {
        guard issuer.utf8.allSatisfy(isVisible), URL(string: issuer)?.lowercasedHost.isEmpty == false else {
            return false
        }
        return all.pairs.allSatisfy { pair in
            let value = String(decoding: pair.value.utf8.filter(isVisible), as: UTF8.self)
            // Secrets are longer.
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
