import OAuthCore

/// A resource's request for a token, or for a better one: its `WWW-Authenticate` header (RFC 6750 §3, RFC 9470 §3, and
/// claims challenges of Microsoft Entra ID). Not in MSAL for iOS and macOS.
///
/// Pass it as ``MSALTokenParameters/challenge`` to get a token that meets it:
///
/// ```swift
/// parameters.challenge = try MSALChallenge(headers: [response.value(forHTTPHeaderField: "WWW-Authenticate") ?? ""])
/// let result = try await application.acquireTokenSilent(with: parameters)
/// ```
public struct MSALChallenge: Sendable, Equatable {
    /// The error code, such as `invalid_token` or `insufficient_scope`, or `nil` if the request had no token.
    public let error: String?
    /// The resource's explanation. Untrusted: remove control characters before display.
    public let errorDescription: String?
    /// The scopes that the resource requires, without the reserved ones, which applications can't request.
    public let scopes: [String]
    let reservedScopes: [String]
    /// The authentication contexts that the resource accepts, best first, separated by spaces (`acr_values`).
    public let acrValues: String?
    /// The maximum age of the user's authentication in seconds (`max_age`).
    public let maxAge: Int?
    /// The claims to request, as JSON.
    public let claims: String?
    /// The addresses of the resource's metadata (RFC 9728 §5.1), in the order of the header. Untrusted.
    public let resourceMetadata: [String]
    /// Whether only a new sign-in can meet the challenge (RFC 9470 §4).
    public let requiresSignIn: Bool
    /// Whether the resource rejected the token that it got.
    public let rejectsToken: Bool

    /// Reads the values of all `WWW-Authenticate` headers of one response. Chooses the first Bearer challenge.
    ///
    /// Throws if there is none, if the resource accepts only DPoP tokens, or if the headers are too large or their claims
    /// invalid.
    public init(headers: [String]) throws {
        do {
            let challenges = try Challenge.parse(headers)
            guard !challenges.requiresDPoP else {
                throw MSALAuthenticationError(
                    .invalid("The resource accepts only DPoP tokens (RFC 9449), which are not supported yet."))
            }
            let challenge = try challenges.bearer()
            error = challenge.error
            errorDescription = challenge.errorDescription
            scopes = challenge.scopes.withoutReserved.names
            reservedScopes = challenge.scopes.reservedNames
            acrValues = challenge.acrValues
            maxAge = challenge.maximumAge
            claims = try challenge.claims()?.json.serialized
            resourceMetadata = challenge.resourceMetadata
            requiresSignIn = challenge.requestsStepUp
            rejectsToken = challenge.rejectsToken
        } catch let malformed as Challenge.Malformed {
            throw MSALAuthenticationError(.invalid(malformed.reason))
        } catch let malformed as ClaimsRequest.Malformed { throw MSALAuthenticationError(.invalid(malformed.reason)) }
    }

    /// The resource's explanation and error code in one line for display: shortened, without control characters and without
    /// random runs, which could be tokens.
    public var displayedReason: String? {
        let text = [errorDescription, error.map { errorDescription == nil ? $0 : "(\($0))" }].compactMap(\.self)
        return text.isEmpty ? nil : Privacy().shown(text.joined(separator: " ").withoutControls)
    }

    /// Reads the `WWW-Authenticate` lines of a text, such as the output of `curl -i`, or the value of one header.
    public init(text: String) throws { try self.init(headers: Challenge.fields(in: text)) }

    /// What the API asks for, in a few words; empty if it asks for any token. Untrusted text: sanitise before display.
    package var demand: String {
        let parts = [
            error, scopes.isEmpty ? nil : "scope \(scopes.joined(separator: " "))",
            acrValues.map { "acr_values \($0)" }, maxAge.map { "max_age \($0)" }, claims.map { "claims \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }
}
