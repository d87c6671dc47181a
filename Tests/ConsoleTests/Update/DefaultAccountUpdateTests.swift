import Testing

@testable import Console

@Suite struct DefaultAccountUpdateTests {
    @Test("A key makes the selected account the default, shows it, and takes it away again")
    func toggled() {
        var model = after(listing([alice, bob]), keys: .down)
        #expect(
            update(&model, .input(.key(.character("*")))) == [
                .saveDefaultAccount(bob.identifier, profile: profile.name)
            ])
        #expect(
            view(model, standardSize).text.contains("bob@contoso.example")
                && model.context.defaultAccount == bob.identifier)
        let rows = view(model, standardSize).text.split(separator: "\n").filter { $0.contains(" *  ") }
        #expect(rows.count == 1 && rows[0].contains("Bob Brown"), "\(view(model, standardSize).text)")
        #expect(model.notice?.text == "Commands that name no account use bob@contoso.example.")
        #expect(update(&model, .input(.key(.character("*")))) == [.saveDefaultAccount(nil, profile: profile.name)])
        #expect(!view(model, standardSize).text.contains(" *  "))
    }

    @Test("The default of the last run is shown")
    func saved() {
        var saved = profile
        saved.savedChoices.account = alice.identifier
        #expect(listing([alice, bob], saved).context.defaultAccount == alice.identifier)
        #expect(after(listing([alice], demoProfile), keys: .character("*")).notice?.text == "The demo keeps nothing.")
    }
}
