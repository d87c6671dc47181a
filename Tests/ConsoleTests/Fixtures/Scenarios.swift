import Diagnosis
import MSAL
import TerminalUI

@testable import Console

/// A demo with a list of scenarios, at its start.
let walkProfile: ProgramProfile = {
    var profile = demoProfile
    profile.scenarios = [
        ScenarioSummary(
            name: "plain-sign-in", title: "Plain sign-in",
            story: "Alice signs in with the browser, and the application gets her tokens."),
        ScenarioSummary(
            name: "password-changed", title: "Password changed",
            story: "Alice changes her password, which revokes her earlier sign-in."),
        ScenarioSummary(name: "outage", title: "Outage", story: "The authority is down briefly."),
    ]
    profile.faults = [
        ScenarioSummary(
            name: "fault-wrong-nonce", title: "Wrong nonce",
            story: "The ID token belongs to another sign-in: its nonce differs. The client must return an error."),
        ScenarioSummary(
            name: "fault-huge-body", title: "Huge body",
            story: "The token response is 8 MB. The client must return an error."),
    ]
    profile.user = "alice@contoso.example"
    profile.walk = GuidedWalk(
        title: "Plain sign-in", story: "Alice signs in with the browser, and the application gets her tokens.",
        steps: [
            GuidedWalk.Step(
                .signIn(.browser), instruction: "Sign in as alice@contoso.example",
                look: "The authorization code returns to a listener on this computer. MSAL redeems it with a verifier.",
                username: "alice@contoso.example", scopes: ["User.Read"]),
            GuidedWalk.Step(
                .acquireSilently, instruction: "Get Alice's token silently",
                look: "The token comes from the cache, without a request.", username: "alice@contoso.example",
                scopes: ["User.Read"]),
            GuidedWalk.Step(.wait(seconds: 2), instruction: "Wait 2 seconds", look: "Time passes.", username: ""),
            GuidedWalk.Step(
                .remove, instruction: "Remove Alice's account", look: "This application deletes her tokens.",
                username: "alice@contoso.example"),
        ],
        teaches: "A sign-in takes a browser, a code and one token request.")
    return profile
}()

/// The pages of a scripted sign-in.
let signInVisits = [
    PageVisit(
        date: testTime.addingTimeInterval(0.5), title: "Sign in to Contoso", text: ["to continue to Keyturn"],
        fields: [
            PageVisit.Field(.text, label: "Username", value: "alice@contoso.example"),
            PageVisit.Field(.password, label: "Password", value: "••••••••"),
        ], buttons: ["Sign in", "Cancel"], pressed: "Sign in"),
    PageVisit(
        date: testTime.addingTimeInterval(1), title: "Permissions requested",
        text: ["Keyturn requests access to the account of Alice"],
        fields: [
            PageVisit.Field(.checkbox(isTicked: true), label: "Read your profile User.Read"),
            PageVisit.Field(.checkbox(isTicked: false), label: "Read your mail Mail.Read"),
        ], buttons: ["Accept", "Decline"], pressed: "Accept"),
]

/// The first step as a scripted user plays it, before any tick.
func playing(_ profile: ProgramProfile = scriptedProfile, size: Size = standardSize) -> Model {
    var model = after(listing([], profile, size: size), keys: .character("n"))
    for exchange in signInExchanges.prefix(2) { model = after(model, .progress(EffectID(2), .exchange(exchange))) }
    for visit in signInVisits { model = after(model, .progress(EffectID(2), .page(visit))) }
    for exchange in signInExchanges.dropFirst(2) { model = after(model, .progress(EffectID(2), .exchange(exchange))) }
    return after(
        model, .result(EffectID(2), .acquired(.success(acquisition))),
        .result(EffectID(3), .accounts(.success([alice]))))
}

/// A device that has polled twice, in the middle of its sign-in.
let pollingDevice: Model = {
    var profile = scriptedProfile
    let walk = profile.walk
    profile.walk = GuidedWalk(
        title: "Device code", story: "A TV shows a code.",
        steps: [
            GuidedWalk.Step(
                .signIn(.device), instruction: "Sign in with a code as alice@contoso.example",
                look: "The TV polls until she has finished.", username: "alice@contoso.example", scopes: ["User.Read"])
        ], teaches: walk?.teaches ?? "")
    profile.walk?.isScripted = true
    var model = after(listing([], profile), keys: .character("n"))
    let local = ShownDeviceCode(code: shownCode.code, picture: nil)
    model = after(model, .progress(EffectID(2), .deviceCode(local)))
    for exchange in deviceExchanges(["authorization_pending", "slow_down"]) {
        model = after(model, .progress(EffectID(2), .exchange(exchange)))
    }
    return ticked(model, 60)
}()

/// The export of a scenario's first step, after the answer to its first attempt.
func exporting(_ outcome: Outcome<Exported>) -> Model {
    var model = after(playing(), keys: .character("n"), .character("x"))
    guard case .work(let id, .export(let export, _, _)) = update(&model, .input(.key(.enter))).first else {
        return model
    }
    return after(model, .result(id, .exported(export, outcome)))
}

func ticked(_ model: Model, _ count: Int) -> Model {
    (0..<count).reduce(model) { model, _ in after(model, .tick(testTime)) }
}

let scriptedProfile: ProgramProfile = {
    var profile = walkProfile
    profile.walk?.isScripted = true
    return profile
}()

let scenarioStates: [(String, Model)] = [
    ("scenarios", after(listing([], walkProfile), keys: .character("w"), .down)),
    ("faults", after(listing([], walkProfile), keys: .character("F"))),
    (
        "faults-search",
        after(after(listing([], walkProfile), keys: .character("F"), .character("/")), .input(.paste("huge")))
    ),
    (
        "faults-none",
        after(after(listing([], walkProfile), keys: .character("F"), .character("/")), .input(.paste("zz")))
    ),
    ("walk-start", listing([], walkProfile)),
    ("walk-signing-in", after(listing([], walkProfile), keys: .character("n"))),
    ("walk-own-browser", waitingForBrowser),
    ("walk-pasting", "http://localhost:4".reduce(waitingForBrowser) { after($0, keys: .character($1)) }),
    (
        "walk-paste-refused",
        after(
            waitingForBrowser, .input(.paste("http://wrong/")), .progress(EffectID(2), .pasteRejected(wrongPasteReport))
        )
    ),
    ("walk-typing", ticked(playing(), 18)),
    ("walk-page", ticked(playing(), 27)),
    ("walk-device", pollingDevice),
    ("walk-device-screen", after(pollingDevice, keys: .character("3"))),
    ("walk-consent", after(ticked(playing(), 27), keys: .character("2"))),
    ("walk-played", after(playing(), keys: .character("n"))),
    ("walk-app", after(playing(), keys: .character("n"), .character("3"))),
    ("walk-steps", after(playing(), keys: .character("n"), .character("4"))),
    ("walk-selected", after(playing(), keys: .character("n"), .up, .up, .up, .up)),
    ("walk-earlier", after(walked(2), keys: .character("b"))),
    ("walk-export", after(playing(), keys: .character("n"), .character("x"))),
    ("export-empty", after(playing(), keys: .character("n"), .character("x"), .control("u"), .enter)),
    ("export-long", after(playing(), keys: .character("n"), .character("x"), .tab, .home, .character("~"))),
    ("export-existing", exporting(.failure(existingReport))),
    ("walk-end", walked(4)),
    ("walk-accounts", after(walked(4), keys: .escape)),
]

let waitingForBrowser: Model = after(
    after(listing([], walkProfile), keys: .character("n"), .character("2")),
    event(.openBrowser, .started, after: 0.33, url: authorizationURL))

/// The scenario after this many of its steps.
func walked(_ steps: Int) -> Model {
    var model = listing([alice], walkProfile)
    for _ in 0..<steps {
        let effects = update(&model, .input(.key(.character("n"))))
        guard case .work(let id, .performStep(let step, _)) = effects.first else { continue }
        for effect in update(&model, ending(of: step, id)) {
            guard case .work(let id, .readAccounts) = effect else { continue }
            _ = update(&model, .result(id, .accounts(.success([alice]))))
        }
    }
    return model
}

/// The result of a step that ends as expected.
func ending(of step: GuidedWalk.Step, _ id: EffectID, fails: Failure? = nil) -> Message {
    switch step.action {
    case .remove: .result(id, .removed(fails.map(Outcome.failure) ?? .success(nil)))
    case .wait: .result(id, .waited)
    case .call: .result(id, .called(fails.map(Outcome.failure) ?? .success(apiAnswer)))
    case .signIn, .acquireSilently, .read:
        .result(id, .acquired(fails.map(Outcome.failure) ?? .success(acquisition)))
    }
}
