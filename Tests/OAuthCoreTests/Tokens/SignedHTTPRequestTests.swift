import Foundation
import KeyturnCrypto
import Testing

@testable import OAuthCore

/// The signed HTTP request of a bound token (draft-ietf-oauth-signed-http-request-03 §3, docs/upstream-behaviour.md
/// §11).
@Suite struct SignedHTTPRequestTests {
    /// RFC 7638 §3.1, the example.
    @Test func theThumbprintMatchesThePublishedExample() throws {
        let modulus = """
            0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3\
            oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdA\
            ZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-\
            kEgU8awapJzKnqDKgw
            """
        let key = PublicKey.rsa(
            modulus: try #require(Base64URL.decode(modulus)), exponent: try #require(Base64URL.decode("AQAB")))
        #expect(key.thumbprint == "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs")
    }

    struct Example: CustomTestStringConvertible, Sendable {
        var url: String
        var host: String
        var path: String?
        var names: [String]?
        /// The input of the `q` hash.
        var hashed: String?

        var testDescription: String { url }
    }

    @Test(arguments: [
        Example(url: "https://graph.example", host: "graph.example", path: nil),
        Example(url: "https://graph.example/", host: "graph.example", path: "/"),
        Example(url: "https://graph.example:8443/v1/me", host: "graph.example:8443", path: "/v1/me"),
        Example(url: "https://graph.example/a%20b", host: "graph.example", path: "/a%20b"),
        Example(
            url: "https://graph.example/me?b=2&a=1", host: "graph.example", path: "/me", names: ["b", "a"],
            hashed: "b=2&a=1"),
        Example(
            url: "https://graph.example/me?a=1&b=%20x&a=2", host: "graph.example", path: "/me", names: ["b"],
            hashed: "b=%20x"),
        Example(url: "https://graph.example/me?a=1&a=2", host: "graph.example", path: "/me"),
        Example(
            url: "https://graph.example/me?flag", host: "graph.example", path: "/me", names: ["flag"], hashed: "flag"),
    ])
    func whatIsSignedIsTheRequest(_ example: Example) throws {
        let key = try Self.key.get()
        let request = SignedHTTPRequest(
            accessToken: Secret("the-token"), method: "PATCH", url: try #require(URL(string: example.url)),
            nonce: "n-1", issuedAt: Date(timeIntervalSince1970: 1_767_225_600.7))
        let token = try JWT(parsing: request.signed(with: key).reveal())

        #expect(token.header == ["alg": "RS256", "kid": .string(key.publicKey.thumbprint), "typ": "JWT"])
        #expect(key.publicKey.isValidSignature(token.signature, of: token.signingInput, algorithm: .rs256))
        #expect(token.payload["at"] == "the-token")
        #expect(token.payload["m"] == "PATCH")
        #expect(token.payload["ts"] == 1_767_225_600)
        #expect(token.payload["nonce"] == "n-1")
        #expect(token.payload["u"]?.string == example.host)
        #expect(token.payload["p"]?.string == example.path)
        #expect(token.payload["cnf"]?["jwk"] == .object(key.publicKey.requiredMembers))
        let query = example.names.map { names in
            JSONValue.array([
                .array(names.map(JSONValue.string)),
                .string(Base64URL.encode(SHA2.sha256(Array((example.hashed ?? "").utf8)))),
            ])
        }
        #expect(token.payload["q"] == query)
    }

    @Test func onlyAnRSAKeySigns() throws {
        let key = try PrivateKey.generate(.elliptic(.p256))
        let request = SignedHTTPRequest(
            accessToken: Secret("t"), method: "GET", url: try #require(URL(string: "https://a.example")), nonce: "n",
            issuedAt: Date(timeIntervalSince1970: 0))
        #expect(throws: CryptoFailure.algorithmMismatch) { try request.signed(with: key) }
    }

    @Test func aConfirmationReadsBack() {
        let confirmation = TokenConfirmation(keyID: "a-thumbprint")
        #expect(TokenConfirmation(parsing: confirmation.parameter) == confirmation)
        #expect(
            Base64URL.decode(confirmation.parameter).map { String(decoding: $0, as: UTF8.self) }
                == #"{"kid":"a-thumbprint"}"#)
    }

    @Test(arguments: ["", "!", "e30", "eyJraWQiOiIifQ", "eyJraWQiOjd9", String(repeating: "A", count: 5000)])
    func aConfirmationWithoutAKeyIsInvalid(text: String) {
        #expect(TokenConfirmation(parsing: text) == nil)
    }

    private static let key = Result { try PrivateKey.generate(.rsa(bits: 2048)) }
}
