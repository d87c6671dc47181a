import Foundation
import KeyturnCrypto

/// The claims of an ID token (OpenID Connect Core §2 and §5.1, and Entra's own), unchanged.
package struct IDTokenClaims: Sendable, Equatable {
    package static let maximumSubjectBytes = 255

    package let all: [String: JSONValue]

    package init(_ all: [String: JSONValue]) { self.all = all }

    package var issuer: String? { all["iss"]?.string }
    package var subject: String? { all["sub"]?.string }

    /// The audiences, or `nil` when the claim is missing or contains anything but text.
    package var audiences: [String]? { all["aud"]?.string.map { [$0] } ?? all["aud"]?.strings }

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
        guard let seconds = all[claim]?.number, abs(seconds) <= 253_402_300_799 else { return nil }
        return Date(timeIntervalSince1970: seconds)
    }
}

/// Entra's `client_info`, which identifies the user: base64url of a JSON object with `uid` and `utid`.
package struct ClientInfo: Sendable, Hashable {
    package let uid: String
    package let utid: String
    package let raw: String

    package struct Malformed: Error, Equatable {
        package init() {}
    }

    package init(parsing text: String) throws(Malformed) {
        guard text.utf8.count <= 8192, let bytes = Base64URL.decode(text),
            let value = try? JSONValue(parsing: bytes),
            let uid = value["uid"]?.string, !uid.isEmpty, !uid.hasControlCharacter,
            let utid = value["utid"]?.string, !utid.isEmpty, !utid.hasControlCharacter
        else { throw Malformed() }
        (self.uid, self.utid) = (uid, utid)
        raw = text
    }

    package init(uid: String, utid: String) {
        (self.uid, self.utid) = (uid, utid)
        raw = JSONValue.object(["uid": .string(uid), "utid": .string(utid)]).base64URL
    }

    /// `<uid>.<utid>` in lower case, as in the unified token cache.
    package var homeAccountID: String { "\(uid).\(utid)".lowercased() }
}
