import Testing

@testable import OAuthCore

/// The `claims` parameter (OpenID Connect Core §5.5, docs/upstream-behaviour.md §11).
@Suite("Claims requests") struct ClaimsRequestTests {
    @Test(
        "Encoding a decoded request returns it",
        arguments: [
            "{}",
            #"{"id_token":{"nickname":null}}"#,
            #"{"access_token":{"nickname":null}}"#,
            #"{"access_token":{"some_claim":null},"id_token":{"nickname":null}}"#,
            #"{"id_token":{"given_name":{"essential":true}}}"#,
            #"{"id_token":{"given_name":{"essential":false}}}"#,
            #"{"id_token":{"sub":{"value":248289761001}}}"#,
            #"{"id_token":{"sub":{"value":null}}}"#,
            #"{"id_token":{"acr":{"values":["urn:mace:incommon:iap:silver","urn:mace:incommon:iap:bronze"]}}}"#,
            #"{"id_token":{"acr":{"values":["v1","v1"]}}}"#,
            #"{"id_token":{"acr":{"essential":true,"value":1,"values":["a",{"b":[1.5,false]}]}}}"#,
            #"{"access_token":{"acrs":{"essential":true,"value":"c1"}}}"#,
            #"{"id_token":{"Größe ✓":{}}}"#,
        ])
    func roundTrip(text: String) throws {
        #expect(try ClaimsRequest(parsing: text).json.serialized == text)
    }

    @Test("Unknown members are left out, and numbers count as booleans") func normalised() throws {
        let text = #"{"id_token":{"a":{"essential":10,"other":1},"b":{"essential":0}},"access_token":{}}"#
        #expect(
            try ClaimsRequest(parsing: text).json.serialized
                == #"{"id_token":{"a":{"essential":true},"b":{"essential":false}}}"#)
    }

    private static let malformed: [(String, ClaimsRequest.Malformed)] = [
        ("", .notJSONObject), ("null", .notJSONObject), ("[]", .notJSONObject), ("\u{0}", .notJSONObject),
        (#"{"id_token":"nickname":null}}"#, .notJSONObject),
        (#"{"qwe":{"nickname":null}}"#, .unknownTarget("qwe")),
        (#"{"userinfo":{"nickname":null}}"#, .unknownTarget("userinfo")),
        (#"{"id_token":"acr"}"#, .targetNotObject(.idToken)),
        (#"{"access_token":null}"#, .targetNotObject(.accessToken)),
        (#"{"id_token":{"sub":{"invalid_param":1}}}"#, .malformedClaim("sub")),
        (#"{"id_token":{"given_name":{"essential":"qwe"}}}"#, .malformedClaim("given_name")),
        (#"{"id_token":{"acr":{"values":"silver"}}}"#, .malformedClaim("acr")),
        (#"{"id_token":{"acr":[]}}"#, .malformedClaim("acr")),
        (#"{"id_token":{"acr":true}}"#, .malformedClaim("acr")),
        (#"{"id_token":{"":null}}"#, .malformedClaim("")),
        (String(repeating: "[", count: 65_537), .tooLarge(limit: 65_536)),
        (String(repeating: "[", count: 65_536), .notJSONObject),
    ]

    @Test("Anything else is rejected", arguments: malformed)
    func rejected(text: String, failure: ClaimsRequest.Malformed) {
        #expect(throws: failure) { try ClaimsRequest(parsing: text) }
        #expect(!failure.reason.isEmpty)
    }

    @Test("A repeated claim is requested once, with the last value") func replaced() {
        var request = ClaimsRequest()
        request.request(.init("sub", .init(value: 1)), for: .idToken)
        request.request(.init("sub", .init(value: 2)), for: .idToken)
        #expect(request.claims(for: .idToken) == [.init("sub", .init(value: 2))])
    }

    @Test("A removed claim leaves nothing behind") func removed() {
        var request = ClaimsRequest()
        request.request(.init("sub"), for: .idToken)
        let results = [
            request.remove("sub", for: .accessToken), request.remove("sub", for: .idToken),
            request.remove("sub", for: .idToken),
        ]
        #expect(results == [false, true, false])
        #expect(request.isEmpty)
        #expect(request.json.serialized == "{}")
    }

    @Test(
        "Capabilities are sent beside the claims",
        arguments: [
            ("{}", [], "{}"),
            ("{}", ["CP1"], #"{"access_token":{"xms_cc":{"values":["CP1"]}}}"#),
            (
                #"{"id_token":{"sub":null}}"#, ["CP1", "ProtApp"],
                #"{"access_token":{"xms_cc":{"values":["CP1","ProtApp"]}},"id_token":{"sub":null}}"#
            ),
            (
                #"{"access_token":{"acrs":{"value":"c1"},"xms_cc":{"values":["old"]}}}"#, ["CP1"],
                #"{"access_token":{"acrs":{"value":"c1"},"xms_cc":{"values":["CP1"]}}}"#
            ),
        ])
    func capabilities(claims: String, capabilities: [String], expected: String) throws {
        let merged = try ClaimsRequest(parsing: claims).adding(capabilities: capabilities)
        #expect(merged.json.serialized == expected)
    }
}
