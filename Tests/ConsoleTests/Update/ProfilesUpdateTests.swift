import MSAL
import TerminalUI
import Testing

@testable import Console

@Suite("Set-up and profiles")
struct ProfilesUpdateTests {
    private func work(_ effects: [Effect]) -> [ProfileWork] {
        effects.compactMap { if case .work(_, .profiles(let work)) = $0 { work } else { nil } }
    }

    private func form(_ model: Model) throws -> SetUpState {
        guard let state = model.newest(SetUpState.self) else { throw NotThere() }
        return state
    }

    private struct NotThere: Error {}

    private let filled = typing(
        "11111111-2222-3333-4444-555555555555",
        in: pressing(
            .enter,
            in: typing("https://login.microsoftonline.com/contoso.com", in: pressing(.enter, in: unconfigured()))))

    @Test("From no configuration to signed in: a provider, three fields, saved, opened, and the sign-in runs")
    func fromNothing() throws {
        var model = pressing(.enter, .enter, .enter, in: filled)
        #expect(try form(model).focus == .name)
        #expect(view(model, standardSize).text.contains("› [ Save and sign in ]"))
        let saving = update(&model, .input(.key(.enter)))
        let draft = ProfileDraft(
            kind: .entra, authority: "https://login.microsoftonline.com/contoso.com",
            clientID: "11111111-2222-3333-4444-555555555555", redirectURI: "http://localhost", scopes: "User.Read",
            name: "contoso")
        #expect(work(saving) == [.save(draft, replacing: nil)])
        let id = try #require(try form(model).saving)
        let opening = update(&model, .result(id, .profiles(.saved(nil))))
        #expect(work(opening) == [.open("contoso")])
        let next = try #require(try form(model).saving)
        let effects = update(&model, .result(next, .profiles(.opened(.success(profile)))))
        #expect(model.profile == profile)
        #expect(model.focus == .signIn)
        guard case .work(_, .readAccounts) = effects.first, case .work(_, .signIn(let request)) = effects.last else {
            Issue.record("\(effects)")
            return
        }
        #expect(request.scopes == profile.scopes)
    }

    @Test("Every key press is checked, and only the newest check counts")
    func judging() throws {
        var model = pressing(.enter, in: unconfigured())
        let first = update(&model, .input(.key(.character("h"))))
        let second = update(&model, .input(.key(.character("t"))))
        #expect(work(first + second).count == 2)
        guard case .work(let old, .profiles(let work)) = first[0] else { throw NotThere() }
        _ = update(&model, .result(old, .profiles(bookAnswer(to: work))))
        #expect(try form(model).judgement[.authority]?.verdict == .skipped)
        #expect(update(&model, .input(.key(.left))).isEmpty)
    }

    @Test("A missing or wrong value keeps the form open, and the cursor moves there")
    func obstacles() throws {
        let model = pressing(.enter, .enter, .enter, in: pressing(.enter, in: unconfigured()))
        #expect(try form(model).focus == .authority)
        #expect(model.notice?.text == "Authority is missing.")
        let wrong = pressing(.enter, .enter, .enter, in: typing("contoso", in: pressing(.enter, in: unconfigured())))
        #expect(wrong.notice?.text == "Authority is invalid.")
        let empty = pressing(.enter, in: pressing(.enter, in: dead))
        #expect(try form(empty).focus == .clientID)
        #expect(empty.notice?.text == "Client ID is missing.")
    }

    @Test("Enter right after the last letter saves once that letter has been checked")
    func fast() throws {
        var model = pressing(.enter, .enter, .enter, in: filled)
        let judging = update(&model, .input(.key(.character("x"))))
        #expect(update(&model, .input(.key(.enter))).isEmpty)
        guard case .work(let id, .profiles(let judged)) = judging.first else { throw NotThere() }
        #expect(work(update(&model, .result(id, .profiles(bookAnswer(to: judged))))).count == 1)
        #expect(try form(model).saving != nil)
    }

    @Test("If the file cannot be saved, all typed text stays")
    func rejection() throws {
        var model = after(pressing(.enter, .enter, .enter, in: filled), keys: .enter)
        let id = try #require(try form(model).saving)
        model = after(model, .result(id, .profiles(.saved(brokenFileReport))))
        #expect(try form(model).problem == brokenFileReport)
        #expect(try form(model).draft.name == "contoso")
        // The next text may be the fix, so the error is cleared.
        #expect(try form(typing("x", in: model)).problem == nil)
    }

    @Test("Enter on the authority checks it online, once for each URL, and never an invalid URL")
    func askingOnEnter() throws {
        var model = typing("https://login.contoso.example", in: pressing(.enter, in: unconfigured()))
        guard case .work(let id, .profiles(.test)) = update(&model, .input(.key(.enter))).first else {
            throw NotThere()
        }
        #expect(try form(model).focus == .clientID)
        // The user types in another field: the response does not move the cursor.
        model = after(model, keys: .character("k"))
        model = answering(model, .result(id, .profiles(.tested(untrustedAnswer))))
        #expect(try form(model).focus == .clientID && form(model).shownFields.contains(.certificates))
        model = pressing(.up, in: model)
        // The result is known: Enter goes on.
        #expect(update(&model, .input(.key(.enter))).isEmpty)
        #expect(try form(model).focus == .clientID && model.overlay == nil)
        var wrong = typing("contoso", in: pressing(.enter, in: unconfigured()))
        #expect(update(&wrong, .input(.key(.enter))).isEmpty)
    }

    private let dead = typing("https://login.contoso.example", in: pressing(.enter, in: unconfigured()))

    /// The form after a key that leaves the authority, and the failure of its test.
    private func failing(_ key: Key, in start: Model) throws -> Model {
        var model = start
        guard case .work(let id, .profiles(.test)) = update(&model, .input(.key(key))).last else { throw NotThere() }
        return answering(model, .result(id, .profiles(.tested([unreachableAnswer]))))
    }

    @Test("Nothing is said of an authority that nobody has asked")
    func untested() {
        let text = view(dead, standardSize).text
        #expect(text.contains("Not tested yet.") && !text.contains("tenant contoso.com."))
    }

    @Test("Every way to leave the authority tests it, also before its last letter was validated")
    func leavingTests() throws {
        for key in [Key.enter, .tab, .down, .backTab, .up] {
            var model = dead
            _ = update(&model, .input(.key(.character("x"))))
            let effects = work(update(&model, .input(.key(key))))
            #expect(effects == [.test(try form(model).draft)], "\(key)")
            #expect(try form(model).focus != .authority)
        }
    }

    @Test(
        "An authority with ✗ gets the cursor back, keeps it, and is saved only if the user says so, without a sign-in")
    func keptCursor() throws {
        var model = try failing(.tab, in: dead)
        #expect(try form(model).focus == .authority)
        for key in [Key.tab, .down, .backTab, .up] { model = pressing(key, in: model) }
        #expect(try form(model).focus == .authority)
        #expect(model.notice?.text == "The authority failed its test. Change it, or press Enter to go on.")
        model = typing("1", in: pressing(.enter, in: model))
        #expect(try form(model).fields[.clientID]?.text == "1")
        let asked = after(model, keys: .enter, .enter, .enter, .enter)
        #expect(view(asked, standardSize).text.contains("Save anyway?"))
        #expect(try form(pressing(.enter, in: asked)).focus == .name)
        model = after(asked, keys: .character("y"))
        let id = try #require(try form(model).saving)
        model = answering(model, .result(id, .profiles(.saved(nil))))
        #expect(model.profile == demoProfile && model.routes.isEmpty)
    }

    @Test("Another text is another authority: the answer to the question was about the old one")
    func acceptedOnce() throws {
        let accepted = typing("1", in: pressing(.enter, in: try failing(.enter, in: dead)))
        let asked = pressing(.enter, .enter, .enter, .enter, in: accepted)
        let changed = typing("x", in: pressing(.down, in: after(asked, keys: .escape)))
        #expect(try form(changed).test == nil && form(changed).focus == .authority)
        #expect(try form(try failing(.tab, in: changed)).focus == .authority)
    }

    @Test("The name of another profile has ✗, and nothing is saved or lost")
    func takenName() throws {
        var model = pressing(.character("P"), .character("+"), .enter, in: listing([alice]))
        model = typing("https://login.contoso.example", in: model)
        model = typing("1", in: pressing(.enter, in: model))
        model = typing("家庭", in: pressing(.backTab, .backTab, in: pressing(.enter, in: model)))
        for _ in 0..<6 where try form(model).focus != .name { model = pressing(.tab, in: model) }
        if try form(model).fields[.name]?.text != "家庭" { model = typing("家庭", in: model) }
        #expect(view(model, standardSize).text.contains("✗ A profile 家庭 exists already. Choose another name."))
        #expect(work(update(&model, .input(.key(.enter)))).isEmpty)
        #expect(try form(model).focus == .name && form(model).draft.clientID == "1")
        let saved = pressing(.control("u"), in: model)
        #expect(try !form(saved).isWrong(.name))
        // A profile keeps its own name.
        let edited = pressing(.character("P"), .down, .character("E"), in: listing([alice]))
        #expect(try !form(edited).isWrong(.name))
    }

    @Test("Saving waits for the test, and asks after its failure")
    func saving() throws {
        var model = typing("1", in: pressing(.enter, in: dead))
        #expect(try form(model).isConfirmed)
        model = typing("/x", in: pressing(.up, in: model))
        model = after(model, keys: .up)
        guard case .running(let id) = try form(model).test else { throw NotThere() }
        #expect(try form(model).focus == .name)
        #expect(update(&model, .input(.key(.enter))).isEmpty)
        var failed = model
        #expect(update(&failed, .result(id, .profiles(.tested([unreachableAnswer])))).isEmpty)
        #expect(failed.focus == .saveAnywayDialog)
        #expect(
            work(update(&model, .result(id, .profiles(.tested(authorityAnswer))))) == [
                .save(try form(model).draft, replacing: nil)
            ])
    }

    @Test("A field with an invalid text keeps the cursor, or gets it back once that is known")
    func invalidText() throws {
        let wrong = typing("contoso", in: pressing(.enter, in: unconfigured()))
        for key in [Key.enter, .tab, .up] {
            #expect(try form(pressing(key, in: wrong)).focus == .authority)
        }
        var fast = pressing(.enter, in: unconfigured())
        guard case .work(let id, .profiles(let judged)) = update(&fast, .input(.paste("contoso"))).first else {
            throw NotThere()
        }
        _ = update(&fast, .input(.key(.tab)))
        #expect(try form(fast).focus == .clientID)
        #expect(try form(after(fast, .result(id, .profiles(bookAnswer(to: judged))))).focus == .authority)
    }

    @Test("The authority of a preset provider is tested before the first save")
    func preset() throws {
        var model = typing("1", in: pressing(.down, .down, .down, .down, .enter, in: unconfigured()))
        #expect(try form(model).test == nil && form(model).focus == .clientID)
        for _ in 0..<6 where try form(model).focus != .name { _ = update(&model, .input(.key(.enter))) }
        #expect(work(update(&model, .input(.key(.enter)))) == [.test(try form(model).draft)])
    }

    @Test(
        "An error leads to the field that it blames; saving signs in",
        arguments: [
            (-42003, ["AADSTS700016"], ProfileDraft.Field.clientID), (-42010, [], .authority),
            (-42011, [], .redirectURI), (-42002, ["AADSTS50011"], .redirectURI), (-42005, [], .scopes),
        ])
    func blamed(code: Int, texts: [String], field: ProfileDraft.Field) throws {
        let report = Failure(
            headline: "It failed.", reason: "Why: \(texts.joined()).", kind: .misconfigured, internalCode: code)
        let model = pressing(.character("E"), in: showingFailure(report))
        #expect(try form(model).focus == field)
        #expect(try form(model).purpose == .edit("contoso"))
        #expect(try form(model).signsInWhenOpened)
        #expect(pressing(.escape, in: model).focus == .failure)
    }

    @Test("A server that can't be reached blames the authority; a removal and an unknown error blame nothing")
    func blameless() {
        #expect(networkReport.blamedField == .authority)
        #expect(Failure(headline: "It failed.", reason: "Why.").blamedField == nil)
    }

    @Test("A profile that opens after its screen was left is shown, because requests already go to its authority")
    func lateOpening() throws {
        var model = pressing("P", in: listing([alice]))
        guard case .work(let id, .profiles(.open)) = update(&model, .input(.key(.enter))).first else {
            throw NotThere()
        }
        model = after(model, keys: .escape, "i")
        let flow = try #require(model.running)
        let effects = update(&model, .result(id, .profiles(.opened(.success(demoProfile)))))
        #expect(model.profile == demoProfile && model.focus == .accounts)
        #expect(model.notice?.text == "Switched to profile demo.")
        #expect(effects.first == .cancel(flow) && effects.count == 2)
        #expect(model.traces[flow]?.ending == .cancelled)
    }

    @Test("The demo that opens after its screen was left is shown too")
    func lateDemo() {
        let model = after(listing([alice]), .result(EffectID(9), .scenarioOpened(.success(demoProfile))))
        #expect(model.profile == demoProfile && model.accounts.isReading)
    }

    @Test("A response for another URL is dropped")
    func staleAnswer() throws {
        var model = typing("https://login.contoso.example", in: pressing(.enter, in: unconfigured()))
        let asked = update(&model, .input(.key(.control("t"))))
        guard case .work(let id, .profiles(.test)) = asked.first else { throw NotThere() }
        model = after(typing("/x", in: model), .result(id, .profiles(.tested(authorityAnswer))))
        #expect(try form(model).test == nil)
    }

    @Test("Leaving the form stops the check")
    func leaving() throws {
        var model = typing("https://login.contoso.example", in: pressing(.enter, in: unconfigured()))
        let asked = update(&model, .input(.key(.control("t"))))
        guard case .work(let id, .profiles(.test)) = asked.first else { throw NotThere() }
        #expect(update(&model, .input(.key(.escape))).isEmpty)
        #expect(update(&model, .input(.key(.character("y")))) == [.cancel(id)])
        #expect(model.focus == .providers)
    }

    @Test("Esc confirms before it discards typed text, and only then")
    func discarding() throws {
        let untouched = pressing(.enter, in: unconfigured())
        #expect(pressing(.escape, in: untouched).focus == .providers)
        let typed = typing("contoso.com", in: untouched)
        let asked = pressing(.escape, in: typed)
        #expect(asked.focus == .discardDialog)
        #expect(asked.overlay?.as(Console.Confirmation.self)?.word == .discard)
        for key in [Key.enter, .escape, .character("q")] {
            let kept = pressing(key, in: asked)
            #expect(kept.overlay == nil)
            #expect(try form(kept).fields[.authority]?.text == "contoso.com")
        }
        #expect(pressing(.character("y"), in: asked).focus == .providers)
        #expect(pressing(.tab, .enter, in: asked).focus == .providers)
        // Text that was deleted again needs no confirmation.
        #expect(pressing(.control("u"), .escape, in: typed).focus == .providers)
    }

    @Test("A domain is completed to its authority once the field is left")
    func completion() throws {
        let model = typing("contoso.com", in: pressing(.enter, in: unconfigured()))
        #expect(try form(model).fields[.authority]?.text == "contoso.com")
        #expect(try form(model).draft.authority == "https://login.microsoftonline.com/contoso.com")
        let left = pressing(.enter, in: model)
        #expect(try form(left).fields[.authority]?.text == "https://login.microsoftonline.com/contoso.com")
    }

    @Test("The authority has no check mark before it responded, nor after it responded with an error")
    func ticks() throws {
        let typed = typing("https://login.contoso.example", in: pressing(.enter, in: unconfigured()))
        #expect(try !form(typed).isConfirmed)
        #expect(!view(typed, standardSize).lines.joined().contains("✓"))
        #expect(view(pressing(.control("t"), in: typed), standardSize).lines.joined().contains("✓"))
        var asking = typed
        guard case .work(let id, .profiles(.test)) = update(&asking, .input(.key(.control("t")))).first else {
            throw NotThere()
        }
        let rejected = answering(asking, .result(id, .profiles(.tested(untrustedAnswer))))
        #expect(try !form(rejected).isConfirmed)
        #expect(!view(rejected, standardSize).lines.joined().contains("✓"))
    }

    @Test("The form offers a CA file when the certificate is not trusted")
    func certificates() throws {
        var model = typing("https://login.contoso.example", in: pressing(.enter, in: unconfigured()))
        #expect(try !form(model).shownFields.contains(.certificates))
        guard case .work(let id, .profiles(.test)) = update(&model, .input(.key(.control("t")))).first else {
            throw NotThere()
        }
        model = answering(model, .result(id, .profiles(.tested(untrustedAnswer))))
        #expect(try form(model).focus == .certificates)
        model = typing("/etc/ssl/contoso.pem", in: model)
        #expect(try form(model).draft.certificates == "/etc/ssl/contoso.pem")
        // With another CA file the result is another one.
        #expect(try form(model).test == nil)
        #expect(try form(model).shownFields.contains(.certificates))
    }

    @Test("Esc never leaves the first screen; q ends the program")
    func firstScreen() {
        #expect(after(unconfigured(), keys: .escape).focus == .providers)
        #expect(after(unconfigured(), keys: .character("q")).isFinished)
    }

    @Test("One key opens the demo")
    func demo() {
        let model = pressing(.character("w"), in: unconfigured())
        #expect(model.profile == demoProfile)
        #expect(model.routes.isEmpty)
    }

    @Test("One key opens the demo from a start problem too")
    func demoFromProblem() {
        let model = Model(
            .problem(problem, configPath: ""), options: ProgramOptions(timeZone: testZone), size: standardSize)
        #expect(pressing(.character("w"), in: model).profile == demoProfile)
        #expect(pressing(.character("P"), in: model).focus == .profiles)
    }

    @Test(
        "A broken configuration opens in the editor and is read again afterwards, on the first screen and in the list")
    func editor() throws {
        var model = Model(
            .problem(problem, configPath: "/c.json"), options: ProgramOptions(timeZone: testZone),
            size: standardSize)
        #expect(view(model, standardSize).text.contains("Press E to edit the file in your editor."))
        #expect(update(&model, .input(.key(.character("E")))) == [.work(EffectID(1), .editConfiguration)])
        #expect(update(&model, .input(.key(.character("E")))).isEmpty)
        var edited = model
        #expect(
            update(&edited, .result(EffectID(1), .edited(nil))) == [
                .work(EffectID(2), .profiles(.openFirst))
            ])
        let still = after(edited, .result(EffectID(2), .profiles(.opened(.failure(brokenFileReport)))))
        #expect(view(still, standardSize).text.contains("unknown key"))
        #expect(after(edited, .result(EffectID(2), .profiles(.opened(.success(profile))))).profile == profile)
        var deleted = networkReport
        deleted.codeNames = [Failure.noConfiguration]
        #expect(after(edited, .result(EffectID(2), .profiles(.opened(.failure(deleted))))).focus == .providers)
        let failed = after(model, .result(EffectID(1), .edited(networkReport)))
        #expect(failed.notice?.severity == .warning)

        var list = try #require(profileStates.first { $0.0 == "profiles-broken" }).1
        guard case .work(let id, .editConfiguration) = update(&list, .input(.key(.character("E")))).first else {
            throw NotThere()
        }
        #expect(work(update(&list, .result(id, .edited(nil)))) == [.list])
    }

    @Test("The columns of the profiles have no room that no text needs")
    func columns() throws {
        let model = pressing(.character("P"), in: listing([alice]))
        #expect(view(model, standardSize).text.contains("contoso  in use, default  https://login"))
        let wide = view(after(model, .input(.resize(Size(width: 110, height: 24)))), Size(width: 110, height: 24)).text
        #expect(
            wide.contains(
                "contoso  in use, default  https://login.contoso.example/common  11111111-2222-3333-4444-5555"))
    }

    @Test("Switching profiles builds a new list: nothing of the other profile stays")
    func switching() {
        let model = pressing(.character("P"), .down, .enter, in: listing([alice, bob]))
        #expect(model.profile == demoProfile)
        #expect(model.accounts.all.isEmpty)
        #expect(model.routes.isEmpty)
    }

    @Test("Removing confirms first, with Cancel focused, and names the profile")
    func removal() {
        var model = pressing(.character("P"), .down, .character("D"), in: listing([alice]))
        let question = model.overlay?.as(Console.Confirmation.self)
        #expect(question?.word == .removeProfile("家庭") && question?.focus == .cancel)
        #expect(question?.message.hasPrefix("家庭\n") == true)
        #expect(work(update(&model, .input(.key(.enter)))).isEmpty)
        model = pressing(.character("D"), in: model)
        #expect(work(update(&model, .input(.key(.character("y"))))) == [.remove("家庭")])
    }

    @Test("The profile in use is not removed")
    func inUse() {
        let model = pressing(.character("P"), .character("D"), in: listing([alice]))
        #expect(model.overlay == nil)
        #expect(model.notice?.text == "It's in use. Switch to another profile first.")
    }

    @Test("Editing keeps the name unless it is changed, and returns to the list")
    func editing() throws {
        var model = pressing(.character("P"), .down, .character("E"), in: listing([alice]))
        #expect(try form(model).draft.name == "家庭")
        model = pressing(.enter, .enter, .enter, .enter, .enter, in: model)
        let saving = update(&model, .input(.key(.enter)))
        guard case .work(let id, .profiles(.save(let draft, let replaced))) = saving.first else { throw NotThere() }
        #expect(draft.name == "家庭" && replaced == "家庭")
        _ = update(&model, .result(id, .profiles(.saved(nil))))
        #expect(model.focus == .profiles)
    }

    @Test(
        "Suggested names",
        arguments: [
            ("https://login.microsoftonline.com/contoso.com", "contoso"),
            ("https://contoso.b2clogin.com/tfp/contoso.onmicrosoft.com/B2C_1_signin", "contoso"),
            ("https://accounts.google.com", "google"), ("http://127.0.0.1:8400/common", "local"),
            ("https://sso.example.org/realms/x", "example"), ("", "work"), ("https://登録.example", "work"),
        ])
    func names(authority: String, name: String) {
        let draft = ProfileDraft(authority: authority)
        #expect(draft.suggestedName(besides: []) == name)
        #expect(draft.suggestedName(besides: [name, name + "-2"]) == name + "-3")
    }
}
