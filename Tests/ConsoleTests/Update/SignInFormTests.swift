import Diagnosis
import MSAL
import TerminalUI
import Testing

@testable import Console

@Suite("The sign-in form")
struct SignInFormTests {
    private func opened(_ model: Model = listing([alice])) -> Model { after(model, keys: .character("o")) }

    private func submitted(_ keys: Key..., from model: Model? = nil) -> SignInRequest? {
        var model = keys.reduce(model ?? opened()) { after($0, keys: $1) }
        guard case .work(_, .signIn(let request)) = update(&model, .input(.key(.enter))).first else { return nil }
        return request
    }

    private func type(_ text: String, in model: Model) -> Model {
        text.reduce(model) { after($0, keys: .character($1)) }
    }

    @Test func enterAloneSignsInWithTheUsualMethod() {
        #expect(submitted() == SignInRequest(scopes: ["User.Read"]))
        var model = listing([alice])
        model.options.proposal = MethodProposal(MachineFacts())
        #expect(submitted(from: opened(model)) == SignInRequest(scopes: ["User.Read"], method: .device))
    }

    @Test func scopesThatAreAlwaysRequestedMayBeTyped() {
        #expect(SignInRequest(scopes: ["openid", "Mail.Read", "Offline_Access"]).scopes == ["Mail.Read"])
    }

    @Test("A rejected request comes back with its options, to be corrected")
    func corrected() throws {
        var request = SignInRequest(scopes: ["Mail.Read"], method: .paste)
        (request.prompt, request.loginHint, request.domainHint) = (.consent, "ann@contoso.example", "contoso.example")
        (request.tenant, request.claims) = ("contoso", "{bad")
        let report = Failure(headline: "Rejected.", reason: "Why.", kind: .rejected, internalCode: -42000)
        let model = after(showingFailure(report, attempt: .signIn(nil, request)), keys: .enter)
        #expect(try form(model).request == request)
        #expect(submitted(from: model) == request)
    }

    @Test func scopesThatAreAlwaysRequestedAreNoChoice() {
        let form = SignInForm(
            offers: [], method: .browser, profileScopes: ["openid", "email"], recent: ["profile", "x"])
        #expect(form.scopes == ["email", "x"])
    }

    @Test func enterOnAMethodUsesIt() {
        #expect(submitted(.down)?.method == .device)
        #expect(submitted(.down, .down)?.method == .paste)
    }

    @Test func aBrokerIsOfferedIfTheProfileNamesIt() throws {
        var profile = profile
        profile.methods = [.broker]
        let form = opened(listing([alice], profile))
        #expect(submitted(from: form)?.method == .broker)
        #expect(submitted(.down, from: form)?.method == .browser)
        #expect(try self.form(form).offer(.method(.broker))?.reason.isEmpty == false)
    }

    private func form(_ model: Model) throws -> SignInForm {
        guard let form = model.newest(SignInForm.self) else { throw Unexpected() }
        return form
    }

    private func asked(_ handler: MachineFindings.Handler, _ model: Model) -> Model {
        after(model, .result(EffectID(2), .urlHandler(handler)))
    }

    @Test func aBrokerThatTheProfileDoesNotNameIsListedWithTheReason() throws {
        var model = after(opened(), keys: .down, .down, .down)
        #expect(try form(model).row == .method(.closed(.broker)))
        for key in [Key.enter, .character(" ")] {
            #expect(update(&model, .input(.key(key))) == [])
            #expect(model.notice?.text.contains("Off in this profile") == true)
        }
        #expect(model.focus == .signInForm)
    }

    @Test func anAbsentBrokerStaysInTheListWithTheReason() throws {
        let failed = after(withoutBrowser, .result(EffectID(4), .acquired(.failure(networkReport))))
        let model = after(failed, keys: .escape, .character("o"))
        let offer = try #require(try form(model).offer(.closed(.broker)))
        #expect(offer.reason == absentBrokerReport.reason)
        #expect(try form(model).row == .method(.method(.browser)))
        let again = after(model, keys: .escape, .character("r"), .character("o"))
        #expect(try form(again).offer(.method(.broker)) != nil)
    }

    @Test func theDesktopIsCheckedEachTimeTheFormOpens() throws {
        var model = listing([alice])
        #expect(update(&model, .input(.key(.character("o")))) == [.work(EffectID(2), .checkURLHandler(profile))])
        #expect(try form(model).offer(.closed(.urlHandler))?.reason == "Still checking the desktop.")
    }

    @Test(
        "An unavailable URL handler is listed with the reason",
        arguments: [
            (MachineFindings.Handler.notNeeded, "Only for redirect URIs"),
            (.other(scheme: "msauth.a", name: nil), "No app opens msauth.a://"),
            (.other(scheme: "msauth.a", name: "x.desktop"), "x.desktop opens msauth.a://"),
            (.unknown(scheme: "msauth.a"), "xdg-mime is missing"),
        ])
    func closedHandler(handler: MachineFindings.Handler, words: String) throws {
        let model = asked(handler, opened())
        #expect(try form(model).offer(.closed(.urlHandler))?.reason.contains(words) == true)
        #expect(submitted(from: model)?.method == .browser)
    }

    @Test func aResponseToAnEarlierFormIsDropped() throws {
        let model = opened(after(opened(), keys: .escape))
        #expect(asked(.ours(scheme: "msauth.a"), model) == model)
    }

    @Test func aRegisteredHandlerIsASignInMethod() throws {
        let model = asked(.ours(scheme: "msauth.a"), opened())
        #expect(try form(model).offer(.closed(.urlHandler)) == nil)
        #expect(try form(model).offer(.method(.browser))?.title == "URL handler")
        #expect(submitted(from: model)?.method == .browser)
    }

    @Test func theDesktopsResponseMovesNoSelection() throws {
        let scope = after(opened(), keys: .down, .down, .down, .down, .down)
        #expect(try form(asked(.ours(scheme: "msauth.a"), scope)).row == .scope("User.Read"))
        let closed = after(opened(), keys: .down, .down, .down, .down)
        #expect(try form(asked(.ours(scheme: "msauth.a"), closed)).row == .method(.method(.browser)))
    }

    @Test func spaceChoosesAMethodAndMovesOn() {
        #expect(submitted(.down, .character(" "), .down, .down, .down, .down)?.method == .device)
    }

    @Test func scopesAreAddedAndRemoved() {
        let scope = after(opened(), keys: .down, .down, .down, .down, .down)
        #expect(submitted(.character(" "), from: scope)?.scopes == [])
        #expect(submitted(.character(" "), .character(" "), from: scope)?.scopes == ["User.Read"])
        let typed = type("Mail.Read  User.Read", in: after(scope, keys: .down))
        #expect(submitted(from: typed)?.scopes == ["User.Read", "Mail.Read"])
    }

    @Test func recentlyGrantedScopesAreOffered() throws {
        var model = after(listing([alice]), keys: .character("i"))
        model = after(model, .result(EffectID(2), .acquired(.success(acquisition))))
        model = opened(after(model, keys: .escape))
        guard let form = model.newest(SignInForm.self) else {
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
        "The prompt setting cycles through its values",
        arguments: [(Key.left, MSALPromptType.create), (.right, .selectAccount)])
    func prompt(key: Key, expected: MSALPromptType) {
        #expect(submitted(.end, .up, .up, .up, .up, key)?.prompt == expected)
    }

    @Test func lettersAreTextInAFieldAndKeysElsewhere() {
        let field = after(opened(), keys: .end)
        #expect(field.focus == .signInField)
        #expect(after(field, keys: .character("q")).routes.count == 1)
        #expect(opened().focus == .signInForm)
        #expect(after(opened(), keys: .character("q")).routes == [])
    }

    @Test func pastedTextGoesIntoTheField() {
        let model = after(after(opened(), keys: .end, .up), .input(.paste("fabrikam.example\n")))
        #expect(submitted(from: model)?.tenant == "fabrikam.example")
        let outside = after(opened(), .input(.paste("x")))
        #expect(outside.notice?.text == "A text of 1 character: e explains it.")
        #expect(after(outside, keys: .end, .up) == after(opened(), keys: .end, .up))
    }

    @Test func escapeSendsNoRequest() {
        var model = opened()
        #expect(update(&model, .input(.key(.escape))) == [])
        #expect(model.routes == [])
    }

    @Test func anEmptyListSignsInOnEnter() {
        var model = listing([])
        #expect(
            update(&model, .input(.key(.enter))) == [.work(EffectID(2), .signIn(SignInRequest(scopes: ["User.Read"])))])
    }

    @Test func retryingSendsTheSameRequest() {
        var model = after(opened(), keys: .end, .up)
        model = type("fabrikam", in: model)
        _ = update(&model, .input(.key(.enter)))
        model = after(model, .result(EffectID(3), .acquired(.failure(networkReport))))
        var expected = SignInRequest(scopes: ["User.Read"])
        expected.tenant = "fabrikam"
        #expect(update(&model, .input(.key(.character("r")))) == [.work(EffectID(4), .signIn(expected))])
    }

    @Test func anotherMethodSendsTheSameRequest() {
        var model = after(opened(), keys: .end, .up)
        model = type("fabrikam", in: model)
        _ = update(&model, .input(.key(.enter)))
        var expected = SignInRequest(scopes: ["User.Read"], method: .device)
        expected.tenant = "fabrikam"
        #expect(
            update(&model, .input(.key(.character("m")))) == [
                .cancel(EffectID(3)), .work(EffectID(4), .signIn(expected)),
            ])
    }
}
