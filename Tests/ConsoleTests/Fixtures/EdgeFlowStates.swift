import Foundation
import MSAL
import TerminalUI

@testable import Console

/// Flows and their results: empty, too long, in foreign scripts, and failing.
let edgeFlowStates: [(String, Model)] =
    signInEdges + deviceEdges + brokerEdges + silentEdges + signOutEdges + tokenEdges + failureEdges + inspectorEdges

private let longURL = authorizationURL.flatMap {
    URL(string: $0.absoluteString + "&claims=" + String(repeating: "%7B%22essential%22%3Atrue%7D", count: 60))
}

/// A waiting sign-in with these messages.
private func waiting(_ key: Character, _ detail: String, url: URL? = authorizationURL) -> Model {
    [
        event(.findAuthority, .succeeded, "Found the issuer \(detail)", after: 0.32),
        event(.listen, .succeeded, "Listening on http://localhost:40711", after: 0.33),
        event(.openBrowser, .succeeded, detail, after: 0.41, url: url),
        event(.waitForResponse, .started, detail, after: 0.41),
    ].reduce(after(listing([alice]), keys: .character(key))) { after($0, $1) }
}

private func entering(_ text: String) -> Model {
    text.reduce(after(waiting("i", "Opened"), keys: .character("p"))) { after($0, keys: .character($1)) }
}

private let signInEdges: [(String, Model)] = [
    ("sign-in-long", waiting("i", longSentence, url: longURL)),
    ("sign-in-wide", after(waiting("i", wideText), keys: "d")),
    ("paste-started", after(listing([alice]), keys: .character("p"))),
    ("paste-long", waiting("p", longSentence, url: longURL)),
    ("paste-wide", after(waiting("p", wideText), keys: .escape, "d")),
    ("paste-entry-empty", entering("")),
    ("paste-entry-refused", after(entering("http"), .progress(EffectID(2), .pasteRejected(wrongPasteReport)))),
    ("paste-entry-long", entering("http://localhost:40711/\(longText)?code=0.AAAA")),
    ("paste-entry-wide", entering("http://例え.テスト/東京?code=0.AAAA")),
]

private func code(_ userCode: String, page: String) -> ShownDeviceCode {
    ShownDeviceCode(
        code: MSALDeviceCode(
            userCode: userCode, verificationURL: URL(string: page) ?? URL(fileURLWithPath: "/"),
            verificationURLComplete: nil, expiresOn: testTime.addingTimeInterval(900), interval: 5, message: "Open it."),
        picture: QRCode(page))
}

private let deviceEdges: [(String, Model)] = [
    ("device-long", device(code("BCDF-GHJK-LMNP-QRST-VWXZ", page: "\(devicePage)/\(longText)"), after: 34)),
    (
        "device-wide",
        device(code("東京-コード", page: devicePage), [event(.waitForCode, .noted, wideText, after: 30)], after: 34)
    ),
]

private let brokerProfile: ProgramProfile = {
    var profile = profile
    profile.methods = [.broker]
    return profile
}()

private func broker(_ events: Message...) -> Model { flow(events, listing([alice], brokerProfile)) }

private let brokerEdges: [(String, Model)] = [
    ("broker-started", broker()),
    ("broker-waiting", broker(event(.callBroker, .started, "The identity broker shows its own window"))),
    (
        "broker-trouble",
        broker(
            event(.callBroker, .succeeded, "The identity broker responded", after: 8),
            event(.findAuthority, .failed, "Can't reach login.contoso.example", after: 9))
    ),
    ("broker-long", broker(event(.callBroker, .started, longSentence))),
    ("broker-wide", after(broker(event(.callBroker, .started, wideText)), keys: "d")),
]

private func silent(_ account: AccountSummary = alice, _ events: Message...) -> Model {
    events.reduce(after(listing([account]), keys: .enter)) { after($0, $1) }
}

private let silentEdges: [(String, Model)] = [
    ("silent-started", silent()),
    (
        "silent-trouble",
        silent(
            alice, event(.readCache, .succeeded, "The cached token expires too soon", after: 0.01),
            event(.refreshToken, .failed, "login.contoso.example doesn't respond", after: 10))
    ),
    ("silent-long", silent(wideAccounts[4], event(.refreshToken, .started, longSentence, after: 0.01))),
    ("silent-wide", silent(wideAccounts[0], event(.refreshToken, .started, wideText, after: 0.01))),
]

private func signingOut(_ account: AccountSummary, _ events: Message...) -> Model {
    events.reduce(after(listing([account]), keys: .character("D"), .character("B"))) { after($0, $1) }
}

private let signOutEdges: [(String, Model)] = [
    ("sign-out-started", signingOut(alice)),
    (
        "sign-out",
        signingOut(
            alice, event(.findAuthority, .started), event(.findAuthority, .succeeded, after: 0.1),
            event(.listen, .succeeded, "http://localhost:41999", after: 0.1),
            event(.openBrowser, .failed, "No browser was found.", after: 0.2),
            event(.waitForResponse, .started, longSentence, after: 0.2))
    ),
    ("sign-out-wide", signingOut(wideAccounts[0], event(.findAuthority, .started, wideText))),
]

private func reading(_ claims: String) -> Model {
    after(after(listing([alice]), keys: .character("t")), .input(.paste(jwt(claims))))
}

private let sameTokens: Acquisition = {
    var same = acquisition
    same.accessToken = same.idToken
    return same
}()

private let manyClaims = "{\((1...120).map { #""claim_\#($0)":"\#(longText)""# }.joined(separator: ","))}"

private let tokenEdges: [(String, Model)] = [
    ("claims-json-wide", after(showingClaims(wideAcquisition), keys: .character("d"))),
    ("compare-same", after(showingClaims(sameTokens), keys: .character("="))),
    ("compare-wide", after(showingClaims(wideAcquisition), keys: .character("="))),
    ("pasted-empty", reading("{}")),
    ("pasted-long", after(reading(manyClaims), keys: .end)),
    ("pasted-wide", after(reading(#"{"name":"山田太郎","city":"\#(wideText)"}"#), keys: .down, .down)),
]

private let failureEdges: [(String, Model)] = [
    (
        "failure-bare",
        showingFailure(
            Failure(
                headline: "The operation failed.", reason: "", domain: MSALErrorDomain, code: -50000, date: testTime)
        )
    )
]

private func exchange(_ number: Int, _ address: String) -> MSALFlowExchange {
    MSALFlowExchange(
        number: number, direction: .backChannel, correlationId: discoveryExchange.correlationId,
        startDate: testTime.addingTimeInterval(Double(number)), duration: 0.1, address: address, status: 200,
        mediaType: "application/json", parameters: [])
}

private let manyExchanges = (1...60).map { exchange($0, "https://login.contoso.example/\(longText)") }

private let inspectorEdges: [(String, Model)] = [
    ("inspector-long", inspecting(signedIn(manyExchanges), keys: .end)),
    ("inspector-foreign", inspecting(signedIn([exchange(90, "https://例え.テスト/\(wideText)")]), keys: .end)),
    ("exchange-bare", inspecting(signedIn([exchange(90, "https://login.contoso.example/")]), keys: .end, .enter)),
    (
        "exchange-waiting",
        inspecting(running([discoveryExchange, authorizationExchange]), keys: .home, .down, .down, .enter)
    ),
    (
        "exchange-unreachable",
        inspecting(signedIn([unreachableExchange], outcome: .failure(networkReport)), keys: .enter)
    ),
]
