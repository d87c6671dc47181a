import Foundation

/// The page the person's browser is sent to (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1), as a value.
///
/// Only the challenge of the verifier is in it, so the address can be shown. ``url`` gives the address.
package struct AuthorizationRequest: Sendable, Equatable {
    /// In bytes. No server reads as much; some browsers take more, none takes any length.
    package static let maximumLength = 512 * 1024

    package var endpoint: URL
    package var clientID: String
    package var redirectURI: String
    /// Everything asked for, with the reserved scopes and the extra scopes to consent to.
    package var scopes: Scopes
    package var state: String
    package var nonce: String
    package var codeChallenge: String
    package var prompt: Prompt?
    /// Sent even when empty, as upstream does for an account that has no username.
    package var loginHint: String?
    package var domainHint: String?
    /// The account's `uid` and `utid`, when known.
    package var account: ClientInfo?
    /// A `claims` parameter as JSON text (OpenID Connect Core §5.5).
    package var claims: String?
    /// Seconds after which the person has to authenticate again (`max_age`).
    package var maximumAge: Int?
    /// Asks Entra for `client_info`; other authorities ignore it.
    package var requestsClientInfo = true
    package var correlationID: UUID?
    /// Entra may answer for another of its clouds.
    package var isInstanceAware = false
    package var prefersQRPIN = false
    /// `slice` and `dc`: which part of Entra answers.
    package var slice: Parameters = [:]
    /// The application that this one runs inside of: `brk_client_id`, `brk_redirect_uri`.
    package var nestedBroker: Parameters = [:]
    /// Who asks: `x-client-SKU`, `x-client-Ver`, `x-client-OS`, `x-client-CPU`.
    package var clientMetadata: Parameters = [:]
    /// The program itself: `x-app-name`, `x-app-ver`.
    package var applicationMetadata: Parameters = [:]
    /// The caller's own. They may replace who asks and for what, but not what protects the exchange.
    package var extraParameters: Parameters = [:]

    package init(
        endpoint: URL, clientID: String, redirectURI: String, scopes: Scopes, state: String, nonce: String,
        codeChallenge: String
    ) {
        self.endpoint = endpoint
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scopes = scopes
        self.state = state
        self.nonce = nonce
        self.codeChallenge = codeChallenge
    }

    /// All parameters in the order of precedence: later ones replace earlier ones of the same name.
    package var parameters: Parameters {
        var all: Parameters = [:]
        all["client_id"] = clientID
        all["response_type"] = "code"
        all["redirect_uri"] = redirectURI
        all["scope"] = scopes.text
        all["login_hint"] = loginHint
        all["domain_hint"] = domainHint
        all["login_req"] = account?.uid
        all["domain_req"] = account?.utid
        all.replace(with: applicationMetadata)
        all.replace(with: extraParameters)
        all.replace(with: protection)
        all.replace(with: clientMetadata)
        return all
    }

    /// What the caller's own parameters may not replace.
    private var protection: Parameters {
        var all: Parameters = [:]
        all["code_challenge"] = codeChallenge
        all["code_challenge_method"] = CodeVerifier.challengeMethod
        all["state"] = state
        all["nonce"] = nonce
        all["claims"] = claims
        all["prompt"] = prompt?.rawValue
        all["max_age"] = maximumAge.map(String.init)
        if requestsClientInfo {
            all["client_info"] = "1"
            all["haschrome"] = "1"
        }
        if let correlationID {
            all["client-request-id"] = correlationID.uuidString
            all["return-client-request-id"] = "true"
        }
        if isInstanceAware { all["instance_aware"] = "true" }
        if prefersQRPIN { all["pc"] = "18" }
        all.replace(with: slice)
        all.replace(with: nestedBroker)
        return all
    }

    package var url: URL { endpoint.addingQuery(parameters) }
}

extension Parameters {
    /// Takes over every pair of `other`; names that are there already keep their place.
    package mutating func replace(with other: Parameters) {
        for pair in other.pairs { self[pair.name] = pair.value }
    }
}

extension URL {
    /// Appends to the query that is there. No parameter is sent twice (RFC 6749 §3.1): one that the endpoint has too is
    /// ours, because a discovery document could replace `state`, `redirect_uri` and the code challenge otherwise.
    package func addingQuery(_ parameters: Parameters) -> URL {
        guard !parameters.isEmpty, var components = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return self
        }
        let names = Set(parameters.pairs.map(\.name))
        let kept = (components.percentEncodedQuery ?? "").split(separator: "&").filter { pair in
            !Parameters(formEncoded: String(pair)).pairs.contains { names.contains($0.name) }
        }
        let parts = kept.map(String.init) + [parameters.formEncoded]
        components.percentEncodedQuery = parts.joined(separator: "&")
        components.fragment = nil
        return components.url ?? self
    }
}
