import Foundation
import KeyturnCrypto
import OAuthCore
import Testing

/// A token that follows every rule, and changes that break it.
private struct Issued {
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let issuer = "https://login.example/{tenantid}/v2.0"
    static let accessToken = "an-access-token"

    var header: [String: JSONValue] = ["typ": "JWT", "alg": "ES256", "kid": "k1"]
    var claims: [String: JSONValue] = [
        "iss": "https://login.example/t1/v2.0", "tid": "t1", "aud": "client", "sub": "person", "nonce": "n1",
        "iat": 1_799_999_990, "nbf": 1_799_999_990, "exp": 1_800_003_590,
    ]

    let key: PrivateKey

    init() throws {
        key = try PrivateKey.generate(.elliptic(.p256))
        let hash = SHA2.sha256(Array(Self.accessToken.utf8)).prefix(16)
        claims["at_hash"] = .string(Base64URL.encode(Array(hash)))
    }

    func input(signedBy signer: PrivateKey? = nil) throws -> IDTokenRules.Input {
        let signer = signer ?? key
        let text = try JWT.compact(header: .object(header), payload: .object(claims)) { input throws(CryptoFailure) in
            try signer.sign(input, algorithm: .es256)
        }
        var input = IDTokenRules.Input(
            token: try JWT(parsing: text), issuer: IssuerTemplate(Self.issuer), clientID: "client", localTime: Self.now)
        input.serverTime = Self.now
        input.keys = JWKSet(keys: [JWK(key.publicKey, keyID: "k1", algorithm: "ES256")])
        input.nonce = "n1"
        input.accessToken = Secret(Self.accessToken)
        return input
    }
}

private func outcomes(_ input: IDTokenRules.Input) -> [Verdict.Rule: Verdict.Outcome] {
    let verdicts = IDTokenRules().judge(input)
    return Dictionary(uniqueKeysWithValues: verdicts.map { ($0.rule, $0.outcome) })
}

@Suite("ID token rules")
struct IDTokenRulesTests {
    @Test("A valid token passes all checks that apply")
    func good() throws {
        let verdicts = IDTokenRules().judge(try Issued().input())
        #expect(verdicts.map(\.rule) == Verdict.Rule.allCases)
        #expect(verdicts.failures.isEmpty)
        let skipped = verdicts.filter { $0.outcome == .skipped }.map(\.rule)
        #expect(skipped == [.authorizedParty, .authenticationTime, .authenticationContext])
        #expect(verdicts.allSatisfy { $0.explanation.hasSuffix(".") })
    }

    @Test("A client ID that is a GUID may be configured in other letter case than the authority writes it")
    func letterCase() throws {
        var issued = try Issued()
        issued.claims["aud"] = "6b657974-7572-4e00-8000-64656d6f0001"
        issued.claims["azp"] = issued.claims["aud"]
        var input = try issued.input()
        input.clientID = "6B657974-7572-4E00-8000-64656D6F0001"
        #expect(IDTokenRules().judge(input).failures.isEmpty)
        input.clientID = "6B657974-7572-4E00-8000-64656D6F0002"
        #expect(IDTokenRules().judge(input).failures.map(\.rule) == [.audience, .authorizedParty])
    }

    /// One changed claim, and the result of its rule; no other result may change.
    struct Row: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var claims: [String: JSONValue?]
        var rule: Verdict.Rule
        var outcome: Verdict.Outcome = .failed
    }

    static let rows: [Row] = [
        Row(testDescription: "no issuer", claims: ["iss": nil], rule: .issuer),
        Row(testDescription: "another issuer", claims: ["iss": "https://login.evil/t1/v2.0"], rule: .issuer),
        Row(
            testDescription: "another tenant's issuer", claims: ["iss": "https://login.example/t2/v2.0"], rule: .issuer),
        Row(
            testDescription: "an issuer with an extra slash", claims: ["iss": "https://login.example/t1/v2.0/"],
            rule: .issuer),
        Row(testDescription: "no tenant", claims: ["tid": nil], rule: .issuer),
        Row(
            testDescription: "a tenant that is a path",
            claims: ["tid": "a/b", "iss": "https://login.example/a/b/v2.0"],
            rule: .issuer),
        Row(testDescription: "no audience", claims: ["aud": nil], rule: .audience),
        Row(testDescription: "another audience", claims: ["aud": "other"], rule: .audience),
        Row(testDescription: "an audience in other letter case", claims: ["aud": "Client"], rule: .audience),
        Row(testDescription: "an empty list of audiences", claims: ["aud": []], rule: .audience),
        Row(testDescription: "a list with something else", claims: ["aud": ["client", 1]], rule: .audience),
        Row(testDescription: "a list of one audience", claims: ["aud": ["client"]], rule: .audience, outcome: .passed),
        Row(
            testDescription: "several audiences and no azp", claims: ["aud": ["client", "api"]], rule: .authorizedParty),
        Row(
            testDescription: "several audiences and this client's azp",
            claims: ["aud": ["client", "api"], "azp": "client"],
            rule: .authorizedParty, outcome: .passed),
        Row(testDescription: "another client's azp", claims: ["azp": "other"], rule: .authorizedParty),
        Row(testDescription: "an azp that is a number", claims: ["azp": 1], rule: .authorizedParty),
        Row(testDescription: "no subject", claims: ["sub": nil], rule: .subject),
        Row(testDescription: "an empty subject", claims: ["sub": ""], rule: .subject),
        Row(
            testDescription: "an endless subject", claims: ["sub": .string(String(repeating: "s", count: 256))],
            rule: .subject),
        Row(testDescription: "no nonce", claims: ["nonce": nil], rule: .nonce),
        Row(testDescription: "another nonce", claims: ["nonce": "n2"], rule: .nonce),
        Row(testDescription: "a nonce that is a number", claims: ["nonce": 1], rule: .nonce),
        Row(testDescription: "no expiry", claims: ["exp": nil], rule: .expiry),
        Row(testDescription: "an expiry in text", claims: ["exp": "1800003590"], rule: .expiry),
        Row(testDescription: "expired beyond the tolerance", claims: ["exp": 1_799_999_700], rule: .expiry),
        Row(testDescription: "just not expired", claims: ["exp": 1_799_999_701], rule: .expiry, outcome: .passed),
        Row(testDescription: "no nbf", claims: ["nbf": nil], rule: .notBefore, outcome: .skipped),
        Row(testDescription: "an nbf in text", claims: ["nbf": "soon"], rule: .notBefore),
        Row(testDescription: "valid beyond the tolerance", claims: ["nbf": 1_800_000_301], rule: .notBefore),
        Row(testDescription: "just valid", claims: ["nbf": 1_800_000_300], rule: .notBefore, outcome: .passed),
        Row(testDescription: "no iat", claims: ["iat": nil], rule: .issuedAt),
        Row(testDescription: "issued in the future", claims: ["iat": 1_800_000_301], rule: .issuedAt),
        Row(testDescription: "no at_hash", claims: ["at_hash": nil], rule: .accessTokenHash, outcome: .skipped),
        Row(testDescription: "another at_hash", claims: ["at_hash": "AAAAAAAAAAAAAAAAAAAAAA"], rule: .accessTokenHash),
        Row(testDescription: "an at_hash that is a number", claims: ["at_hash": 1], rule: .accessTokenHash),
    ]

    @Test("A wrong claim fails its own check and no other", arguments: rows)
    func broken(row: Row) throws {
        var issued = try Issued()
        let before = outcomes(try issued.input())
        for (name, value) in row.claims { issued.claims[name] = value }
        var expected = before
        expected[row.rule] = row.outcome
        #expect(outcomes(try issued.input()) == expected)
    }

    @Test("Missing facts skip a check, which is not a failure")
    func unknown() throws {
        var input = try Issued().input()
        input.keys = nil
        input.nonce = nil
        input.accessToken = nil
        input.serverTime = nil
        let verdicts = outcomes(input)
        for rule in [Verdict.Rule.signature, .nonce, .accessTokenHash, .clock] {
            #expect(verdicts[rule] == .skipped)
        }
        #expect(!verdicts.values.contains(.failed))
    }

    @Test(
        "A refreshed token must have the same subject",
        arguments: [("person", Verdict.Outcome.passed), ("other", .failed)])
    func sameSubject(expected: String, outcome: Verdict.Outcome) throws {
        var input = try Issued().input()
        input.expectedSubject = expected
        #expect(outcomes(input)[.subject] == outcome)
    }

    @Test(
        "A nonce in a refreshed token must be that of the sign-in",
        arguments: [
            ("n1", "n1", Verdict.Outcome.passed), ("n2", "n1", .failed), (7, "n1", .failed), (nil, "n1", .skipped),
            ("n2", nil, .skipped),
        ] as [(JSONValue?, String?, Verdict.Outcome)])
    func refreshedNonce(nonce: JSONValue?, original: String?, outcome: Verdict.Outcome) throws {
        var issued = try Issued()
        issued.claims["nonce"] = nonce
        var input = try issued.input()
        (input.nonce, input.originalNonce) = (nil, original)
        #expect(outcomes(input)[.nonce] == outcome)
    }

    @Test("A time that isn't a number is invalid, not missing", arguments: ["exp", "iat", "nbf"])
    func textInPlaceOfTime(claim: String) throws {
        var issued = try Issued()
        issued.claims[claim] = "1800003590"
        let failures = IDTokenRules().judge(try issued.input()).failures
        #expect(failures.count == 1)
        #expect(failures.first?.explanation.contains("(\(claim)) is not a valid number") == true)
    }

    @Test("Values are masked before they are shortened")
    func masks() throws {
        let secret = String(repeating: "s3cret-", count: 30)
        var issued = try Issued()
        issued.header["kid"] = .string("key " + secret)
        for claim in ["iss", "aud", "azp", "nonce", "sub"] { issued.claims[claim] = .string("\(claim) \(secret)") }
        var input = try issued.input()
        input.expectedSubject = "person"
        let rules = IDTokenRules { $0.replacing(secret, with: "hidden") }
        let text = rules.judge(input).map(\.explanation).joined(separator: " ")
        #expect(!text.contains("s3cret"))
        #expect(text.contains("key hidden") && text.contains("iss hidden") && text.contains("azp hidden"))
    }

    static let ages: [(JSONValue, Verdict.Outcome)] = [
        (1_799_999_900, .passed), (1_799_999_600, .passed), (1_799_999_599, .failed), (.null, .failed), ("x", .failed),
    ]

    @Test("A requested fresh authentication must have happened", arguments: ages)
    func maximumAge(time: JSONValue, outcome: Verdict.Outcome) throws {
        var issued = try Issued()
        issued.claims["auth_time"] = time
        var input = try issued.input()
        input.maximumAge = 100
        #expect(outcomes(input)[.authenticationTime] == outcome)
    }

    static let contexts: [(JSONValue?, Verdict.Outcome)] = [
        ("c1", .passed), ("c2", .passed), ("c3", .warning), (nil, .warning),
    ]

    @Test("Another authentication method than the requested ones is a warning", arguments: contexts)
    func authenticationContext(acr: JSONValue?, outcome: Verdict.Outcome) throws {
        var issued = try Issued()
        issued.claims["acr"] = acr
        var input = try issued.input()
        input.requestedContexts = ["c1", "c2"]
        #expect(outcomes(input)[.authenticationContext] == outcome)
    }
}

@Suite("ID token rules: clocks")
struct IDTokenClockTests {
    @Test(
        "A wrong local clock alone is a warning",
        arguments: [
            (0.0, Verdict.Outcome.passed), (60, .passed), (-60, .passed), (61, .warning), (-61, .warning),
            (86_400 * 365, .warning),
        ])
    func skew(seconds: Double, outcome: Verdict.Outcome) throws {
        var input = try Issued().input()
        input.localTime += seconds
        let verdicts = IDTokenRules().judge(input)
        #expect(verdicts.first { $0.rule == .clock }?.outcome == outcome)
        #expect(verdicts.failures.isEmpty)
    }

    @Test("The warning names direction and difference")
    func explanation() throws {
        var input = try Issued().input()
        input.localTime -= 7200
        let clock = IDTokenRules().judge(input).first { $0.rule == .clock }
        #expect(clock?.explanation == "This computer's clock is 2 h behind the authority's.")
    }

    @Test("The authority's clock decides on expiry")
    func serverDecides() throws {
        var input = try Issued().input()
        input.serverTime = Issued.now + 86_400
        #expect(outcomes(input)[.expiry] == .failed)
        input.serverTime = Issued.now
        input.localTime += 86_400
        #expect(outcomes(input)[.expiry] == .passed)
    }

    @Test("Without it, this computer's clock decides")
    func localDecides() throws {
        var input = try Issued().input()
        input.serverTime = nil
        input.localTime += 86_400
        let expiry = IDTokenRules().judge(input).first { $0.rule == .expiry }
        #expect(expiry?.outcome == .failed)
        #expect(expiry?.explanation.contains("this computer's clock") == true)
    }
}

@Suite("ID token rules: signatures")
struct IDTokenSignatureTests {
    @Test(
        "Algorithms without a signature are rejected, with or without keys",
        arguments: [
            "none", "None", "HS256", "HS512", "RS1", "", "es256",
        ])
    func algorithms(name: String) throws {
        var issued = try Issued()
        issued.header["alg"] = .string(name)
        var input = try issued.input()
        #expect(outcomes(input)[.signature] == .failed)
        input.keys = nil
        #expect(outcomes(input)[.signature] == .failed)
    }

    @Test("A token without its signature is rejected")
    func stripped() throws {
        var issued = try Issued()
        issued.header["alg"] = "none"
        let parts = [issued.header, issued.claims].map {
            Base64URL.encode(Array(JSONValue.object($0).serialized.utf8))
        }
        var input = try issued.input()
        input.token = try JWT(parsing: parts.joined(separator: ".") + ".")
        #expect(outcomes(input)[.signature] == .failed)
    }

    @Test("Another key with the same kid does not verify")
    func forged() throws {
        let forger = try PrivateKey.generate(.elliptic(.p256))
        #expect(outcomes(try Issued().input(signedBy: forger))[.signature] == .failed)
    }

    @Test("A changed claim invalidates the signature")
    func changed() throws {
        let issued = try Issued()
        let input = try issued.input()
        var other = issued
        other.claims["sub"] = "another user"
        var changed = try other.input()
        let text = String(decoding: changed.token.signingInput, as: UTF8.self)
        changed.token = try JWT(parsing: "\(text).\(Base64URL.encode(input.token.signature))")
        #expect(outcomes(changed)[.signature] == .failed)
    }

    @Test("An unknown kid is rejected, so that the caller fetches the keys again")
    func rotated() throws {
        var issued = try Issued()
        issued.header["kid"] = "k2"
        let input = try issued.input()
        #expect(outcomes(input)[.signature] == .failed)
    }

    @Test("Without a kid the only key verifies, or the matching one of several")
    func noKeyID() throws {
        var issued = try Issued()
        issued.header["kid"] = nil
        var input = try issued.input()
        #expect(outcomes(input)[.signature] == .passed)
        let other = try PrivateKey.generate(.elliptic(.p256)).publicKey
        let edwards = try PrivateKey.generate(.ed25519).publicKey
        input.keys = JWKSet(keys: [
            JWK(edwards, keyID: "a"), JWK(other, keyID: "b"), JWK(issued.key.publicKey, keyID: "c"),
        ])
        #expect(outcomes(input)[.signature] == .passed)
        input.keys = JWKSet(keys: [JWK(edwards, keyID: "a"), JWK(other, keyID: "b")])
        #expect(outcomes(input)[.signature] == .failed)
    }

    static let unusableKeys: [(member: String, value: JSONValue, reason: String)] = [
        ("n", .string(Base64URL.encode([0x80] + [UInt8](repeating: 7, count: 127))), "it has 1024 bits"),
        ("use", "enc", "it is not for verifying signatures"), ("kty", "oct", "its type (kty) is unknown"),
    ]

    @Test("A published but unusable key is not reported as missing", arguments: unusableKeys)
    func unusableKey(member: String, value: JSONValue, reason: String) throws {
        var key: [String: JSONValue] = [
            "kty": "RSA", "kid": "k1", "n": .string(Base64URL.encode([0x80] + [UInt8](repeating: 7, count: 255))),
            "e": "AQAB",
        ]
        key[member] = value
        let set: JSONValue = ["keys": [.object(key)]]
        var issued = try Issued()
        for keyID in ["k1", nil] as [String?] {
            issued.header["kid"] = keyID.map(JSONValue.string)
            var input = try issued.input()
            input.keys = try JWKSet(parsing: Array(set.serialized.utf8))
            let verdict = IDTokenRules().judge(input).first { $0.rule == .signature }
            #expect(verdict?.outcome == .failed)
            #expect(verdict?.explanation.contains(reason) == true, "\(verdict?.explanation ?? "")")
            #expect(verdict?.explanation.contains("not among") == false)
        }
    }

    @Test("A key for another algorithm does not verify")
    func wrongAlgorithm() throws {
        let issued = try Issued()
        var input = try issued.input()
        input.keys = JWKSet(keys: [JWK(issued.key.publicKey, keyID: "k1", algorithm: "ES384")])
        #expect(outcomes(input)[.signature] == .failed)
    }

    @Test(
        "A key of one issuer does not verify for another",
        arguments: [
            ("https://login.example/{tenantid}/v2.0", Verdict.Outcome.passed),
            ("https://login.example/t1/v2.0", .passed),
            ("https://login.example/t2/v2.0", .failed),
        ])
    func boundKey(issuer: String, outcome: Verdict.Outcome) throws {
        let issued = try Issued()
        var input = try issued.input()
        input.keys = JWKSet(keys: [JWK(issued.key.publicKey, keyID: "k1", issuer: issuer)])
        #expect(outcomes(input)[.signature] == outcome)
    }

    @Test("Every accepted algorithm verifies with its own key")
    func everyAlgorithm() throws {
        let rsa = try PrivateKey.generate(.rsa(bits: 2048))
        let keys: [(PrivateKey, [SignatureAlgorithm])] = [
            (rsa, [.rs256, .rs384, .rs512, .ps256, .ps384, .ps512]),
            (try PrivateKey.generate(.elliptic(.p256)), [.es256]),
            (try PrivateKey.generate(.elliptic(.p384)), [.es384]),
            (try PrivateKey.generate(.elliptic(.p521)), [.es512]), (try PrivateKey.generate(.ed25519), [.eddsa]),
        ]
        for (key, algorithms) in keys {
            for algorithm in algorithms {
                let header: JSONValue = ["alg": .string(algorithm.rawValue), "kid": "k"]
                let text = try JWT.compact(header: header, payload: [:]) { input throws(CryptoFailure) in
                    try key.sign(input, algorithm: algorithm)
                }
                var input = IDTokenRules.Input(
                    token: try JWT(parsing: text), issuer: IssuerTemplate("i"), clientID: "c", localTime: Issued.now)
                input.keys = JWKSet(keys: [JWK(key.publicKey, keyID: "k")])
                #expect(outcomes(input)[.signature] == .passed, "\(algorithm)")
            }
        }
    }

    @Test("Explanations contain no token and no nonce")
    func noSecrets() throws {
        let forger = try PrivateKey.generate(.elliptic(.p256))
        let input = try Issued().input(signedBy: forger)
        let text = IDTokenRules().judge(input).map(\.explanation).joined()
        #expect(!text.contains(Issued.accessToken))
        #expect(!text.contains("n1"))
        #expect(!text.contains(Base64URL.encode(input.token.signature)))
    }

    @Test(
        "Explanations contain no escape sequences",
        arguments: ["alg", "kid", "iss", "aud", "azp", "sub", "acr"])
    func plain(member: String) throws {
        var issued = try Issued()
        let hostile: JSONValue = "a\u{1B}[2J\u{7F}\u{202E}b"
        if issued.header[member] != nil { issued.header[member] = hostile } else { issued.claims[member] = hostile }
        var input = try issued.input()
        input.requestedContexts = ["c1"]
        let text = IDTokenRules().judge(input).map(\.explanation).joined()
        #expect(text.contains("a[2Jb"))
        #expect(text.unicodeScalars.elementsEqual(text.withoutControls.unicodeScalars))
    }
}

@Suite("Issuers with a tenant placeholder")
struct IssuerTemplateTests {
    @Test(
        "Are filled with a tenant of plain characters",
        arguments: [
            ("https://a/{tenantid}/v2.0", "t-1", "https://a/t-1/v2.0"), ("https://a/{tenantid}/v2.0", nil, nil),
            ("https://a/{tenantid}/v2.0", "x/y", nil), ("https://a/{tenantid}/v2.0", "", nil),
            ("https://a", nil, "https://a"),
            ("https://a", "x/y", "https://a"),
        ])
    func fill(text: String, tenant: String?, issuer: String?) {
        #expect(IssuerTemplate(text).issuer(tenantID: tenant) == issuer)
    }

    @Test(
        "Match the issuers they can become",
        arguments: [
            ("https://a/{tenantid}/v2.0", "https://a/t/v2.0", true),
            ("https://a/{tenantid}/v2.0", "https://a//v2.0", false),
            ("https://a/{tenantid}/v2.0", "https://a/v2.0", false),
            ("https://a/{tenantid}/v2.0", "https://a/b/c/v2.0", false),
            ("https://a", "https://a", true), ("https://a", "https://a/", false),
            ("https://a/{tenantid}", "https://a/{tenantid}", false),
        ])
    func match(text: String, issuer: String, isMatch: Bool) {
        #expect(IssuerTemplate(text).matches(issuer) == isMatch)
    }
}
