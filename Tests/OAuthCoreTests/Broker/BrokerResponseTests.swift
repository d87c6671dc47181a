import Foundation
import KeyturnCrypto
import OAuthCore
import Testing

/// The responses of brokers, with every known quirk (docs/upstream-behaviour.md §13).
@Suite struct BrokerResponseTests {
    private func answer(_ text: String) throws -> BrokerResponse { try BrokerResponse(parsing: Secret(text)) }

    private func tokens(_ response: String) throws -> BrokerTokens {
        try BrokerTokens(try answer(#"{"brokerTokenResponse":\#(response),"telemetry":{"broker_version":"2.0.1"}}"#))
    }

    private static func jwt(expiry: Int) -> String {
        let payload = Base64URL.encode(Array(#"{"exp":\#(expiry)}"#.utf8))
        return "\(Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))).\(payload)."
    }

    @Test func everyMemberOfATokenResponse() throws {
        let info = ClientInfo(uid: "oid", utid: "tid").raw
        let tokens = try tokens(
            """
            {"accessToken":"at","accessTokenType":0,"idToken":"it","clientInfo":"\(info)","expiresOn":1767229200000,
            "extendedExpiresOn":1767232800000,"grantedScopes":"User.Read openid",
            "account":{"homeAccountId":"OID.tid","username":"ann"}}
            """)
        #expect(tokens.accessToken == Secret("at"))
        #expect(tokens.idToken == Secret("it"))
        #expect(tokens.clientInfo?.homeAccountID == "oid.tid")
        #expect(tokens.expiresOn == Date(timeIntervalSince1970: 1_767_229_200))
        #expect(tokens.extendedExpiresOn == Date(timeIntervalSince1970: 1_767_232_800))
        #expect(tokens.scopes == ["User.Read", "openid"])
        #expect(tokens.account?.homeAccountID == "oid.tid")
        #expect(tokens.brokerVersion == "2.0.1")
    }

    @Test(
        "A time in milliseconds, in seconds, as text, or none",
        arguments: [("1767229200000", 1_767_229_200), ("1767229200", 1_767_229_200), (#""1767229200""#, 1_767_229_200)])
    func times(text: String, seconds: Double) throws {
        let tokens = try tokens(#"{"accessToken":"at","expiresOn":\#(text),"extendedExpiresOn":\#(text)}"#)
        #expect(tokens.expiresOn == Date(timeIntervalSince1970: seconds))
        #expect(tokens.extendedExpiresOn == Date(timeIntervalSince1970: seconds))
    }

    @Test func theTokensOwnClaimsCount() throws {
        let token = Self.jwt(expiry: 1_767_229_200)
        for wrong in ["0", "1767229200", "1"] {
            let tokens = try tokens(#"{"accessToken":"\#(token)","expiresOn":\#(wrong)}"#)
            #expect(tokens.expiresOn == Date(timeIntervalSince1970: 1_767_229_200))
        }
    }

    @Test func optionalMembers() throws {
        let tokens = try tokens(#"{"accessToken":"at","expiresOn":0,"idToken":null,"clientInfo":"","error":null}"#)
        #expect(tokens.expiresOn == nil)
        #expect(tokens.idToken == nil)
        #expect(tokens.clientInfo == nil)
        #expect(tokens.scopes == nil)
        #expect(tokens.account == nil)
    }

    @Test func scopesAsAList() throws {
        #expect(try tokens(#"{"accessToken":"at","grantedScopes":["a","b"]}"#).scopes == ["a", "b"])
    }

    @Test func anErrorInsideASuccess() throws {
        let text = """
            {"accessTokenType":0,"error":{"context":"AADSTS50078: proof is too old","diagnostics":{
            "raw_error_code":"invalid_grant","exception_type":"UiRequiredException",
            "oauth2_sub_error_code":"basic_action"},"errorCode":0,"status":2,"subStatus":0,"tag":0},"expiresOn":0,
            "extendedExpiresOn":0}
            """
        let rejection = BrokerRejection(
            .interactionRequired, context: "AADSTS50078: proof is too old", oauthError: "invalid_grant",
            oauthSuberror: "basic_action", brokerVersion: "2.0.1")
        #expect(throws: rejection) { try tokens(text) }
        #expect(rejection.codes == [50078])
    }

    @Test("Each status has its number", arguments: zip(0..<14, BrokerRejection.Status.allCases))
    func statuses(number: Int, status: BrokerRejection.Status) throws {
        let answer = try answer(#"{"error":{"status":\#(number),"context":"why"}}"#)
        #expect(throws: BrokerRejection(status, context: "why")) {
            try answer.accounts()
        }
        #expect(throws: BrokerRejection(status, context: "why")) {
            try answer.confirm()
        }
    }

    @Test(
        "An error of another form is unexpected",
        arguments: [(#"{"status":99}"#, nil), ("{}", nil), (#""Not implemented""#, "Not implemented"), ("[]", nil)]
            as [(String, String?)])
    func otherErrors(text: String, context: String?) throws {
        let answer = try answer(#"{"error":\#(text)}"#)
        #expect(throws: BrokerRejection(.unexpected, context: context)) {
            try answer.version()
        }
    }

    @Test func accountsInTheOrderOfTheBroker() throws {
        let info = ClientInfo(uid: "u", utid: "t").raw
        let (known, unreadable) = try answer(
            """
            {"accounts":[
            {"homeAccountId":"oid.TID","localAccountId":"oid","realm":"TID","environment":"login.windows.net",
            "username":"ann@contoso.example","name":"Ann","givenName":"Ann","passwordExpiry":0,"later":1},
            {"clientInfo":"\(info)","username":"wang"},{"localAccountId":"a","realm":"b"},
            {"username":"nobody"},7,{"homeAccountId":"a\\u0000b"}]}
            """
        ).accounts()
        #expect(known.map(\.homeAccountID) == ["oid.tid", "u.t", "a.b"])
        #expect(known.map(\.environment) == ["login.windows.net", "login.windows.net", "login.windows.net"])
        #expect(known.first?.homeTenant == "tid")
        #expect(known.first?.json["later"] == 1)
        #expect(unreadable == 3)
    }

    @Test func anEmptyListIsValid() throws {
        #expect(try answer(#"{"accounts":[]}"#).accounts().known.isEmpty)
    }

    @Test func theVersion() throws {
        #expect(try answer(#"{"linuxBrokerVersion":"2.0.1"}"#).version() == "2.0.1")
    }

    @Test(
        "Invalid responses",
        arguments: [
            ("", .notJSONObject), ("[]", .notJSONObject), ("{", .notJSONObject), ("null", .notJSONObject),
            (#"{"a":1,"a":2}"#, .repeatedMembers), ("{}", .missing(member: "brokerTokenResponse")),
            (#"{"brokerTokenResponse":7}"#, .wrongType(member: "brokerTokenResponse")),
            (#"{"brokerTokenResponse":{}}"#, .noTokens),
            (#"{"brokerTokenResponse":{"accessToken":7}}"#, .wrongType(member: "accessToken")),
            (
                #"{"brokerTokenResponse":{"accessToken":"a","accessTokenType":1}}"#,
                .otherTokenType(expected: "Bearer", found: nil)
            ),
            (
                #"{"brokerTokenResponse":{"accessToken":"a","clientInfo":"?"}}"#,
                .wrongType(member: "clientInfo")
            ),
            (
                #"{"brokerTokenResponse":{"accessToken":"a","expiresOn":-1}}"#,
                .impossibleLifetime(member: "expiresOn")
            ),
            (
                #"{"brokerTokenResponse":{"accessToken":"a","expiresOn":1e300}}"#,
                .impossibleLifetime(member: "expiresOn")
            ),
            (
                #"{"brokerTokenResponse":{"accessToken":"a","grantedScopes":7}}"#,
                .wrongType(member: "grantedScopes")
            ),
            (
                #"{"brokerTokenResponse":{"accessToken":"a","grantedScopes":"a\u0007"}}"#,
                .controlCharacter(member: "grantedScopes")
            ),
        ] as [(String, TokenResponseFailure.Fact)])
    func malformed(text: String, fact: TokenResponseFailure.Fact) {
        #expect(throws: TokenResponseFailure.malformed(fact)) { try BrokerTokens(try answer(text)) }
    }

    @Test func anOversizedResponseIsRejected() {
        let text = #"{"accounts":"\#(String(repeating: "a", count: BrokerResponse.maximumBytes))"}"#
        #expect(throws: TokenResponseFailure.malformed(.tooLarge(limit: BrokerResponse.maximumBytes))) {
            try answer(text)
        }
    }
}
