import Console
import TerminalUI
import Testing

@Suite("The form of a sign-in")
struct SignInFormTests {
    private func opened(_ model: Model = listing([alice])) -> Model { after(model, keys: .character("o")) }

    private func submitted(_ keys: Key..., from model: Model? = nil) -> SignInRequest? {
        var model = keys.reduce(model ?? opened()) { after($0, keys: $1) }
        guard case .signIn(_, let request) = update(&model, .input(.key(.enter))).first else { return nil }
        return request
    }

    private func type(_ text: String, in model: Model) -> Model {
        text.reduce(model) { after($0, keys: .character($1)) }
    }

    @Test func enterAloneSignsInTheWayThatIAsks() {
        #expect(submitted() == SignInRequest(scopes: ["User.Read"]))
        var model = listing([alice])
        model.options.proposal = WayProposal(MachineFacts())
        #expect(submitted(from: opened(model)) == SignInRequest(scopes: ["User.Read"], way: .device))
    }

    @Test func enterOnAWayTakesIt() {
        #expect(submitted(.down)?.way == .device)
        #expect(submitted(.down, .down)?.way == .paste)
    }

    @Test func aBrokerIsOfferedWhereTheProfileNamesIt() {
        var profile = profile
        profile.ways = [.broker]
        let form = opened(listing([alice], profile))
        #expect(submitted(from: form)?.way == .broker)
        #expect(submitted(.down, from: form)?.way == .browser)
        #expect(form.proposal.reason(for: .broker)?.isEmpty == false)
    }

    @Test func spaceChoosesAWayAndGoesOn() {
        #expect(submitted(.down, .character(" "), .down, .down)?.way == .device)
    }

    @Test func scopesAreTakenInAndOut() {
        #expect(submitted(.down, .down, .down, .character(" "))?.scopes == [])
        #expect(submitted(.down, .down, .down, .character(" "), .character(" "))?.scopes == ["User.Read"])
        let typed = type("Mail.Read  User.Read", in: after(opened(), keys: .down, .down, .down, .down))
        #expect(submitted(from: typed)?.scopes == ["User.Read", "Mail.Read"])
    }

    @Test func whatWasGrantedLatelyIsOffered() throws {
        var model = after(listing([alice]), keys: .character("i"))
        model = after(model, .acquired(EffectID(2), .success(acquisition), at: testTime))
        model = opened(after(model, keys: .escape))
        guard case .signInForm(let form) = model.routes.last else {
            Issue.record("No form.")
            return
        }
        #expect(form.scopes.first == "User.Read")
        #expect(Set(form.scopes).isSuperset(of: acquisition.scopes))
        #expect(form.chosenScopes == ["User.Read"])
        #expect(Set(form.scopes).count == form.scopes.count)
    }

    @Test func theFieldsAreSent() {
        var model = after(opened(), keys: .end)
        for text in ["{}", "fabrikam", "contoso.com", "ada"] {
            model = after(type(text, in: model), keys: .up)
        }
        var expected = SignInRequest(scopes: ["User.Read"])
        expected.claims = "{}"
        expected.tenant = "fabrikam"
        expected.domainHint = "contoso.com"
        expected.loginHint = "ada"
        expected.prompt = .selectAccount
        #expect(submitted(from: after(model, keys: .right)) == expected)
    }

    @Test(
        "What the page shall insist on goes round",
        arguments: [(Key.left, SignInPrompt.create), (.right, .selectAccount)])
    func prompt(key: Key, expected: SignInPrompt) {
        #expect(submitted(.end, .up, .up, .up, .up, key)?.prompt == expected)
    }

    @Test func lettersAreTypedInAFieldAndAreKeysElsewhere() {
        let field = after(opened(), keys: .end)
        #expect(field.focus == .signInField)
        #expect(after(field, keys: .character("q")).routes.count == 1)
        #expect(opened().focus == .signInForm)
        #expect(after(opened(), keys: .character("q")).routes == [])
    }

    @Test func whatIsPastedGoesIntoTheField() {
        let model = after(after(opened(), keys: .end, .up), .input(.paste("fabrikam.example\n")))
        #expect(submitted(from: model)?.tenant == "fabrikam.example")
        #expect(after(opened(), .input(.paste("x"))) == opened())
    }

    @Test func escapeAsksNothing() {
        var model = opened()
        #expect(update(&model, .input(.key(.escape))) == [])
        #expect(model.routes == [])
    }

    @Test func anEmptyListSignsInOnEnter() {
        var model = listing([])
        #expect(update(&model, .input(.key(.enter))) == [.signIn(EffectID(2), SignInRequest(scopes: ["User.Read"]))])
    }

    @Test func tryingAgainAsksTheSame() {
        var model = after(opened(), keys: .end, .up)
        model = type("fabrikam", in: model)
        _ = update(&model, .input(.key(.enter)))
        model = after(model, .acquired(EffectID(2), .failure(networkReport), at: testTime))
        var expected = SignInRequest(scopes: ["User.Read"])
        expected.tenant = "fabrikam"
        #expect(update(&model, .input(.key(.character("r")))) == [.signIn(EffectID(3), expected)])
    }

    @Test func anotherWayAsksTheSame() {
        var model = after(opened(), keys: .end, .up)
        model = type("fabrikam", in: model)
        _ = update(&model, .input(.key(.enter)))
        var expected = SignInRequest(scopes: ["User.Read"], way: .device)
        expected.tenant = "fabrikam"
        #expect(
            update(&model, .input(.key(.character("c")))) == [.cancel(EffectID(2)), .signIn(EffectID(3), expected)])
    }
}
