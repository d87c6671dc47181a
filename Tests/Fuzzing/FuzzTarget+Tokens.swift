import Foundation
import KeyturnCrypto
import OAuthCore

extension FuzzTarget {
    /// A token made of what was read is the same token, and whatever is in one, its rules give every verdict in words
    /// that can be printed.
    static let jwt = FuzzTarget("jwt") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let token: JWT
        do throws(JWTMalformed) {
            token = try JWT(parsing: text)
        } catch {
            try requirePlain("\(error)", "why it is no token")
            return .refused
        }
        try require(text.utf8.starts(with: token.signingInput), "what is signed is the beginning of the token")
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
        try requireEqual(verdicts.map(\.rule), Verdict.Rule.allCases, "the rules that were judged")
        try require(!verdicts.failures.isEmpty, "a token was believed without a key")
        for verdict in verdicts {
            try requirePlain(verdict.explanation, "the verdict \(verdict.rule.rawValue)")
            try requireHidden([input.accessToken?.reveal() ?? ""], in: verdict.explanation, "a verdict")
        }
    }

    /// Every key is one that OpenSSL can be asked about, and the set written again holds the same keys.
    static let keySet = FuzzTarget("key-set") { bytes in
        guard let set = try? JWKSet(parsing: bytes) else { return .refused }
        try require(set.keys.count <= JWKSet.maximumKeys, "no more keys than are allowed")
        try requireEqual(Set(set.keys).count, set.keys.count, "keys that stand there once")
        let again = try? JWKSet(parsing: Array(set.json.serialized.utf8))
        try requireEqual(again?.keys, set.keys, "the keys of the set written again")
        try requireEqual(again?.skipped, [], "the keys that were left out of the set written again")
        for key in set.keys.prefix(4) {
            for algorithm in SignatureAlgorithm.allCases where key.fits(algorithm) {
                let isValid = key.publicKey.isValidSignature([1, 2, 3], of: [4, 5], algorithm: algorithm)
                try require(!isValid, "three bytes are no signature")
            }
        }
        return .accepted
    }
}
