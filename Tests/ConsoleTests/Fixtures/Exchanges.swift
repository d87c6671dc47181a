import Console
import Foundation
import MSAL
import TerminalUI

private let flowID = UUID(uuidString: "C0FFEE00-0000-4000-8000-000000000000") ?? UUID()
private let redacted = "‹redacted› "

private func parameter(
    _ name: String, _ place: MSALFlowParameter.Place, _ value: String, note: String? = nil
) -> MSALFlowParameter {
    MSALFlowParameter(name: name, place: place, value: value, note: note)
}

private func secret(
    _ name: String, _ place: MSALFlowParameter.Place, _ whole: String, note: String? = nil
) -> MSALFlowParameter {
    MSALFlowParameter(
        name: name, place: place, kind: .secret, value: "\(redacted)\(whole.count) characters", note: note, whole: whole
    )
}

let discoveryExchange = MSALFlowExchange(
    number: 1, direction: .backChannel, correlationId: flowID, startDate: testTime.addingTimeInterval(0.012),
    duration: 0.214, address: "https://login.contoso.example/common/v2.0/.well-known/openid-configuration", status: 200,
    mediaType: "application/json", responseSize: 1873,
    parameters: [
        parameter("Accept", .requestHeader, "application/json"),
        parameter("Content-Type", .responseHeader, "application/json; charset=utf-8"),
        parameter("Date", .responseHeader, "Fri, 20 Nov 2026 10:30:00 GMT"),
        parameter(
            "authorization_endpoint", .responseBody, "https://login.contoso.example/common/oauth2/v2.0/authorize"),
        parameter("issuer", .responseBody, "https://login.contoso.example/{tenantid}/v2.0"),
        parameter("jwks_uri", .responseBody, "https://login.contoso.example/common/discovery/v2.0/keys"),
        parameter("scopes_supported", .responseBody, #"["openid","profile","email","offline_access"]"#),
        parameter("token_endpoint", .responseBody, "https://login.contoso.example/common/oauth2/v2.0/token"),
    ])

let authorizationExchange = MSALFlowExchange(
    number: 2, direction: .frontChannelRequest, correlationId: flowID, startDate: testTime.addingTimeInterval(0.33),
    address: "https://login.contoso.example/common/oauth2/v2.0/authorize",
    parameters: [
        parameter("client_id", .query, "11111111-2222-3333-4444-555555555555"),
        parameter("response_type", .query, "code"),
        parameter("redirect_uri", .query, "http://localhost:40711"),
        parameter("scope", .query, "openid profile offline_access User.Read"),
        MSALFlowParameter(
            name: "login_hint", place: .query, kind: .personal, value: "alice@contoso.example",
            shareableValue: "‹personal›"),
        parameter("code_challenge", .query, "E9Melhoa2OwvFrEMTJguCHaoeW1t8URWbuGJSstw_cM"),
        parameter("code_challenge_method", .query, "S256"),
        secret("state", .query, "E5oJVf3hQhXa0l7n4xXy1b2Q9rG6mZk3"),
        secret("nonce", .query, "8cYw0u2nB7dRk5fT1pLs9aHjQ4xVgM6e"),
    ])

/// A device's request for a code, and its polls with these results: an error, or nil for tokens.
func deviceExchanges(_ polls: [String?]) -> [MSALFlowExchange] {
    func exchange(_ number: Int, _ path: String, _ status: Int, _ parameters: [MSALFlowParameter]) -> MSALFlowExchange {
        MSALFlowExchange(
            number: number, direction: .backChannel, correlationId: flowID,
            startDate: testTime.addingTimeInterval(Double(number)), duration: 0.1, method: "POST",
            address: "https://login.contoso.example/common/oauth2/v2.0/\(path)", status: status,
            mediaType: "application/json", parameters: parameters)
    }
    let code = exchange(
        1, "devicecode", 200,
        [
            parameter("client_id", .requestBody, "11111111-2222-3333-4444-555555555555"),
            secret("user_code", .responseBody, "BCDF-GHJK"), parameter("interval", .responseBody, "5"),
        ])
    let grant = "urn:ietf:params:oauth:grant-type:device_code"
    return [code]
        + polls.enumerated().map { index, error in
            exchange(
                index + 2, "token", error == nil ? 200 : 400,
                [
                    parameter("grant_type", .requestBody, grant),
                    error.map { parameter("error", .responseBody, $0) }
                        ?? secret("access_token", .responseBody, "an-access-token"),
                ])
        }
}

let answerExchange = MSALFlowExchange(
    number: 3, direction: .frontChannelResponse, correlationId: flowID, startDate: testTime.addingTimeInterval(41.2),
    address: "http://localhost:40711/",
    parameters: [
        secret("code", .query, "0.AAAA-the-code-of-this-sign-in"),
        secret("state", .query, "E5oJVf3hQhXa0l7n4xXy1b2Q9rG6mZk3", note: "the same as state above"),
        parameter("iss", .query, "https://login.contoso.example/common/v2.0"),
    ])

let tokenExchange = MSALFlowExchange(
    number: 4, direction: .backChannel, correlationId: flowID, startDate: testTime.addingTimeInterval(41.3),
    duration: 0.48, method: "POST", address: "https://login.contoso.example/common/oauth2/v2.0/token", status: 200,
    mediaType: "application/json", requestSize: 612, responseSize: 4213,
    parameters: [
        parameter("client-request-id", .requestHeader, flowID.uuidString),
        parameter("client_id", .requestBody, "11111111-2222-3333-4444-555555555555"),
        parameter("grant_type", .requestBody, "authorization_code"),
        secret("code", .requestBody, "0.AAAA-the-code-of-this-sign-in", note: "the same as code above"),
        secret(
            "code_verifier", .requestBody, "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
            note: "its SHA-256 is the code_challenge above"),
        secret("access_token", .responseBody, "header.payload.the-signature-of-the-access-token"),
        parameter("expires_in", .responseBody, "3599"),
        secret("id_token", .responseBody, "header.payload.the-signature-of-the-id-token"),
        secret("made_up", .responseBody, "value-of-an-unknown-response-member"),
        parameter("scope", .responseBody, "User.Read profile openid email"),
        parameter("token_type", .responseBody, "Bearer"),
    ])

/// Secrets that no screen may show unless the user reveals one value.
let plantedSecrets = [
    "E5oJVf3hQhXa0l7n4xXy1b2Q9rG6mZk3", "8cYw0u2nB7dRk5fT1pLs9aHjQ4xVgM6e", "0.AAAA-the-code-of-this-sign-in",
    "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk", "the-signature-of", "value-of-an-unknown-response-member",
]

let rejectedExchange = MSALFlowExchange(
    number: 4, direction: .backChannel, correlationId: flowID, startDate: testTime.addingTimeInterval(41.3),
    duration: 0.48, method: "POST", address: "https://login.contoso.example/common/oauth2/v2.0/token", status: 400,
    mediaType: "application/json", requestSize: 612, responseSize: 213,
    parameters: [
        parameter("grant_type", .requestBody, "authorization_code"),
        parameter("error", .responseBody, "invalid_grant"),
        parameter("error_codes", .responseBody, "[70008]"),
        MSALFlowParameter(
            name: "error_description", place: .responseBody,
            value: "AADSTS70008: The code of 'alice@contoso.example' has expired | really.",
            shareableValue: "AADSTS70008: The code of '‹personal›' has expired | really."),
        parameter("trace_id", .responseBody, "5f3b1e2a-0000-4000-8000-9f9f9f9f9f9f"),
    ])

let unreachableExchange = MSALFlowExchange(
    number: 1, direction: .backChannel, correlationId: flowID, startDate: testTime, duration: 10.2,
    address: "https://login.contoso.example/common/v2.0/.well-known/openid-configuration",
    failure: "Can't resolve login.contoso.example (DNS).")

let wideExchange = MSALFlowExchange(
    number: 5, direction: .backChannel, correlationId: flowID, startDate: testTime.addingTimeInterval(42),
    duration: 0.1, address: "https://login.contoso.example/" + String(repeating: "very-long-path/", count: 20),
    status: 200, mediaType: "application/json",
    parameters: (1...60).map {
        parameter("member_\($0)", .responseBody, "値 \($0) " + String(repeating: "長い", count: $0))
    }
        + [parameter("hostile", .responseBody, "\u{1B}[31mred\u{202E}txt \u{7}👩‍👩‍👧 e\u{301}")])

let signInExchanges = [discoveryExchange, authorizationExchange, answerExchange, tokenExchange]

/// The model after Alice has signed in, with all events and exchanges.
func signedIn(
    _ exchanges: [MSALFlowExchange] = signInExchanges, outcome: Outcome<Acquisition> = .success(acquisition)
) -> Model {
    var model = running(exchanges)
    model = after(model, .result(EffectID(2), .acquired(outcome), at: testTime.addingTimeInterval(42)))
    model.notice = nil
    return model
}

/// The model during that sign-in.
func running(_ exchanges: [MSALFlowExchange]) -> Model {
    var model = eventsUntilWaiting.reduce(after(listing([alice]), keys: .character("i"))) { after($0, $1) }
    for exchange in exchanges { model = after(model, .progress(EffectID(2), .exchange(exchange))) }
    guard exchanges.count == 4 else { return after(model, .tick(testTime.addingTimeInterval(12.4))) }
    model = after(
        model, event(.waitForResponse, .succeeded, "Browser responded", after: 41.2),
        event(.redeemCode, .started, after: 41.3), event(.redeemCode, .succeeded, after: 41.8),
        event(.verifyIDToken, .started, "Verifying the ID token", after: 41.8))
    return after(
        model, event(.verifyIDToken, .succeeded, "ID token verified: 8 checks passed", after: 41.81),
        event(.saveTokens, .started, after: 41.81), event(.saveTokens, .succeeded, "Saved for alice", after: 41.83))
}

/// The model that inspects it, after these keys.
func inspecting(_ model: Model = signedIn(), keys: Key...) -> Model {
    keys.reduce(after(model, keys: .character("f"))) { after($0, keys: $1) }
}
