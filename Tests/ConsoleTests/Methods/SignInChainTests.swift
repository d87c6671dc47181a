import Console
import Foundation
import MSAL
import Testing

/// Which result of a sign-in method leads to the next one.
@Suite struct SignInChainTests {
    private static func report(_ code: MSALError, _ inner: MSALInternalError? = nil) -> Failure {
        Failure(
            headline: "", reason: "It\nfailed.", domain: MSALErrorDomain, code: code.rawValue,
            internalCode: inner?.rawValue, date: testTime)
    }

    private static let absent = report(.internal, .internalBrokerNotAvailable)
    private static let failed = report(.internal, .internalErrorBrokerUnknown)

    @Test(
        "The methods of a sign-in",
        arguments: [
            ([], [.device, .paste]), ([.device], [.device]), ([.broker], [.broker, .device, .paste]),
            ([.broker, .paste], [.broker, .paste]), ([.browser, .device], [.browser, .device]),
        ] as [([SignInMethod], [SignInMethod])])
    func methods(asked: [SignInMethod], methods: [SignInMethod]) {
        #expect(SignInChain(asked, otherwise: [.device, .paste]).methods == methods)
    }

    @Test(
        "One line names the next method",
        arguments: [
            ([.broker], absent, "the browser"), ([.broker], failed, nil),
            ([.broker, .device], failed, "a device code"),
            ([.browser, .paste], report(.interactionRequired), "a pasted URL"),
            ([.browser, .broker], failed, "the identity broker"),
            ([.browser, .device], report(.userCanceled), nil),
            ([.browser, .device], report(.serverDeclinedScopes), nil),
            ([.browser, .device], report(.internal, .internalErrorMismatchedUser), nil), ([.browser], failed, nil),
        ] as [([SignInMethod], Failure, String?)])
    func next(asked: [SignInMethod], report: Failure, next: String?) {
        let chain = SignInChain(asked, otherwise: [.browser])
        let line = next.map { "  ! It failed. Trying \($0) instead." }
        #expect(chain.rejection(of: 0, report)?.line == line)
        #expect(chain.rejection(of: chain.methods.count - 1, report) == nil)
    }

    @Test func aBrowserThatFailsToStartIsReported() {
        let rejection = SignInChain([.browser, .device], otherwise: [.browser])
            .rejection(of: 0, Self.report(.userCanceled), browserFailure: "No browser.")
        #expect(rejection?.line == "  Trying a device code instead.")
        #expect(rejection?.text == "No browser. Trying a device code instead.")
    }

    @Test("The wait for a browser that failed to start ends if another method follows", arguments: [0, 1])
    func givingUp(turn: Int) {
        let chain = SignInChain([.browser, .browser], otherwise: [.browser])
        func givesUp(_ step: MSALFlowEvent.Step, _ phase: MSALFlowEvent.Phase) -> Bool {
            chain.givesUp(at: turn, on: MSALFlowEvent(step: step, phase: phase, detail: "", date: testTime))
        }
        #expect(givesUp(.openBrowser, .failed) == (turn == 0))
        #expect(!givesUp(.openBrowser, .succeeded))
        #expect(!givesUp(.listen, .failed))
    }

    @Test func theProgramsOwnFailuresEndTheSignIn() {
        var own = Self.failed
        own.domain = "Failure"
        #expect(SignInChain([.paste, .device], otherwise: [.browser]).rejection(of: 0, own) == nil)
    }

    @Test("A device code that the authority does not offer leads to its replacement; a chosen one to nothing")
    func absentCode() {
        let usual = SignInChain([], otherwise: [.device, .paste])
        let line = "  ! It failed. Trying a pasted URL instead."
        #expect(usual.rejection(of: 0, Self.failed, isAbsent: true)?.line == line)
        #expect(usual.rejection(of: 0, Self.failed) == nil)
        #expect(SignInChain([.device], otherwise: [.browser]).rejection(of: 0, Self.failed, isAbsent: true) == nil)
    }

    @Test(
        "A device code that the authority refuses to this client leads to its replacement; another refusal to nothing",
        arguments: [
            ("unauthorized_client", "", [], true), ("unsupported_grant_type", "", [], true),
            ("invalid_client", "Invalid client type.", [], true),
            ("invalid_client", "AADSTS7000218", [7_000_218], true),
            ("invalid_grant", "AADSTS53003", [53_003], true), ("unauthorized_client", "AADSTS700016", [700_016], false),
            ("invalid_client", "Client not found", [], false), ("expired_token", "", [], false),
        ] as [(String, String, [Int], Bool)])
    func refusedCode(error: String, reason: String, codes: [Int], goesOn: Bool) {
        var refused = Self.failed
        (refused.oauthError, refused.reason, refused.serviceCodes) = (error, reason, codes)
        let usual = SignInChain([], otherwise: [.device, .paste])
        #expect(usual.rejection(of: 0, refused)?.next == (goesOn ? .paste : nil))
        #expect(SignInChain([.device], otherwise: [.browser]).rejection(of: 0, refused) == nil)
        #expect(SignInChain([], otherwise: [.paste, .browser]).rejection(of: 0, refused) == nil)
    }

    @Test(
        "A device code that is denied before anybody was asked leads to its replacement; a user who declines, to nothing"
    )
    func deniedCode() {
        let usual = SignInChain([], otherwise: [.device, .paste])
        var denied = Self.failed
        (denied.oauthError, denied.kind) = ("access_denied", .rejected)
        #expect(usual.rejection(of: 0, denied) != nil)
        denied.kind = .canceled
        #expect(usual.rejection(of: 0, denied) == nil)
    }

    @Test func aMethodThatCannotWorkIsLeftOut() {
        var chain = SignInChain([.device, .browser, .device, .paste], otherwise: [])
        chain.keep(after: 0) { $0 != .device }
        #expect(chain.methods == [.device, .browser, .paste])
    }
}
