import Foundation
import MSAL
import TerminalUI

@testable import Console

let profile = ProgramProfile(
    name: "contoso", authority: "https://login.contoso.example/common", clientID: "11111111", scopes: ["User.Read"])

let browserProfile: ProgramProfile = {
    var profile = profile
    profile.methods = [.browser]
    return profile
}()

/// Names the sign-in methods of the usual sign-in in order.
let chainProfile: ProgramProfile = {
    var profile = profile
    profile.methods = [.broker, .browser, .device]
    return profile
}()

let demoProfile = ProgramProfile(
    name: "demo", authority: "http://127.0.0.1:4711/common", clientID: "demo", scopes: ["User.Read"],
    hints: [
        "Users of this authority:", "  alice@contoso.example   password alice",
        "  bob@contoso.example     password bob",
    ], isDemo: true)

let problem = Failure(
    headline: "The configuration is invalid.",
    reason: "line 3: profiles.work.clientID: unknown key. Did you mean \"clientId\"?",
    advice: "Fix it, then start again.")

let standardSize = Size(width: 80, height: 24)

/// A program that has just started.
func newModel(_ profile: ProgramProfile = profile, size: Size = standardSize) -> Model {
    Model(profile, options: ProgramOptions(timeZone: testZone), size: size)
}

/// A program that has read these accounts.
func listing(_ accounts: [AccountSummary], _ profile: ProgramProfile = profile, size: Size = standardSize) -> Model {
    after(newModel(profile, size: size), .started, .result(EffectID(1), .accounts(.success(accounts))))
}

func protected(_ kind: MSALCacheProtection.Kind) -> MSALCacheProtection {
    MSALCacheProtection(kind: kind, path: "/cache.db", explanation: "As found.")
}

extension Message {
    /// A result at the time of the tests.
    static func result(_ id: EffectID, _ result: WorkResult) -> Message { .result(id, result, at: testTime) }
}

/// The model after these messages; effects are dropped.
func after(_ model: Model, _ messages: Message...) -> Model {
    messages.reduce(into: model) { _ = update(&$0, $1) }
}

/// The model after these keys.
func after(_ model: Model, keys: Key...) -> Model {
    keys.reduce(into: model) { _ = update(&$0, .input(.key($1))) }
}

/// The model on the claims of `acquisition`, a silent result.
func showingClaims(_ acquisition: Acquisition = acquisition, size: Size = standardSize) -> Model {
    var model = after(
        after(listing([alice, bob], size: size), keys: .enter),
        .result(EffectID(2), .acquired(.success(acquisition))))
    model.notice = nil
    model.settle()
    return model
}

/// The model on a failure.
func showingFailure(_ report: Failure, attempt: Attempt = .signIn(nil), size: Size = standardSize) -> Model {
    var model = listing([alice, bob], size: size)
    model.screens.append(AnyScreen(FailureState(report: report, attempt: attempt)))
    model.settle()
    return model
}

/// The list with a command of the user's on Ctrl-K.
let withOwnCommand: Model = {
    var own = OwnSettings()
    do { try own.add(command: "Pods", key: "Ctrl-K", ["kubectl", "get", "pods"]) } catch { fatalError("\(error)") }
    var profile = profile
    profile.own = own
    return listing([alice, bob], profile)
}()
let runningOwnCommand = after(withOwnCommand, keys: .control("k"))

func ended(_ status: Int, _ output: String) -> Model {
    let ending = status == 0 ? "It has succeeded." : "It failed with status \(status)."
    return after(
        runningOwnCommand,
        .result(EffectID(2), .ran(.success(EndedCommand(ending: ending, hasSucceeded: status == 0, output: output)))))
}

let authorizationURL = URL(
    string: "https://login.contoso.example/common/oauth2/v2.0/authorize?client_id=11111111-2222-3333-4444-555555555555"
        + "&response_type=code&redirect_uri=http%3A%2F%2Flocalhost%3A40711&scope=openid%20profile%20offline_access%20User.Read"
        + "&state=E5oJVf3hQhXa0l7n4xXy1b2Q9rG6mZk3&nonce=8cYw0u2nB7dRk5fT1pLs9aHjQ4xVgM6e"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeW1t8URWbuGJSstw_cM&code_challenge_method=S256&client_info=1")

func event(
    _ step: MSALFlowEvent.Step, _ phase: MSALFlowEvent.Phase, _ detail: String = "", after seconds: Double = 0,
    url: URL? = nil
) -> Message {
    .progress(
        EffectID(2),
        .event(
            MSALFlowEvent(
                step: step, phase: phase, detail: detail, date: testTime.addingTimeInterval(seconds),
                authorizationURL: url)))
}

/// A sign-in without a broker, whose browser fails to start too.
let withoutBroker = after(
    after(listing([alice], chainProfile), keys: .character("i")),
    .result(EffectID(2), .acquired(.failure(absentBrokerReport))))
let withoutBrowser = after(
    withoutBroker, of(EffectID(3), event(.openBrowser, .failed, "No browser was found.")),
    .result(EffectID(3), .acquired(.failure(cancelledReport))))

/// The same event in another flow.
func of(_ id: EffectID, _ message: Message) -> Message {
    guard case .progress(_, .event(let event)) = message else { return message }
    return .progress(id, .event(event))
}

/// The events of a sign-in up to the wait for the user.
let eventsUntilWaiting = [
    event(.findAuthority, .started),
    event(.findAuthority, .succeeded, "Found the issuer https://login.contoso.example/common/v2.0", after: 0.32),
    event(.listen, .started, after: 0.32),
    event(.listen, .succeeded, "Listening on http://localhost:40711", after: 0.33),
    event(.openBrowser, .started, after: 0.33, url: authorizationURL),
    event(.openBrowser, .succeeded, "Browser started", after: 0.41),
    event(.waitForResponse, .started, "Waiting for sign-in in the browser", after: 0.41),
]
