import Console
import TerminalUI

/// A demonstration with scenarios to choose from, at its beginning.
let walkProfile: ProgramProfile = {
    var profile = demoProfile
    profile.scenarios = [
        ScenarioSummary(
            name: "plain-sign-in", title: "Plain sign-in",
            story: "Alice signs in with the browser, and the application gets her tokens."),
        ScenarioSummary(
            name: "password-changed", title: "Password changed",
            story: "Alice changes her password, so what she signed in with the old one is worth nothing."),
        ScenarioSummary(name: "outage", title: "Outage", story: "The authority is down for a moment."),
    ]
    profile.walk = GuidedWalk(
        title: "Plain sign-in", story: "Alice signs in with the browser, and the application gets her tokens.",
        steps: [
            GuidedWalk.Step(
                .signIn(.browser), instruction: "Sign in as alice@contoso.example",
                look: "The code comes back to a listener on this computer, and is redeemed with the verifier.",
                username: "alice@contoso.example", scopes: ["User.Read"]),
            GuidedWalk.Step(
                .acquireSilently, instruction: "Ask for a token for Alice without showing anything",
                look: "The token comes from the cache: no request is sent.", username: "alice@contoso.example",
                scopes: ["User.Read"]),
            GuidedWalk.Step(.wait, instruction: "Wait 2 seconds", look: "Time passes.", username: ""),
            GuidedWalk.Step(
                .remove, instruction: "Remove Alice's account", look: "Her tokens leave this application.",
                username: "alice@contoso.example"),
        ],
        teaches: "A sign-in is a browser, a code, and one request for tokens.")
    return profile
}()

let scenarioStates: [(String, Model)] = [
    ("scenarios", after(listing([], walkProfile), keys: .character("w"), .down)),
    ("walk-start", listing([], walkProfile)),
    ("walk-signing-in", after(listing([], walkProfile), keys: .character("n"))),
    ("walk-claims", walked(1)),
    ("walk-end", after(walked(4), keys: .escape)),
]

/// The walk after so many of its steps.
func walked(_ steps: Int) -> Model {
    var model = listing([alice], walkProfile)
    for _ in 0..<steps {
        let effects = update(&model, .input(.key(.character("n"))))
        guard case .performStep(let id, let step) = effects.first else { continue }
        let ending: Message =
            step.action == .remove
            ? .removed(id, .success(Message.Removed()), at: testTime)
            : .acquired(id, .success(acquisition), at: testTime)
        _ = update(&model, ending)
    }
    return model
}
