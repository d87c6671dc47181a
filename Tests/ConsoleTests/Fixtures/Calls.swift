import Foundation
import MSAL
import TerminalUI

@testable import Console

let apiAnswer = APIResponse(
    status: 200, mediaType: "application/json", size: 65,
    body: #"{"api":"admin","name":"Alice","username":"alice@contoso.example"}"#)

let rejectedResponse = APIResponse(
    status: 403, mediaType: "text/plain", size: 21_000,
    body: "No access.\u{1B}[31m\n" + String(repeating: "A reason of some length.\n", count: 100),
    advice: "The API doesn't say which token it needs, so no token helps.")

private func apiExchange(_ seconds: Double, _ status: Int, _ parameters: [MSALFlowParameter]) -> MSALFlowExchange {
    let authorization = MSALFlowParameter(
        name: "Authorization", place: .requestHeader, kind: .secret, value: "‹redacted› 93 characters")
    return MSALFlowExchange(
        number: 1, direction: .resource, correlationId: UUID(), startDate: testTime.addingTimeInterval(seconds),
        duration: 0.02, address: "https://api.contoso.example/admin", status: status, mediaType: "application/json",
        responseSize: 65, parameters: [authorization] + parameters)
}

private let challengeParameter = MSALFlowParameter(
    name: "WWW-Authenticate", place: .responseHeader,
    value: #"Bearer error="insufficient_user_authentication", acr_values="c1", scope="User.Read""#)

/// A challenge, a sign-in that meets it, and the repeated request.
let callExchanges =
    [apiExchange(0.001, 401, [challengeParameter])] + signInExchanges
    + [
        apiExchange(
            41.9, 200,
            [MSALFlowParameter(name: "username", place: .responseBody, kind: .personal, value: "alice@contoso.example")]
        )
    ]

/// A call to an API, after some of its exchanges.
func calling(_ count: Int, size: Size = standardSize) -> Model {
    var model = after(listing([alice], size: size), keys: .character("a"))
    model = after(after(model, .input(.paste("https://api.contoso.example/admin"))), keys: .enter)
    for exchange in callExchanges.prefix(count) { model = after(model, .progress(EffectID(2), .exchange(exchange))) }
    return model
}

func called(_ outcome: Outcome<APIResponse> = .success(apiAnswer), exchanges: Int = callExchanges.count) -> Model {
    after(
        calling(exchanges), .result(EffectID(2), .called(outcome)),
        .result(EffectID(3), .accounts(.success([alice]))))
}

/// Alice, who allowed servers her tokens.
func allowing(_ agreements: [MSALTokenAgreement]) -> AccountSummary {
    var account = alice
    account.agreements = agreements
    return account
}

let agreements = [
    agreement, demand(of: "https://tasks.example/api", ["api://tasks/Tasks.Read", "api://tasks/Tasks.Write"]),
]

/// The question of a server for Alice's token, before or after what was typed is forgotten.
func asking(_ agreement: MSALTokenAgreement = agreement, isAwake: Bool = true) -> Model {
    let asked = called(.failure(undecided(agreement)), exchanges: 1)
    return isAwake ? after(asked, .input(.forgotten)) : asked
}

func undecided(_ agreement: MSALTokenAgreement) -> Failure {
    var report = interactionReport
    report.headline = "You haven't allowed this server a token."
    report.agreement = agreement
    return report
}

let agreement = demand(of: "https://mcp.example/mcp", ["api://keyturn-files/Files.Read"])

func demand(of address: String, _ scopes: [String], as username: String = "alice@contoso.example") -> MSALTokenAgreement
{
    MSALTokenAgreement(
        url: URL(string: address) ?? URL(fileURLWithPath: "/"),
        authority: URL(string: "https://login.contoso.example/contoso") ?? URL(fileURLWithPath: "/"),
        clientId: "11111111-2222-3333-4444-555555555555", accountIdentifier: alice.identifier, username: username,
        scopes: scopes, otherEndpoints: URL(string: "https://other.example/").map { [$0] } ?? [],
        apis: ["api://keyturn-files"])
}

private func entering(_ text: String) -> Model {
    after(after(listing([alice]), keys: .character("a")), .input(.paste(text)))
}

let callStates: [(String, Model)] = [
    ("call-entry-empty", after(listing([alice]), keys: .character("a"))),
    ("call-entry", after(listing([], demoProfile), keys: .character("a"))),
    ("call-entry-refused", after(entering("nonsense"), keys: .enter)),
    ("call-entry-long", entering("https://api.contoso.example/" + String(repeating: "folder/", count: 20))),
    ("call-entry-wide", entering("https://api.contoso.example/顧客")),
    (
        "call-waiting",
        after(
            after(calling(3), event(.openBrowser, .started, after: 0.33, url: authorizationURL)),
            keys: .character("n"))
    ),
    ("call", after(called(), keys: .character("n"))),
    ("call-challenge", after(called(), keys: .character("n"), .home, .down)),
    ("call-app", after(called(), keys: .character("n"), .character("3"))),
    (
        "call-refused",
        after(called(.success(rejectedResponse), exchanges: 1), keys: .character("n"), .character("3"))
    ),
    ("call-failed", after(called(.failure(networkReport), exchanges: 0), keys: .character("3"))),
    ("call-inspector", after(called(), keys: .character("f"))),
    ("agreement", asking()),
    ("agreements", after(listing([allowing(agreements)]), keys: .character("T"))),
    (
        "agreements-none",
        after(
            after(listing([allowing(agreements)]), keys: .character("T"), .character("D")),
            .result(EffectID(2), .accounts(.success([alice]))))
    ),
    (
        "agreements-wide",
        after(
            listing([
                allowing([
                    demand(of: "https://mcp.example/" + String(repeating: "a/", count: 90), ["読む\u{202E}", wideText])
                ])
            ]), keys: .character("T"))
    ),
    (
        "agreement-long",
        after(
            asking(
                demand(
                    of: "https://mcp.example/" + String(repeating: "folder/", count: 30),
                    (1...30).map { "api://keyturn-files/Files.Read.\($0)" })), keys: .character("y"))
    ),
    ("agreement-wide", asking(demand(of: "https://mcp.example/%E9", ["読む"], as: "taro 山田\u{202E}\u{1B}[31m"))),
]
