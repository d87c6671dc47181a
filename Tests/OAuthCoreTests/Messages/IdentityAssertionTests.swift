import JSON
import OAuthCore
import Testing

/// draft-ietf-oauth-identity-assertion-authz-grant §3.1: the header's `typ`, and the issuer of the other authority as `aud`.
@Suite("Identity assertions") struct IdentityAssertionTests {
    private static func assertion(
        type: String? = IdentityAssertion.headerType,
        payload: JSONValue = .object(["aud": .string("https://a.example")])
    ) -> String {
        let header = JSONValue.object(type.map { ["typ": .string($0)] } ?? [:])
        return JWT.compact(header: header, payload: payload) { _ in [1] }
    }

    private static func parse(_ text: String) throws -> IdentityAssertion {
        let body = JSONValue.object([
            "access_token": .string(text), "issued_token_type": .string(IdentityAssertion.type),
        ])
        return try IdentityAssertion(parsing: HTTPResponse(status: 200, body: Array(body.serialized.utf8)))
    }

    @Test("Name their audience, unless they are encrypted or name none") func audiences() throws {
        #expect(try Self.parse(Self.assertion()).audiences == ["https://a.example"])
        #expect(try Self.parse(Self.assertion(payload: .object([:]))).audiences == [])
        #expect(try Self.parse("a.b.c.d.e").audiences == nil)
    }

    @Test(
        "No other token passes for one, as it would go to another authority",
        arguments: [assertion(type: "at+jwt"), assertion(type: "JWT"), assertion(type: nil), "opaque", "a.b.c"])
    func others(_ text: String) {
        #expect(throws: TokenResponseFailure.self) { try Self.parse(text) }
    }
}
