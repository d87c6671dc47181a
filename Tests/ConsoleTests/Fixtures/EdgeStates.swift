import Console
import Diagnosis
import Foundation
import MSAL
import TerminalUI

/// Double-width characters, a combining mark, a family emoji, and a right-to-left name.
let wideText = "東京都 e\u{301} 👩‍👩‍👧 دانا"
let longText = (1...24).map { "part-\($0)-of-a-long-name" }.joined(separator: ".")
let longSentence = (1...16).map { "Sentence \($0) of a long explanation." }.joined(separator: " ")

/// Lists, dialogs and the set-up: empty, too long, in foreign scripts, and loading.
let edgeStates: [(String, Model)] = problemEdges + listEdges + formEdges + setUpEdges + overlayEdges

private func stopped(by problem: Failure, path: String) -> Model {
    Model(
        .problem(problem, configPath: path), options: ProgramOptions(timeZone: testZone), size: standardSize)
}

private let problemEdges: [(String, Model)] = [
    (
        "start-problem-long",
        stopped(
            by: Failure(headline: problem.headline, reason: longSentence, advice: problem.advice),
            path: "/home/alice/\(longText)/config.json")
    ),
    (
        "start-problem-wide",
        stopped(
            by: Failure(headline: problem.headline, reason: "line 3: \(wideText)", advice: problem.advice),
            path: "/home/\(wideText)/config.json")
    ),
]

private func filtering(_ accounts: [AccountSummary], _ text: String) -> Model {
    after(after(listing(accounts), keys: .character("/")), .input(.paste(text)))
}

private let manyScenarios: ProgramProfile = {
    var profile = walkProfile
    profile.scenarios = (1...30).map {
        ScenarioSummary(name: "scenario-\($0)", title: "Scenario \($0)", story: longSentence)
    }
    profile.walk?.story = longSentence
    return profile
}()

private let opening = after(listing([], walkProfile), keys: .character("w"), .enter)

private let listEdges: [(String, Model)] = [
    ("filter-none", filtering([alice, bob], "zz")),
    ("filter-long", filtering([alice, bob], longText)),
    ("filter-wide", filtering(wideAccounts, "山田")),
    ("scenario-opening", opening),
    ("scenario-failed", after(opening, .result(EffectID(2), .scenarioOpened(.failure(networkReport))))),
    ("scenarios-many", after(listing([], manyScenarios), keys: .character("w"), .end)),
    ("walk-long", listing([], manyScenarios)),
    (
        "walk-failed",
        after(
            after(listing([], walkProfile), keys: .character("n")),
            .result(EffectID(2), .acquired(.failure(networkReport))))
    ),
]

private func scoped(_ scopes: [String]) -> Model {
    var profile = profile
    profile.scopes = scopes
    return listing([alice], profile)
}

private let formEdges: [(String, Model)] = [
    ("form-no-scopes", form(.down, .down, model: scoped([]))),
    ("form-many-scopes", form(.pageDown, .pageDown, model: scoped((1...40).map { "Scope.Number\($0)" }))),
    ("form-wide", form(.down, .down, .down, model: scoped(["読む.\(wideText)", longText]))),
    ("form-field-empty", form(.end)),
    ("form-field-long", after(form(.end), .input(.paste(longText)))),
    ("form-field-wide", after(form(.end), .input(.paste(wideText)))),
]

private func unconfigured(path: String) -> Model {
    var model = unconfigured()
    model.context.configPath = path
    return model
}

private func listed(_ entries: [ProfileEntry]) -> Model {
    var model = listing([alice])
    model.context.configPath = "/home/alice/.config/keyturn/config.json"
    return after(after(model, keys: .character("P")), .result(EffectID(2), .profiles(.listed(.success(entries)))))
}

private let manyProfiles = (1...60).map { number in
    var entry = profileEntries[0]
    entry.name = "profile-\(number)"
    entry.isDefault = number == 1
    return entry
}

private let setUpEdges: [(String, Model)] = [
    ("welcome-opening", after(unconfigured(), keys: .character("w"))),
    ("welcome-long", unconfigured(path: "/home/alice/\(longText)/config.json")),
    ("welcome-wide", unconfigured(path: "/home/\(wideText)/config.json")),
    (
        "set-up-asking",
        after(typing("https://login.contoso.example", in: pressing(.enter, in: unconfigured())), keys: .control("t"))
    ),
    ("set-up-long", typing("https://login.contoso.example/\(longText)", in: pressing(.enter, in: unconfigured()))),
    ("profiles-none", listed([])),
    ("profiles-many", after(listed(manyProfiles), keys: .pageDown, .pageDown)),
]

private func offering(_ account: AccountSummary, reason: String) -> Model {
    var report = interactionReport
    report.reason = reason
    return after(
        after(listing([account]), keys: .enter), .result(EffectID(2), .acquired(.failure(report))))
}

private let longProfile: ProfileEntry = {
    var entry = profileEntries[0]
    entry.name = longText
    return entry
}()

private let overlayEdges: [(String, Model)] = [
    ("palette-nothing", after(listing([alice]), keys: .character(":"), .character("z"), .character("z"))),
    ("palette-wide", after(after(listing([alice]), keys: .character(":")), .input(.paste(wideText)))),
    ("removal-dialog-wide", after(listing(wideAccounts), keys: .character("D"))),
    ("interaction-long", offering(wideAccounts[4], reason: longSentence)),
    ("interaction-wide", offering(wideAccounts[0], reason: wideText)),
    ("profiles-removal-long", after(listed([profileEntries[0], longProfile]), keys: .end, .character("D"))),
    ("token-entry-empty", after(listing([alice]), keys: .character("t"))),
]
