import Foundation
import KeyturnCrypto
import OAuthCore

extension FuzzTarget {
    /// Encoding a decoded token returns the same token, and its checks give every result in printable words.
    static let jwt = FuzzTarget("jwt") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let token: JWT
        do throws(JWTMalformed) {
            token = try JWT(parsing: text)
        } catch {
            try requirePlain("\(error)", "the reason against the token")
            return .rejected
        }
        try require(text.utf8.starts(with: token.signingInput), "the signed text is the start of the token")
        let signature = token.signature
        let again = JWT.compact(header: .object(token.header), payload: .object(token.payload)) { _ in signature }
        let copy = try? JWT(parsing: again)
        try requireEqual(copy?.header, token.header, "the header of the token written again")
        try requireEqual(copy?.payload, token.payload, "the payload of the token written again")
        try requireEqual(copy?.signature, token.signature, "the signature of the token written again")
        try judge(token)
        return .accepted
    }

    private static func judge(_ token: JWT) throws {
        var input = IDTokenRules.Input(
            token: token, issuer: IssuerTemplate("https://login.example/{tenantid}/v2.0"), clientID: "client",
            localTime: Date(timeIntervalSince1970: 1_700_000_000))
        input.keys = JWKSet(keys: [])
        input.nonce = "nonce"
        input.accessToken = Secret("access token of this answer")
        input.maximumAge = 60
        input.requestedContexts = ["c1"]
        let verdicts = IDTokenRules().judge(input)
        try requireEqual(verdicts.map(\.rule), Verdict.Rule.allCases, "the checked rules")
        try require(!verdicts.failures.isEmpty, "a token was accepted without a key")
        for verdict in verdicts {
            try requirePlain(verdict.explanation, "the result of \(verdict.rule.rawValue)")
            try requireHidden([input.accessToken?.reveal() ?? ""], in: verdict.explanation, "a result")
        }
    }

    /// OpenSSL accepts every key, and the encoded set has the same keys.
    static let keySet = FuzzTarget("key-set") { bytes in
        guard let set = try? JWKSet(parsing: bytes) else { return .rejected }
        try require(set.keys.count <= JWKSet.maximumKeys, "the number of keys")
        try requireEqual(Set(set.keys).count, set.keys.count, "the number of distinct keys")
        let again = try? JWKSet(parsing: Array(set.json.serialized.utf8))
        try requireEqual(again?.keys, set.keys, "the keys of the set written again")
        try requireEqual(again?.skipped, [], "the omitted keys of the set written again")
        for key in set.keys.prefix(4) {
            for algorithm in SignatureAlgorithm.allCases where key.fits(algorithm) {
                let isValid = key.publicKey.isValidSignature([1, 2, 3], of: [4, 5], algorithm: algorithm)
                try require(!isValid, "three bytes are not a signature")
            }
        }
        return .accepted
    }
}
