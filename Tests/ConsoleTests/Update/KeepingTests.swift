import TerminalUI
import Testing

@testable import Console

@Suite("Update: choices kept between runs")
struct KeepingTests {
    private let kept: ProgramProfile = {
        var kept = profile
        kept.savedChoices = SavedChoices(scopes: ["Mail.Read"], order: .name)
        return kept
    }()

    @Test func theSortOrderIsKept() {
        var model = listing([alice, bob])
        #expect(
            update(&model, .input(.key(.character("s"))))
                == [.saveChoices(SavedChoices(order: .name), profile: "contoso")])
    }

    @Test func grantedScopesAreKeptOnce() {
        var model = after(listing([alice]), keys: .character("i"))
        let choices = SavedChoices(scopes: acquisition.scopes)
        #expect(
            update(&model, .result(EffectID(2), .acquired(.success(acquisition))))
                == [.work(EffectID(3), .readAccounts), .saveChoices(choices, profile: "contoso")])
        model = after(model, keys: .escape, .character("i"))
        #expect(
            update(&model, .result(EffectID(4), .acquired(.success(acquisition)))) == [
                .work(EffectID(5), .readAccounts)
            ])
    }

    @Test func aDemoKeepsNothing() {
        var model = listing([alice, bob], demoProfile)
        #expect(update(&model, .input(.key(.character("s")))) == [])
        #expect(model.accounts.order == .name)
    }

    @Test func aRunStartsWithTheKeptChoices() throws {
        let started = listing([bob, alice], kept)
        #expect(started.accounts.selected == alice)
        guard let form = after(started, keys: .character("o")).newest(SignInForm.self) else { throw Unexpected() }
        #expect(form.scopes == ["User.Read", "Mail.Read"])
    }

    @Test func anotherProfileHasItsOwn() {
        var model = listing([alice], kept)
        model.context.recentScopes = ["Files.Read"]
        model = after(
            after(model, keys: .character("P")), .result(EffectID(2), .profiles(.listed(.success(profileEntries)))),
            .input(.key(.enter)), .result(EffectID(3), .profiles(.opened(.success(profile)))))
        #expect(model.context.recentScopes == [])
    }

    @Test func anUnreadableFileIsReported() {
        var damaged = profile
        damaged.savedChoicesTrouble = "Can't read your settings."
        #expect(
            after(newModel(damaged), .started).notice == Notice(.warning, "Can't read your settings."))
    }
}
