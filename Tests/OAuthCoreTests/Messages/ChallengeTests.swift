import OAuthCore
import Testing

/// `WWW-Authenticate` as resources send it.
@Suite("Challenges of resources") struct ChallengeTests {
    private static let metadata = "https://api.example/.well-known/oauth-protected-resource"

    struct Row: Sendable, CustomTestStringConvertible {
        var fields: [String]
        /// The parameters of the first Bearer challenge.
        var read: [String: String]

        init(_ fields: String..., read: [String: String]) {
            self.fields = fields
            self.read = read
        }

        var testDescription: String { fields.joined(separator: " | ") }
    }

    @Test(
        "The parameters of the Bearer challenge",
        arguments: [
            Row("Bearer", read: [:]),
            Row(
                #"Bearer error="invalid_token", error_description="Authentication required", resource_metadata="\#(metadata)""#,
                read: [
                    "error": "invalid_token", "error_description": "Authentication required",
                    "resource_metadata": metadata,
                ]),
            Row(
                #"Bearer error="insufficient_scope",error_description="no",scope="a b""#,
                read: ["error": "insufficient_scope", "error_description": "no", "scope": "a b"]),
            Row(
                #"Bearer error="insufficient_user_authentication", max_age=5, acr_values="urn:mfa urn:phr""#,
                read: [
                    "error": "insufficient_user_authentication", "max_age": "5", "acr_values": "urn:mfa urn:phr",
                ]),
            Row(
                #"Bearer realm="", authorization_uri="https://login.example", error="insufficient_claims", claims="e30==""#,
                read: [
                    "realm": "", "authorization_uri": "https://login.example", "error": "insufficient_claims",
                    "claims": "e30==",
                ]),
            Row(
                "Bearer error=insufficient_claims, claims=e30==",
                read: ["error": "insufficient_claims", "claims": "e30=="]),
            Row(#"Bearer claims="{\"access_token\":{}}""#, read: ["claims": #"{"access_token":{}}"#]),
            Row(
                #"Bearer claims="{"access_token":{"a":{"value":"b"}}}", error="x""#,
                read: ["claims": #"{"access_token":{"a":{"value":"b"}}}"#, "error": "x"]),
            Row(#"Negotiate, Basic realm="a, b", Bearer scope="x""#, read: ["scope": "x"]),
            Row("Negotiate", #"Bearer scope="x""#, read: ["scope": "x"]),
            Row(#"Negotiate YII==, Bearer scope="x""#, read: ["scope": "x"]),
            Row(#"Negotiate YIIabc, Bearer scope="x""#, read: ["scope": "x"]),
            Row(#"Bearer scope="x", DPoP algs="ES256 PS256", scope="y""#, read: ["scope": "x"]),
            Row(#"Bearer, scope="x""#, read: ["scope": "x"]),
            Row("Bearer scope = 'x y'", read: ["scope": "x y"]),
            Row(#"bearer ERROR="invalid_token""#, read: ["error": "invalid_token"]),
            Row(
                #"Bearer error_description="say \"hi, there\"", scope="x""#,
                read: ["error_description": #"say "hi, there""#, "scope": "x"]),
            Row(#"Bearer error="invalid_token"#, read: [:]),
            Row(#"Bearer " , scope="x" ,, = , ""#, read: ["scope": "x"]),
            Row(#"Bearer claims="{"a""#, read: ["claims": "{"]),
        ])
    func parameters(_ row: Row) throws {
        let bearer = try Challenge.parse(row.fields).bearer()
        let read = bearer.parameters.pairs.map { ($0.name, $0.value) }
        #expect(Dictionary(read) { first, _ in first } == row.read)
    }

    @Test("Repeated metadata addresses keep their order") func repeated() throws {
        let read = try Challenge.parse([#"Bearer resource_metadata="A", error="invalid_token", resource_metadata="B""#])
        #expect(try read.bearer().resourceMetadata == ["A", "B"])
    }

    @Test("Only a DPoP challenge requires DPoP", arguments: [("DPoP algs=\"ES256\"", true), ("DPoP, Bearer", false)])
    func dpop(_ field: String, _ isRequired: Bool) throws {
        #expect(try Challenge.parse([field]).requiresDPoP == isRequired)
    }

    @Test(
        "Ages that aren't numbers of seconds are ignored", arguments: [("5", 5), ("0", 0), ("-1", nil), ("soon", nil)])
    func age(_ text: String, _ seconds: Int?) throws {
        #expect(try Challenge.parse(["Bearer max_age=\(text)"]).bearer().maximumAge == seconds)
    }

    @Test(
        "Only a fresh authentication, or one in a context, requires a step-up; an empty context is none",
        arguments: [
            (#"error="insufficient_user_authentication""#, nil, true), (#"acr_values="c1 c2""#, "c1 c2", true),
            (#"acr_values="""#, nil, false), (#"error="invalid_token""#, nil, false),
        ])
    func stepUp(_ parameter: String, _ contexts: String?, _ isStepUp: Bool) throws {
        let bearer = try Challenge.parse(["Bearer \(parameter)"]).bearer()
        #expect(bearer.acrValues == contexts && bearer.requestsStepUp == isStepUp)
    }

    @Test(
        "Only invalid_token rejects the token",
        arguments: [("invalid_token", true), ("insufficient_scope", false), ("", false)])
    func rejection(_ error: String, _ isRejected: Bool) throws {
        #expect(try Challenge.parse([#"Bearer error="\#(error)""#]).bearer().rejectsToken == isRejected)
    }

    @Test("Challenges over the limits are rejected, whatever they contain")
    func limits() throws {
        let long = "Bearer realm=\"\(String(repeating: "a", count: 10_000_000))\""
        #expect(throws: Challenge.Malformed.tooLong) { try Challenge.parse([long]) }
        let many = "Bearer " + (0..<100).map { "p\($0)=\"v\"" }.joined(separator: ", ")
        #expect(throws: Challenge.Malformed.tooManyParameters) { try Challenge.parse([many]) }
        #expect(throws: Challenge.Malformed.noBearer) { try Challenge.parse(["Basic realm=\"x\""]).bearer() }
    }

    @Test(
        "The header lines of a response, or the value of one header",
        arguments: [
            (
                "HTTP/1.1 401\r\nWWW-Authenticate: Negotiate\r\nwww-authenticate: Bearer a=b\r\n",
                ["Negotiate", "Bearer a=b"]
            ),
            (" Bearer a=b\n", ["Bearer a=b"]),
        ])
    func fields(_ text: String, _ fields: [String]) { #expect(Challenge.fields(in: text) == fields) }

    @Test(
        "Claims as JSON, base64 or base64url, with and without padding",
        arguments: [
            #"{"access_token":{"acrs":{"essential":true,"value":"cp1"}}}"#,
            "eyJhY2Nlc3NfdG9rZW4iOnsiYWNycyI6eyJlc3NlbnRpYWwiOnRydWUsInZhbHVlIjoiY3AxIn19fQ==",
            "eyJhY2Nlc3NfdG9rZW4iOnsiYWNycyI6eyJlc3NlbnRpYWwiOnRydWUsInZhbHVlIjoiY3AxIn19fQ",
        ])
    func claims(_ text: String) throws {
        let claims = try ClaimsRequest(challenge: text)
        #expect(claims.json.serialized == #"{"access_token":{"acrs":{"essential":true,"value":"cp1"}}}"#)
    }

    @Test("Other texts are no claims", arguments: ["", "not claims", "e30=x", "W10=", "////"])
    func noClaims(_ text: String) {
        #expect(throws: ClaimsRequest.Malformed.notJSONObject) { try ClaimsRequest(challenge: text) }
    }

    @Test("Merged claims contain both requests") func merging() throws {
        let one = try ClaimsRequest(parsing: #"{"access_token":{"a":null,"b":{"value":"1"}}}"#)
        let other = try ClaimsRequest(parsing: #"{"access_token":{"b":{"value":"2"}},"id_token":{"c":null}}"#)
        #expect(
            one.merging(other).json.serialized
                == #"{"access_token":{"a":null,"b":{"value":"2"}},"id_token":{"c":null}}"#)
    }

    @Test(
        "Mistakes that are accepted are named",
        arguments: [
            (#"Bearer realm="a, b", error="x", max_age=5"#, []), (#"Negotiate, Basic realm="a", Bearer scope="x""#, []),
            ("Negotiate oRswGaADCgEBoxIEEAEAAAB==", []), (#"Bearer realm = "x" , scope="y""#, []), ("Bearer", []),
            (#"Bearer, scope="x""#, [.strayComma]), (#"Bearer a="x" b="y""#, [.missingComma]),
            ("Bearer scope='x'", [.singleQuotes]), ("Bearer resource_metadata=https://api.example/x", [.unquoted]),
            ("Bearer scope=", [.unquoted]), (#"Bearer claims="{"a":1}""#, [.unescaped]),
            (#"Bearer error="x"#, [.unterminated]), (#"Bearer ""#, [.strayQuote]),
        ] as [(String, [Challenge.Mistake])])
    func mistakes(field: String, mistakes: [Challenge.Mistake]) {
        #expect(Challenge.mistakes(in: [field]) == mistakes)
    }
}
