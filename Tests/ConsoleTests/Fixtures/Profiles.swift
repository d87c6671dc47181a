import Diagnosis
import MSAL
import TerminalUI

@testable import Console

let profileEntries = [
    ProfileEntry(
        name: "contoso", isDefault: true,
        draft: ProfileDraft(
            authority: "https://login.contoso.example/common", clientID: "11111111-2222-3333-4444-555555555555",
            redirectURI: "http://localhost", scopes: "User.Read", name: "contoso")),
    ProfileEntry(
        name: "家庭", isDefault: false,
        draft: ProfileDraft(
            authority: "https://accounts.google.com", clientID: "1234-abcd.apps.googleusercontent.com",
            redirectURI: "http://localhost", name: "家庭")),
]

let brokenFileReport = Failure(
    headline: "Can't use the configuration file.",
    reason: "/home/alice/.config/keyturn/config.json:4: profiles.work.colour: unknown key.",
    advice: "Correct it, then try again.", kind: .misconfigured, domain: "KeyturnErrorDomain", code: 3, date: testTime)

/// Stands in for the library's rules: a URL is valid, any other text is wrong, an unusual client ID is a warning.
func judgement(of draft: ProfileDraft) -> DraftJudgement {
    func unanswered(_ field: ProfileDraft.Field) -> CheckFinding {
        CheckFinding(field.title, .skipped, "Not entered yet.")
    }
    return DraftJudgement([
        .authority: draft.authority.isEmpty
            ? unanswered(.authority)
            : draft.authority.hasPrefix("https://")
                ? CheckFinding("Authority", .passed, "Microsoft Entra ID, tenant contoso.com.")
                : CheckFinding(
                    "Authority", .failed, "\"\(draft.authority)\" is not a URL.",
                    fix: "Enter the whole URL, for example https://login.example.org/tenant."),
        .clientID: draft.clientID.isEmpty
            ? unanswered(.clientID)
            : CheckFinding(
                "Client ID", .warning, "Entra requires a GUID.",
                fix: "For example: 11111111-2222-3333-4444-555555555555."),
        .redirectURI: draft.redirectURI.isEmpty
            ? unanswered(.redirectURI)
            : CheckFinding("Redirect URI", .passed, "The browser returns to this program."),
    ])
}

/// Responds like a configuration file with these profiles.
func bookAnswer(to work: ProfileWork) -> ProfileResult {
    switch work {
    case .list, .remove, .makeDefault: .listed(.success(profileEntries))
    case .judge(let draft): .judged(judgement(of: draft))
    case .test: .tested(authorityAnswer)
    case .save: .saved(nil)
    case .open, .openFirst: .opened(.success(demoProfile))
    }
}

let authorityAnswer = [
    CheckFinding("Issuer", .passed, "The issuer is https://login.contoso.example/{tenantid}/v2.0."),
    CheckFinding(
        "Device codes", .warning, "Device codes aren't supported.",
        fix: "Sign in with the browser, or paste the final URL (p on Accounts)."),
]

let untrustedAnswer = [
    unreachableAnswer,
    AuthorityFindings.untrustedCertificate.onScreen,
]

let unreachableAnswer = CheckFinding(
    "Authority", .failed, "Can't reach login.contoso.example.", fix: "Check the address.")

/// A program that has found no configuration.
func unconfigured() -> Model {
    var model = Model(.unconfigured, options: ProgramOptions(timeZone: testZone), size: standardSize)
    model.context.configPath = "/home/alice/.config/keyturn/config.json"
    return after(model, .started)
}

/// The program after these messages, with the configuration file's responses to their effects.
func answering(_ model: Model, _ messages: Message...) -> Model {
    var model = model
    var queue = messages
    while !queue.isEmpty {
        for effect in update(&model, queue.removeFirst()) {
            if case .work(let id, .profiles(let work)) = effect {
                queue.append(.result(id, .profiles(bookAnswer(to: work))))
            }
            if case .work(let id, .openScenario(nil, _)) = effect {
                queue.append(.result(id, .scenarioOpened(.success(demoProfile))))
            }
        }
    }
    return model
}

func typing(_ text: String, in model: Model) -> Model { answering(model, .input(.paste(text))) }

func pressing(_ keys: Key..., in model: Model) -> Model {
    keys.reduce(model) { answering($0, .input(.key($1))) }
}

let profileStates: [(String, Model)] = [
    ("welcome", unconfigured()),
    ("welcome-demo", after(unconfigured(), keys: .end)),
    ("welcome-failed", demoThatFails),
    ("set-up-empty", pressing(.enter, in: unconfigured())),
    ("set-up-wrong", typing("contoso", in: pressing(.enter, in: unconfigured()))),
    ("set-up-completed", typing("contoso.com", in: pressing(.enter, in: unconfigured()))),
    ("set-up-discard", after(filled, keys: .escape)),
    ("set-up-certificate", untrusted),
    ("set-up-dead", dead),
    ("set-up-anyway", after(typing("1", in: pressing(.enter, in: dead)), keys: .enter, .enter, .enter, .enter)),
    (
        "set-up-asked",
        pressing(.control("t"), in: typing("https://login.contoso.example", in: pressing(.enter, in: unconfigured())))
    ),
    ("set-up-client", typing("日本語の識別子", in: pressing(.enter, in: filled))),
    ("set-up-last", pressing(.tab, .tab, in: filled)),
    ("set-up-missing", pressing(.enter, .enter, in: filled)),
    ("set-up-name", pressing(.backTab, in: filled)),
    ("set-up-refused", rejected),
    ("set-up-help", after(filled, keys: .function(1))),
    ("profiles-reading", after(listing([alice]), keys: .character("P"))),
    ("profiles", pressing(.down, in: withPath(pressing(.character("P"), in: listing([alice]))))),
    ("profiles-broken", brokenProfiles),
    ("profiles-removal", pressing(.down, .character("D"), in: pressing(.character("P"), in: listing([alice])))),
    ("profiles-edit", pressing(.down, .character("E"), in: pressing(.character("P"), in: listing([alice])))),
]

private func withPath(_ model: Model) -> Model {
    var model = model
    model.context.configPath = "/home/alice/.config/keyturn/config.json"
    return model
}

private let filled = typing(
    "https://login.microsoftonline.com/contoso.com", in: pressing(.enter, in: unconfigured()))

private let untrusted: Model = {
    let asking = after(filled, keys: .control("t"))
    guard let state = asking.newest(SetUpState.self), case .running(let id) = state.test else { return asking }
    return after(asking, .result(id, .profiles(.tested(untrustedAnswer))))
}()

private let dead: Model = {
    let asking = after(filled, keys: .tab)
    guard let state = asking.newest(SetUpState.self), case .running(let id) = state.test else { return asking }
    return after(asking, .result(id, .profiles(.tested([unreachableAnswer]))))
}()

private let demoThatFails: Model = {
    let opening = after(unconfigured(), keys: .character("w"))
    guard let choice = opening.newest(ProviderChoice.self), let id = choice.running else { return opening }
    return after(opening, .result(id, .scenarioOpened(.failure(networkReport))))
}()

private let rejected: Model = {
    let saving = after(typing("1", in: pressing(.enter, in: filled)), keys: .enter, .enter, .enter, .enter)
    guard let state = saving.newest(SetUpState.self), let id = state.saving else { return saving }
    return after(saving, .result(id, .profiles(.saved(brokenFileReport))))
}()

private let brokenProfiles: Model = {
    let reading = after(listing([alice]), keys: .character("P"))
    guard let state = reading.newest(ProfilesState.self), let id = state.running else { return reading }
    return after(reading, .result(id, .profiles(.listed(.failure(brokenFileReport)))))
}()
