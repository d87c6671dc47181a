import Crypto
import Foundation
import OAuthCore

/// What goes wrong inside of an ID token.
extension Fault {
    func spoil(_ claims: inout [String: JSONValue], isRenewal: Bool) {
        switch self {
        case .wrongIssuer: claims["iss"] = "https://elsewhere.example"
        case .renewedWrongIssuer: if isRenewal { claims["iss"] = "https://elsewhere.example" }
        case .missingSubject: claims["sub"] = nil
        case .renewedWrongSubject: if isRenewal { claims["sub"] = "somebody-else" }
        case .wrongAudience: claims["aud"] = "another-client"
        case .missingAudience: claims["aud"] = nil
        case .otherAuthorizedParty:
            claims["aud"] = .array([claims["aud"] ?? .null, "another-client"])
            claims["azp"] = "another-client"
        case .missingIssuedAt: claims["iat"] = nil
        case .expired: shift(&claims, ["iat", "nbf", "exp", "auth_time"], by: -86400)
        case .notYetValid: shift(&claims, ["nbf"], by: 86400)
        case .wrongNonce: claims["nonce"] = "another-nonce"
        case .missingNonce: claims["nonce"] = nil
        case .wrongAccessTokenHash: claims["at_hash"] = .string(TokenContent.accessTokenHash("another-token"))
        case .missingAccessTokenHash: claims["at_hash"] = nil
        case .controlCharactersInName: claims["name"] = "Ann\u{1B}[2J\u{7}\u{202E} Archer"
        default: break
        }
    }

    private func shift(_ claims: inout [String: JSONValue], _ names: [String], by seconds: Double) {
        for name in names {
            claims[name] = claims[name]?.double.map { .integer(Int64($0 + seconds)) }
        }
    }

    func spoil(header: inout [String: JSONValue]) {
        switch self {
        case .unsigned: header["alg"] = "none"
        case .sharedSecretSignature: header["alg"] = "HS256"
        case .keyIDAbsentOneKey, .keyIDAbsentSeveralKeys: header["kid"] = nil
        case .unknownKeyID: header["kid"] = "a-key-that-nobody-published"
        default: break
        }
    }

    /// The token in compact form, after it was signed.
    func spoil(token: String) -> String {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, var signature = Base64URL.decode(parts[2]) else { return token }
        switch self {
        case .unsigned: return "\(parts[0]).\(parts[1])."
        case .sharedSecretSignature:
            // As long as HMAC-SHA256's; who knows the secret does not matter, for there is none.
            return "\(parts[0]).\(parts[1]).\(Base64URL.encode(SHA2.sha256(signature)))"
        case .wrongSignature, .wrongES256Signature:
            signature[signature.count / 2] ^= 1
            return "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))"
        case .notAToken: return "neither header nor claims"
        default: return token
        }
    }
}
