import Diagnosis
import Foundation
import MSAL
import TerminalUI
import Testing

@testable import Console

/// Every screen in every state, by the name of its golden file.
let screenStates: [(name: String, model: Model)] =
    accountStates + flowStates + formStates + methodStates + claimsStates + inspectorStates + failureStates
    + checkStates + doorStates + explanationStates
    + dialogStates
    + otherStates
    + profileStates + scenarioStates + callStates + edgeStates + edgeFlowStates

func state(named name: String) throws -> Model {
    try #require(screenStates.first { $0.name == name }?.model)
}

/// Each state as the screen tests see it, at every size; drawn once.
let shownScreens = Dictionary(
    uniqueKeysWithValues: screenStates.map { state in (state.name, ScreenTests.sizes.map { view(state.model, $0) }) })

private let accountStates: [(String, Model)] = [
    ("accounts-reading", after(newModel(), .started)),
    ("accounts-empty", after(listing([]), .progress(EffectID(1), .cacheOpened(protected(.keyFile))))),
    ("accounts-empty-demo", listing([], demoProfile)),
    ("accounts-failed", after(newModel(), .started, .result(EffectID(1), .accounts(.failure(networkReport))))),
    ("accounts", after(listing([alice, bob, carol]), keys: .down)),
    ("accounts-demo", listing([alice, bob], demoProfile)),
    ("accounts-many", after(listing(manyAccounts(1000)), keys: .pageDown, .pageDown)),
    ("accounts-wide", listing(wideAccounts)),
    ("accounts-filter", after(listing([alice, bob, carol]), keys: .character("/"), .character("c"), .character("o"))),
    (
        "accounts-filter-none",
        after(listing([alice, bob]), keys: .character("/"), .character("z"), .character("z"), .enter)
    ),
    ("accounts-own-command", withOwnCommand),
    ("own-command-running", runningOwnCommand),
    ("own-command", ended(0, "pods  Running\n")), ("own-command-empty", ended(0, "It printed nothing.")),
    ("own-command-failed", ended(1, "no such context\n")),
    ("own-command-long", ended(0, (1...60).map { "\($0)  \(String(repeating: "漢字 ", count: 40))\n" }.joined())),
    ("accounts-marked", after(listing(manyAccounts(5)), keys: " ", .down, " ")),
    ("removal-several", after(listing([alice, bob]), keys: " ", " ", "D")),
    ("accounts-removing", after(listing([alice, bob]), keys: .character("D"), .character("y"))),
    (
        "accounts-removed",
        after(
            after(listing([alice, bob]), keys: .character("D"), .character("y")),
            .result(EffectID(2), .removed(.success(nil))),
            .result(EffectID(3), .accounts(.success([bob]))))
    ),
    ("accounts-tokens", listing(accountsWithTokens)),
    ("accounts-renewal", after(listing(accountsWithTokens), keys: .down, .character("R"))),
    ("accounts-by-name", after(listing(accountsWithTokens), keys: .character("s"))),
    ("palette", after(listing([alice, bob]), keys: .character(":"))),
    (
        "palette-filtered",
        after(listing([]), keys: .character(":"), .character("r"), .character("e"), .character("m"))
    ),
    ("accounts-unknown-key", after(listing([alice]), keys: .character("z"))),
]

func flow(_ events: [Message], _ model: Model = listing([alice])) -> Model {
    events.reduce(after(model, keys: .character("i"))) { after($0, $1) }
}

func device(
    _ code: ShownDeviceCode = shownCode, _ events: [Message] = [], after seconds: Double = 0,
    _ model: Model = listing([alice])
) -> Model {
    var model = after(model, keys: .character("m"))
    for event in deviceEvents { model = after(model, event) }
    model = after(model, .progress(EffectID(2), .deviceCode(code)))
    for event in events { model = after(model, event) }
    return after(model, .tick(testTime.addingTimeInterval(seconds)))
}

func pasting(_ keys: Key...) -> Model {
    let events =
        eventsUntilWaiting.dropLast(2) + [
            event(.openBrowser, .succeeded, "URL shown", after: 0.41),
            event(.waitForResponse, .started, "Waiting for the final URL", after: 0.41),
        ]
    let waiting = events.reduce(after(listing([alice]), keys: .character("p"))) { after($0, $1) }
    return keys.reduce(waiting) { after($0, keys: $1) }
}

private let overSSH: MethodProposal = MethodProposal(
    MachineFacts(ssh: MachineFacts.SSH(server: "192.0.2.7", port: 2222), user: "ann", hasDisplay: true))

func with(_ proposal: MethodProposal, _ model: Model) -> Model {
    var model = model
    model.options.proposal = proposal
    return model
}

func form(_ keys: Key..., model: Model = listing([alice])) -> Model {
    keys.reduce(after(model, keys: .character("o"))) { after($0, keys: $1) }
}

private let formStates: [(String, Model)] = [
    ("form", form()),
    (
        "form-no-code",
        form(.end, model: after(with(overSSH, listing([alice])), .progress(EffectID(1), .deviceCodeOffer(false))))
    ),
    ("form-ssh", form(model: with(overSSH, listing([alice])))),
    ("form-scope", form(.down, .down, .down, .down, .down, .character(" "))),
    (
        "form-closed",
        after(form(.down, .down, .down), .result(EffectID(2), .urlHandler(.notNeeded)), .input(.key(.enter)))
    ),
    (
        "form-refused",
        after(
            after(
                after(withoutBrowser, .result(EffectID(4), .acquired(.failure(networkReport)))),
                keys: .escape, .character("o")),
            .result(EffectID(5), .urlHandler(.other(scheme: "msauth.org.keyturn.app", name: nil))))
    ),
    ("form-url-handler", after(form(), .result(EffectID(2), .urlHandler(.ours(scheme: "msauth.org.keyturn.app"))))),
    ("form-typing", form(.end, .up, .up, .up, .character("a"), .character("d"), .character("a"), .character("@"))),
    ("form-prompt", form(.down, .down, .down, .down, .down, .down, .down, .right)),
    (
        "form-recent",
        form(
            .escape, .character("o"),
            model: after(
                after(listing([alice]), keys: .character("i")),
                .result(EffectID(2), .acquired(.success(acquisition)))))
    ),
]

private let methodStates: [(String, Model)] = [
    ("device-started", after(listing([alice]), keys: .character("m"))),
    ("device-waiting", device(after: 34)),
    ("device-waiting-demo", device(after: 34, listing([], demoProfile))),
    ("device-ending", device(after: 860)),
    (
        "device-trouble",
        device(
            shownCode,
            [event(.waitForCode, .noted, "Can't reach login.contoso.example; trying again later", after: 30)],
            after: 34)
    ),
    ("device-picture", after(device(after: 34), keys: .character("z"))),
    (
        "paste-picture",
        after(
            after(pasting(), .progress(EffectID(2), .pagePicture(QRCode(devicePage)))), keys: .escape, .character("z"))
    ),
    ("device-to-browser", after(device(after: 34), keys: .character("i"))),
    ("device-no-picture", device(ShownDeviceCode(code: shownCode.code, picture: nil), after: 34)),
    ("chain-browser", eventsUntilWaiting.reduce(withoutBroker) { after($0, of(EffectID(3), $1)) }),
    ("chain-device", after(withoutBrowser, .progress(EffectID(4), .deviceCode(shownCode)), .tick(testTime))),
    ("paste-waiting", pasting()),
    ("paste-typing", pasting(.character("h"), .character("t"), .character("t"), .character("p"))),
    (
        "paste-refused",
        after(pasting(), .progress(EffectID(2), .pasteRejected(wrongPasteReport)))
    ),
]

private let silence = event(
    .waitForResponse, .noted,
    "No response yet. Open the URL on any device.", after: 15.41)

private let flowStates: [(String, Model)] = [
    ("sign-in-started", flow([])),
    ("sign-in-waiting", after(flow(eventsUntilWaiting), .tick(testTime.addingTimeInterval(12.4)))),
    ("sign-in-waiting-demo", flow(eventsUntilWaiting, listing([], demoProfile))),
    (
        "sign-in-silence",
        after(flow(eventsUntilWaiting), silence, .tick(testTime.addingTimeInterval(17)))
    ),
    (
        "sign-in-silence-demo",
        after(flow(eventsUntilWaiting, listing([], demoProfile)), silence, .tick(testTime.addingTimeInterval(17)))
    ),
    ("sign-in-ssh", after(flow(eventsUntilWaiting, with(overSSH, listing([alice], browserProfile))), .tick(testTime))),
    (
        "sign-in-strays",
        flow(
            eventsUntilWaiting + [
                event(.waitForResponse, .noted, "Refused a request for /favicon.ico.", after: 2),
                event(.waitForResponse, .noted, "Ignored a response without a state.", after: 3),
            ])
    ),
    (
        "sign-in-redeeming",
        flow(
            eventsUntilWaiting + [
                event(.waitForResponse, .succeeded, "Browser responded", after: 65),
                event(.redeemCode, .started, after: 65),
            ])
    ),
    (
        "sign-in-no-browser",
        flow(
            eventsUntilWaiting.dropLast(2) + [
                event(.openBrowser, .failed, "No browser was found. Open the URL by hand.", after: 0.4),
                event(.waitForResponse, .started, "Waiting for sign-in in the browser", after: 0.41),
            ])
    ),
    (
        "silent",
        after(
            after(listing([alice]), keys: .enter), event(.readCache, .started),
            event(.readCache, .succeeded, "The cached token expires too soon", after: 0.01),
            event(.refreshToken, .started, "Requesting a new token from login.contoso.example", after: 0.01))
    ),
]

private let opaque: Acquisition = {
    var opaque = acquisition
    opaque.accessToken = .opaque(length: 1384)
    opaque.idToken = .absent
    opaque.verdicts = []
    return opaque
}()

let wideAcquisition: Acquisition = {
    var wide = acquisition
    wide.idToken = wideToken
    wide.account = wideAccounts[0]
    wide.scopes = (1...30).map { "Scope.Number\($0)" }
    return wide
}()

let claimsStates: [(String, Model)] = [
    ("claims", showingClaims()),
    ("claims-verdict", after(showingClaims(), keys: .down, .down, .down, .down)),
    ("claims-time", (1...14).reduce(showingClaims()) { model, _ in after(model, keys: .down) }),
    ("claims-end", after(showingClaims(), keys: .end)),
    ("claims-access", after(showingClaims(), keys: .tab)),
    ("claims-expired", after(showingClaims(), .tick(testTime.addingTimeInterval(90_000)))),
    ("claims-json", after(showingClaims(), keys: .character("d"), .pageDown)),
    ("claims-compare", after(showingClaims(), keys: .character("="), .down, .down)),
    ("compare-differences", after(showingClaims(), keys: .character("="), .character("d"))),
    ("claims-filter", after(showingClaims(), keys: .character("/"), .character("i"), .character("s"))),
    ("claims-filter-none", after(showingClaims(), keys: .character("/"), .character("€"))),
    ("claims-values", (1...26).reduce(showingClaims()) { model, _ in after(model, keys: .down) }),
    ("claims-signature", after(showingClaims(), keys: .character("d"), .end)),
    ("signature-revealed", after(showingClaims(), keys: .character("d"), .character("S"), .end)),
    (
        "claims-pasted",
        after(
            after(listing([alice]), keys: .character("t")),
            .input(.paste(jwt(#"{"iss":"https://login.contoso.example","sub":"a","exp":1795170000,"made_up":[1,2]}"#))))
    ),
    (
        "token-entry",
        after(after(listing([alice]), keys: .character("t")), keys: .character("e"), .character("y"), .character("J"))
    ),
    ("token-entry-refused", after(after(listing([alice]), keys: .character("t")), .input(.paste("eyJ.no.token")))),
    ("claims-opaque", after(showingClaims(opaque), keys: .tab)),
    ("claims-absent", showingClaims(opaque)),
    ("claims-wide", (1...8).reduce(showingClaims(wideAcquisition)) { model, _ in after(model, keys: .down) }),
    (
        "claims-signed-in",
        after(
            after(listing([]), keys: .character("i")), .result(EffectID(2), .acquired(.success(acquisition))))
    ),
]

/// The accounts after a sign-in that succeeded, one that failed and one that was cancelled.
func flowsOfASession() -> Model {
    var model = after(signedIn(), keys: .escape, .character("i"))
    model = after(model, .result(model.running ?? EffectID(0), .acquired(.failure(rejectedReport))))
    return after(model, keys: .escape, .character("i"), .escape)
}

/// A sign-in that holds its token request.
func held(problem: String? = nil) -> Model {
    var model = after(listing([alice]), keys: .character("W"), .character("i"))
    let id = model.running ?? EffectID(0)
    for exchange in signInExchanges.prefix(3) { model = after(model, .progress(id, .exchange(exchange))) }
    return after(model, .progress(id, .held(heldRequest(problem))))
}

/// The token request of ``tokenExchange`` before it is sent.
func heldRequest(_ problem: String? = nil) -> MSALHeldRequest {
    MSALHeldRequest(
        exchange: MSALFlowExchange(
            number: 4, direction: .backChannel, correlationId: tokenExchange.correlationId,
            startDate: tokenExchange.startDate, method: "POST", address: tokenExchange.address,
            parameters: tokenExchange.parameters.filter { $0.place == .requestBody }),
        isEditable: true, problem: problem)
}

/// What became of a held request whose first change was sent.
private func afterChange(_ result: WorkResult, _ exchanges: [MSALFlowExchange]) -> Model {
    var model = after(held(), keys: .character("E"), .enter)
    let id = model.context.held.keys.first ?? EffectID(0)
    model = after(model, keys: .character("n"))
    for exchange in exchanges { model = after(model, .progress(id, .exchange(exchange))) }
    return after(model, .result(id, result))
}

let inspectorStates: [(String, Model)] = [
    ("inspector", inspecting()),
    ("inspector-token", inspecting(keys: .down, .down, .down, .down)),
    (
        "inspector-scrolled",
        inspecting(keys: .down, .down, .down, .down, .character("J"), .character("J"), .character("J"))
    ),
    ("inspector-running", inspecting(running([discoveryExchange, authorizationExchange]))),
    ("inspector-empty", inspecting(after(listing([alice]), keys: .character("i")))),
    (
        "inspector-refused",
        inspecting(
            signedIn(signInExchanges.dropLast() + [rejectedExchange], outcome: .failure(rejectedReport)), keys: .end)
    ),
    ("inspector-unreachable", inspecting(signedIn([unreachableExchange], outcome: .failure(networkReport)))),
    ("inspector-wide", inspecting(signedIn([wideExchange]), keys: .end)),
    ("flows", after(flowsOfASession(), keys: .character("H"))),
    ("flows-running", after(inspecting(running([discoveryExchange, authorizationExchange])), keys: .character("H"))),
    ("step", held()),
    ("step-changed", after(held(), keys: .character("E"), .down, .enter)),
    ("step-problem", held(problem: "The request has no parameter foo.")),
    ("step-waiting", after(held(), keys: .character("n"))),
    ("step-refused", afterChange(.acquired(.failure(rejectedReport)), [rejectedExchange])),
    ("step-accepted", afterChange(.acquired(.success(acquisition)), [tokenExchange])),
    ("step-edits", after(held(), keys: .character("E"))),
    ("step-entry", after(held(), keys: .character("E"), .end, .up, .enter)),
    ("step-entry-secret", after(held(), keys: .down, .down, .down, .down, .character("E"), .end, .up, .enter)),
    ("step-entry-refused", after(held(), keys: .character("E"), .end, .enter, .enter)),
    ("exchange", inspecting(keys: .down, .down, .enter)),
    ("exchange-secret", inspecting(keys: .down, .down, .down, .enter)),
    ("exchange-revealed", inspecting(keys: .down, .down, .down, .enter, .character("S"))),
    ("exchange-unknown", inspecting(keys: .down, .down, .down, .down, .enter, .end, .up, .up)),
    ("exchange-wide", inspecting(signedIn([wideExchange]), keys: .end, .enter, .end)),
    ("help-inspector", inspecting(keys: .character("?"))),
]

let failureStates: [(String, Model)] = [
    ("failure-network", showingFailure(networkReport, attempt: .silent(alice))),
    ("failure-busy", after(showingFailure(busyReport), .tick(testTime))),
    ("failure-refused", showingFailure(rejectedReport)),
    ("failure-hopeless", showingFailure(unusableReport)),
    ("failure-codes", after(showingFailure(rejectedReport), keys: .end)),
    ("failure-wide", showingFailure(longReport)),
]

func checking(_ report: CheckReport? = checkReport, _ keys: Key...) -> Model {
    var model = after(listing([alice]), keys: .character("v"))
    if let report { model = after(model, .result(EffectID(2), .checked(report))) }
    return keys.reduce(model) { after($0, keys: $1) }
}

private let checkStates: [(String, Model)] = [
    ("check-running", checking(nil)),
    ("check", checking()),
    ("check-fix", checking(checkReport, .home, .character("c"))),
    ("check-good", checking(goodReport)),
    ("check-wide", checking(wideReport, .end, .character("z"))),
    ("check-empty", checking(CheckReport([]))),
    ("help-check", checking(checkReport, .character("?"))),
]

private func lookingForDoors(_ doors: [OpenDoor]? = nil) -> Model {
    let model = after(listing([alice]), keys: .character("O"))
    return doors.map { after(model, .result(EffectID(2), .doors($0))) } ?? model
}

let openDoors: [OpenDoor] = {
    var gate = OpenDoor(
        process: 4711, kind: .gate, program: "python3", place: "https://graph.example.com",
        openedAt: testTime.addingTimeInterval(-3000))
    (gate.requests, gate.rejected, gate.lastRequestAt) = (128, 2, testTime.addingTimeInterval(-90))
    (gate.port, gate.running) = (41_001, 1)
    gate.allowed = ["GET /v1.0/me", "GET /v1.0/me/*", "POST /v1.0/me/sendMail", "GET /v1.0/users/*"]
    let file = OpenDoor(
        process: 4712, kind: .tokenFile, program: "backup", place: "/run/user/1000/token",
        openedAt: testTime.addingTimeInterval(-86_400))
    let identity = OpenDoor(
        process: 4713, kind: .managedIdentity, program: "", place: "http://127.0.0.1:41000", openedAt: testTime)
    let server = OpenDoor(
        process: 4714, kind: .mcp, program: "", place: "https://mail.example.com/mcp", openedAt: testTime)
    return [file, gate, identity, server]
}()

private let doorStates: [(String, Model)] = [
    ("doors-looking", lookingForDoors()), ("doors", lookingForDoors(openDoors)), ("doors-none", lookingForDoors([])),
    ("doors-wide", lookingForDoors([wideDoor])),
    ("doors-closing", after(lookingForDoors(openDoors), keys: .down, .character("D"))),
    ("doors-closing-wide", after(lookingForDoors([wideDoor]), keys: .character("D"))),
]

private let wideDoor = OpenDoor(
    process: 1, kind: .gate, program: "文档\u{1B}[2J",
    place: "https://例え.example/" + String(repeating: "a", count: 200), openedAt: testTime)

func explaining(_ outcome: Outcome<Explained>?, _ keys: Key...) -> Model {
    var model = after(listing([alice]), keys: .character("e"))
    model = after(model, .input(.paste("customer.har")))
    if let outcome { model = after(model, .result(EffectID(2), .explained(outcome))) }
    return keys.reduce(model) { after($0, keys: $1) }
}

/// The review of a copy, opened from an explanation.
func reviewing(_ outcome: Outcome<ReviewedCopy>?, _ keys: Key...) -> Model {
    var model = after(explaining(.success(explained)), keys: .character("E"))
    if let outcome { model = after(model, .result(EffectID(3), .reviewed(outcome))) }
    return keys.reduce(model) { after($0, keys: $1) }
}

/// The names that complete a typed one.
private let choosing: Model = after(
    after(typing("ca"), keys: .tab), .result(EffectID(2), .folder(.success(folderEntries))))

private let mistyped: Model = after(
    after(typing("~/case 03.har"), keys: .enter), .result(EffectID(2), .explained(.failure(missingFileReport))))

func comparing(_ comparison: Comparison) -> Model {
    after(
        explaining(.success(explained), .character("="), .character("a"), .enter),
        .result(EffectID(3), .compared(.success(comparison))))
}

private let explanationStates: [(String, Model)] = [
    ("explain-entry-empty", after(listing([alice]), keys: .character("e"))),
    (
        "explain-entry",
        after(listing([alice]), keys: .character("e"), .character("a"), .character("."), .character("h"))
    ),
    ("explain-entry-long", typing(String(repeating: "customer/", count: 20))),
    ("explain-entry-wide", typing("顧客.har")),
    ("explain-entry-choices", choosing),
    ("explain-entry-mistyped", mistyped),
    ("explanation-reading", explaining(nil)),
    ("explanation", explaining(.success(explained))),
    ("explanation-diagram", explaining(.success(explained), .character("f"))),
    ("explanation-code", explaining(.success(explainedCode))),
    ("explanation-failed", explaining(.failure(networkReport))),
    ("explanation-wide", explaining(.success(wideExplained))),
    ("review", reviewing(.success(reviewedCopy))),
    ("review-same", reviewing(.success(copied("AADSTS50011")))),
    ("review-failed", reviewing(.failure(networkReport))),
    ("review-wide", reviewing(.success(copied("漢字 https://漢字.example/x " + String(repeating: "value ", count: 40))))),
    ("explanation-unfolded", explaining(.success(explained), .character("d"))),
    ("case", explaining(.success(explained), .character("w"), .character("n"))),
    ("case-failure", explaining(.success(explained), .character("w"), .enter)),
    ("compare-entry", explaining(.success(explained), .character("="))),
    (
        "compare-entry-failed",
        after(
            explaining(.success(explained), .character("="), .character("a"), .enter),
            .result(EffectID(3), .compared(.failure(networkReport))))
    ),
    ("comparison", comparing(differing)),
    ("comparison-same", comparing(alike)),
]

private func typing(_ text: String) -> Model {
    text.reduce(after(listing([alice]), keys: .character("e"))) { after($0, keys: .character($1)) }
}

private let dialogStates: [(String, Model)] = [
    ("save-dialog", after(showingClaims(), .result(EffectID(9), .copied(.token(acquisition), .rejected("Too long."))))),
    ("removal-dialog", after(listing([alice, bob, carol]), keys: .character("D"))),
    ("removal-dialog-confirm", after(listing(wideAccounts), keys: .end, .character("D"), .tab)),
    (
        "interaction-dialog",
        after(after(listing([alice]), keys: .enter), .result(EffectID(2), .acquired(.failure(interactionReport))))
    ),
]

private let otherStates: [(String, Model)] = [
    ("help-accounts", after(listing([alice]), keys: .character("?"))),
    ("help-accounts-empty", after(listing([]), keys: .character("?"))),
    ("help-claims", after(showingClaims(), keys: .character("?"))),
    ("help-failure", after(showingFailure(unusableReport), keys: .character("?"))),
    (
        "start-problem",
        Model(
            .problem(problem, configPath: "/home/alice/.config/keyturn/config.json"),
            options: ProgramOptions(timeZone: testZone), size: standardSize)
    ),
]
