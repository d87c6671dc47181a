import Foundation

/// The claims of an ID token (OpenID Connect Core §2 and §5.1, and Entra's own), unchanged.
package struct IDTokenClaims: Sendable, Equatable {
    /// The maximum length of `sub` in bytes (OpenID Connect Core §2).
    package static let maximumSubjectBytes = 255

    package let all: [String: JSONValue]

    package init(_ all: [String: JSONValue]) { self.all = all }

    package var issuer: String? { all["iss"]?.string }
    package var subject: String? { all["sub"]?.string }

    /// The audiences, or `nil` when the claim is missing or contains anything but text.
    package var audiences: [String]? {
        if let one = all["aud"]?.string { return [one] }
        guard let several = all["aud"]?.array else { return nil }
        let names = several.compactMap(\.string)
        return names.count == several.count ? names : nil
    }

    package var authorizedParty: String? { all["azp"]?.string }
    package var nonce: String? { all["nonce"]?.string }
    package var accessTokenHash: String? { all["at_hash"]?.string }
    package var expiry: Date? { date("exp") }
    package var issuedAt: Date? { date("iat") }
    package var notBefore: Date? { date("nbf") }
    package var authenticationTime: Date? { date("auth_time") }

    // Blank claims count as missing, so that the next claim with a name is used.
    package var name: String? { all["name"]?.visibleText }
    package var givenName: String? { all["given_name"]?.visibleText }
    package var familyName: String? { all["family_name"]?.visibleText }
    package var preferredUsername: String? { all["preferred_username"]?.visibleText }
    package var email: String? { all["email"]?.visibleText }
    /// Whether the email may be another user's. Some providers send a string.
    package var rejectsEmail: Bool { [.bool(false), .string("false")].contains(all["email_verified"] ?? .null) }
    /// Whether a claim names the user for people. A subject alone is allowed (OpenID Connect Core §2).
    package var namesUser: Bool { (preferredUsername ?? email ?? upn ?? name) != nil }
    package var upn: String? { all["upn"]?.visibleText }
    package var objectID: String? { all["oid"]?.visibleText }
    package var tenantID: String? { all["tid"]?.visibleText }

    /// A NumericDate (RFC 7519 §2): a JSON number, not text. Out-of-range values count as missing.
    package func date(_ claim: String) -> Date? {
        let seconds: Double
        switch all[claim] {
        case .integer(let value): seconds = Double(value)
        case .number(let value): seconds = value
        case nil, .null, .bool, .large, .string, .array, .object: return nil
        }
        return abs(seconds) <= 253_402_300_799 ? Date(timeIntervalSince1970: seconds) : nil
    }
}
