import Console
import TerminalUI

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
            GuidedWalk.Step(.wait, instruction: "Wait 2 seconds", look: "Time passes.", username: ""),
            GuidedWalk.Step(
                .remove, instruction: "Remove Alice's account", look: "This application deletes her tokens.",
                username: "alice@contoso.example"),
        ],
        teaches: "A sign-in takes a browser, a code and one token request.")
    return profile
}()

let scenarioStates: [(String, Model)] = [
    ("scenarios", after(listing([], walkProfile), keys: .character("w"), .down)),
    ("walk-start", listing([], walkProfile)),
    ("walk-signing-in", after(listing([], walkProfile), keys: .character("n"))),
    ("walk-claims", walked(1)),
    ("walk-end", after(walked(4), keys: .escape)),
]

/// The scenario after this many of its steps.
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
