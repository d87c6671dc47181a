import Foundation
import MSAL
import TerminalUI
import Testing

@testable import Console

@Suite("Update: sign-in methods")
struct MethodsUpdateTests {
    private let waiting = eventsUntilWaiting.reduce(after(listing([alice]), keys: .character("i"))) { after($0, $1) }

    private func request(_ method: SignInMethod, account: String? = nil) -> SignInRequest {
        SignInRequest(scopes: ["User.Read"], account: account, method: method)
    }

    private func press(_ key: Key, _ model: inout Model) -> [Effect] { update(&model, .input(.key(key))) }

    private func state(_ model: Model) throws -> SignInState {
        guard let state = model.newest(SignInState.self) else { throw Unexpected() }
        return state
    }

    @Test(
        "A key for each method",
        arguments: [("i", .browser), ("m", .device), ("p", .paste)] as [(Character, SignInMethod)])
    func keys(key: Character, method: SignInMethod) throws {
        var model = listing([alice])
        #expect(press(.character(key), &model) == [.work(EffectID(2), .signIn(request(method)))])
        #expect(model.routes == [AnyScreen(SignInState(id: EffectID(2), request: request(method)))])
        #expect(try state(model).progress == (method == .device ? .deviceCode : .interactive))
    }

    @Test func theProfileNamesTheUsualMethod() {
        var profile = profile
        profile.methods = [.device]
        var model = listing([alice], profile)
        #expect(press(.character("i"), &model) == [.work(EffectID(2), .signIn(request(.device)))])
    }

    @Test("Without the profile's choice, the machine decides", arguments: [false, true])
    func machine(isOverSSH: Bool) {
        var model = listing([alice])
        let facts = MachineFacts(ssh: isOverSSH ? MachineFacts.SSH() : nil, hasDisplay: true)
        model.options.proposal = MethodProposal(facts)
        #expect(
            press(.character("i"), &model) == [.work(EffectID(2), .signIn(request(isOverSSH ? .device : .browser)))])
    }

    /// On a machine without a display, with an authority that was not contacted yet.
    private func withoutDisplay(_ profile: ProgramProfile = profile) -> Model {
        var model = listing([], profile)
        model.options.proposal = MethodProposal(MachineFacts())
        return model
    }

    @Test func theProfilesBrowserCountsOnAMachineWithoutADisplay() {
        var profile = profile
        profile.namesBrowser = true
        var model = withoutDisplay(profile)
        #expect(view(model, standardSize).text.contains("sign in with the browser"))
        #expect(press(.character("i"), &model) == [.work(EffectID(2), .signIn(request(.browser)))])
    }

    @Test(
        "A device code that the authority does not offer is suggested nowhere",
        arguments: [[], [.device]] as [[SignInMethod]])
    func noDeviceCode(methods: [SignInMethod]) throws {
        var profile = profile
        profile.methods = methods
        var model = after(withoutDisplay(profile), .progress(EffectID(1), .deviceCodeOffer(false)))
        let shown = view(model, standardSize).text
        #expect(!shown.contains("code") && shown.contains("sign in with any browser"))
        #expect(press(.character("m"), &model) == [])
        #expect(model.notice?.text.contains("doesn't support device codes") == true)
        #expect(press(.enter, &model) == [.work(EffectID(2), .signIn(request(.paste)))])
        let waiting = after(
            after(model, event(.openBrowser, .started, url: authorizationURL)), event(.waitForResponse, .started),
            event(.waitForResponse, .noted, after: 60))
        #expect(!view(waiting, standardSize).text.contains("code on another"))
        let form = after(
            after(listing([], profile), .progress(EffectID(1), .deviceCodeOffer(false))), keys: .character("o"))
        #expect(view(form, Size(width: 120, height: 40)).text.contains("(-) Device"))
    }

    @Test func aLateResponseOfTheAuthorityEndsTheSuggestion() throws {
        var model = after(withoutDisplay(), keys: .character("o"))
        guard let form = model.newest(SignInForm.self) else { throw Unexpected() }
        #expect(form.method == .device)
        model = after(model, .progress(EffectID(1), .deviceCodeOffer(false)))
        #expect(press(.enter, &model) == [.work(EffectID(3), .signIn(request(.paste)))])
    }

    @Test func theFirstSignInContinuesWithoutDeviceCodes() throws {
        var model = after(withoutDisplay(), keys: .enter)
        #expect(try state(model).chain.methods == [.device, .paste])
        model = after(model, .progress(EffectID(2), .deviceCodeOffer(false)))
        let ended = update(&model, .result(EffectID(2), .acquired(.failure(networkReport))))
        #expect(ended == [.work(EffectID(3), .signIn(request(.paste)))])
        #expect(try state(model).rejections.map(\.next) == [.paste])
    }

    @Test func retryingADeviceCodeUsesTheUsualMethodIfCodesAreNotOffered() throws {
        var model = after(withoutDisplay(), keys: .character("m"))
        model = after(
            model, .progress(EffectID(2), .deviceCodeOffer(false)),
            .result(EffectID(2), .acquired(.failure(networkReport))))
        #expect(model.focus == .failure)
        #expect(press(.character("r"), &model) == [.work(EffectID(3), .signIn(request(.paste)))])
    }

    @Test func anotherProfilesAuthorityIsNotConsidered() {
        let model = withoutDisplay()
        #expect(after(model, .progress(EffectID(9), .deviceCodeOffer(false))) == model)
    }

    @Test func aRunningSignInCanSwitchMethods() throws {
        var model = waiting
        #expect(
            press(.character("m"), &model) == [.cancel(EffectID(2)), .work(EffectID(3), .signIn(request(.device)))])
        #expect(model.routes == [AnyScreen(SignInState(id: EffectID(3), request: request(.device)))])
        #expect(press(.character("m"), &model) == [])
        #expect(model.notice?.text.contains("already") == true)
        #expect(
            press(.character("i"), &model) == [.cancel(EffectID(3)), .work(EffectID(4), .signIn(request(.browser)))])
    }

    @Test func theConfiguredMethodsAreTriedInOrder() throws {
        var model = listing([alice], chainProfile)
        #expect(press(.character("i"), &model) == [.work(EffectID(2), .signIn(request(.broker)))])
        let absent = update(&model, .result(EffectID(2), .acquired(.failure(absentBrokerReport))))
        #expect(absent == [.work(EffectID(3), .signIn(request(.browser)))])
        let missing = of(EffectID(3), event(.openBrowser, .failed, "No browser was found."))
        #expect(update(&model, missing) == [.cancel(EffectID(3))])
        let ended = update(&model, .result(EffectID(3), .acquired(.failure(cancelledReport))))
        #expect(ended == [.work(EffectID(4), .signIn(request(.device)))])
        #expect(
            try state(model).rejections.map(\.text) == [
                "There is no identity broker in this session. Trying the browser instead.",
                "No browser was found. Trying a device code instead.",
            ])
        #expect(update(&model, .result(EffectID(4), .acquired(.failure(networkReport)))) == [])
        #expect(model.focus == .failure)
    }

    @Test func retryingRepeatsTheMethodsFromTheFirst() throws {
        var model = after(withoutBrowser, .result(EffectID(4), .acquired(.failure(networkReport))))
        #expect(press(.character("r"), &model) == [.work(EffectID(5), .signIn(request(.broker)))])
        #expect(try state(model).chain.methods == [.broker, .browser, .device])
        #expect(try state(model).rejections == [])
    }

    @Test func signingInAfterAFailureUsesTheUsualMethod() throws {
        var model = after(
            after(listing([alice]), keys: .character("m")),
            .result(EffectID(2), .acquired(.failure(networkReport))))
        #expect(press(.character("i"), &model) == [.work(EffectID(3), .signIn(request(.browser)))])
    }

    @Test("Switching methods reports what happens to the wait", arguments: [("m", "page"), ("i", "code")])
    func endOfTheWait(key: Character, word: String) {
        let code = after(after(listing([alice]), keys: .character("m")), .progress(EffectID(2), .deviceCode(shownCode)))
        let model = after(key == "m" ? waiting : code, keys: .character(key))
        #expect(model.notice?.text.contains("previous \(word)") == true)
    }

    @Test func theFormsDefaultMethodIsTheProfiles() throws {
        var model = after(listing([alice], chainProfile), keys: .character("o"))
        #expect(press(.enter, &model) == [.work(EffectID(3), .signIn(request(.broker)))])
        #expect(try state(model).chain.methods == [.broker, .browser, .device])
    }

    @Test func aChosenMethodIsUsedAlone() throws {
        let model = after(listing([alice], chainProfile), keys: .character("p"))
        #expect(try state(model).chain.methods == [.paste])
        #expect(after(model, .result(EffectID(2), .acquired(.failure(networkReport)))).focus == .failure)
    }

    @Test func cancellingOffersNoOtherMethod() {
        let model = after(withoutBroker, .result(EffectID(3), .acquired(.failure(cancelledReport))))
        #expect(model.focus == .failure)
    }

    @Test func theCodeBelongsToItsSignIn() throws {
        let model = after(listing([alice]), keys: .character("m"))
        #expect(try state(after(model, .progress(EffectID(2), .deviceCode(shownCode)))).deviceCode == shownCode)
        #expect(after(model, .progress(EffectID(1), .deviceCode(shownCode))) == model)
        #expect(
            after(waiting, keys: .escape)
                == after(after(waiting, keys: .escape), .progress(EffectID(2), .deviceCode(shownCode))))
    }

    @Test func aPasteIsDelivered() {
        var model = waiting
        #expect(
            update(&model, .input(.paste("http://localhost\n?code=x"))) == [
                .deliver(EffectID(2), "http://localhost\n?code=x")
            ])
        #expect(model.focus == .pasteEntry && !view(model, standardSize).text.contains("code=x"))
        model = after(model, event(.waitForResponse, .succeeded, after: 5))
        #expect(model.focus == .signIn)
    }

    @Test func typedTextIsDeliveredOnEnter() throws {
        var model = after(waiting, keys: .character("p"))
        #expect(model.focus == .pasteEntry)
        for key in [Key.character("a"), .character("?"), .character("q"), .character("x"), .backspace] {
            #expect(press(key, &model) == [])
        }
        #expect(try state(model).pasted == "a?q")
        #expect(press(.enter, &model) == [.deliver(EffectID(2), "a?q")])
        #expect(try state(model).pasted == "a?q")
    }

    @Test("A terminal without bracketed paste types the URL, and no letter of it is a command")
    func typedURL() throws {
        var model = waiting
        for letter in "http://localhost/?code=x" { #expect(press(.character(letter), &model) == [], "\(letter)") }
        #expect(try state(model).pasted == "http://localhost/?code=x" && model.notice == nil)
        #expect(try state(after(waiting, keys: .character("p"))).pasted == "")
        #expect(try state(after(waiting, keys: .character("h"), .character("y"), .character("p"))).pasted == "")
    }

    @Test("While only a paste is awaited, its field is open by itself")
    func openField() throws {
        let opened = after(
            after(listing([alice]), keys: .character("p")),
            event(.openBrowser, .started, after: 0.33, url: authorizationURL))
        #expect(opened.focus == .pasteEntry)
        #expect(after(opened, keys: .escape).focus == .signIn)
        #expect(after(opened, keys: .escape, .character("m")).newest(SignInState.self)?.method == .device)
    }

    @Test func typedAndPastedTextAreJoined() {
        var model = after(waiting, keys: .character("p"), .character("a"))
        #expect(update(&model, .input(.paste("bc"))) == [.deliver(EffectID(2), "abc")])
    }

    @Test func theCodeIsHiddenWhileItIsTyped() {
        for text in ["http://localhost:40711/?code=secret-code&state=s", "secret-code"] {
            let model = text.reduce(after(waiting, keys: .character("p"))) { after($0, keys: .character($1)) }
            let shown = view(model, standardSize).text
            #expect(!shown.contains("secret"))
            #expect(shown.contains("(\(text.count) characters)"))
        }
    }

    @Test func escapeLeavesThePastingAndNotTheSignIn() throws {
        var model = after(waiting, keys: .character("p"), .character("a"))
        #expect(press(.escape, &model) == [])
        #expect(try state(model).pasted == nil)
        #expect(press(.escape, &model) == [.cancel(EffectID(2))])
    }

    @Test("The closed field keeps its text for the next time")
    func keptText() throws {
        let model = after(waiting, keys: .character("p"), .character("a"), .escape, .character("p"))
        #expect(try state(model).pasted == "a")
    }

    @Test func interruptLeavesBoth() {
        var model = after(waiting, keys: .character("p"), .character("a"))
        #expect(press(.control("c"), &model) == [.cancel(EffectID(2))])
        #expect(model.routes == [])
    }

    @Test func aRejectedPasteSaysWhyAndTheSignInContinues() {
        var model = after(
            waiting, .input(.paste("http://wrong/")), .progress(EffectID(2), .pasteRejected(wrongPasteReport)))
        #expect(model.focus == .pasteEntry && model.notice == nil)
        let text = view(model, standardSize).text
        #expect(text.contains("http://wrong/") && text.contains("✗ ") && text.contains("sign-in page itself"))
        #expect(!view(after(model, keys: .backspace), standardSize).text.contains("✗ "), "the text is another one")
        // Another paste replaces the wrong text.
        #expect(update(&model, .input(.paste("http://right/"))) == [.deliver(EffectID(2), "http://right/")])
        #expect(after(waiting, .progress(EffectID(1), .pasteRejected(wrongPasteReport))) == waiting)
    }

    @Test func aDeviceCodeTakesNoPaste() {
        var model = after(listing([alice]), keys: .character("m"))
        #expect(press(.character("p"), &model) == [])
        #expect(model.notice != nil)
        #expect(update(&model, .input(.paste("x"))) == [])
    }

    @Test func retryingUsesTheSameMethod() {
        var model = after(
            after(listing([alice]), keys: .character("m")),
            .result(EffectID(2), .acquired(.failure(networkReport))))
        #expect(press(.character("r"), &model) == [.work(EffectID(3), .signIn(request(.device)))])
    }

    @Test("Countdowns", arguments: [(900, "15:00"), (61, "1:01"), (9, "0:09"), (0, "0:00")])
    func countdown(seconds: Int, text: String) { #expect(Moment.countdown(seconds) == text) }
}
