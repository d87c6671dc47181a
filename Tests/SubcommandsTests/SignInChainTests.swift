import Console
import Foundation
import MSAL
import Testing

@testable import Subcommands

/// Which end of a way leads to the next.
@Suite struct SignInChainTests {
    private static func error(_ code: MSALError, _ inner: MSALInternalError? = nil) -> MSALAuthenticationError {
        var userInfo: [String: Any] = [NSLocalizedDescriptionKey: "It failed."]
        userInfo[MSALInternalErrorCodeKey] = inner?.rawValue
        return MSALAuthenticationError(domain: MSALErrorDomain, code: code.rawValue, userInfo: userInfo)
    }

    private static let absent = error(.internal, .internalBrokerNotAvailable)
    private static let failed = error(.internal, .internalErrorBrokerUnknown)

    @Test(
        "The ways of a sign-in",
        arguments: [
            ([], [.browser]), ([.device], [.device]), ([.broker], [.broker, .device]),
            ([.broker, .paste], [.broker, .paste]), ([.browser, .device], [.browser, .device]),
        ] as [([SignInWay], [SignInWay])])
    func ways(asked: [SignInWay], ways: [SignInWay]) {
        #expect(SignInChain(asked, otherwise: .device).ways == ways)
    }

    @Test(
        "What comes next, in one line",
        arguments: [
            ([.broker], absent, "  ! It failed. Going on with the browser."), ([.broker], failed, nil),
            ([.broker, .device], failed, "  ! It failed. Going on with a code for another device."),
            ([.browser, .paste], error(.interactionRequired), "  ! It failed. Going on with a browser elsewhere."),
            ([.browser, .broker], failed, "  ! It failed. Going on with the identity broker."),
            ([.browser, .device], error(.userCanceled), nil), ([.browser, .device], error(.serverDeclinedScopes), nil),
            ([.browser, .device], error(.internal, .internalErrorMismatchedUser), nil), ([.browser], failed, nil),
        ] as [([SignInWay], MSALAuthenticationError, String?)])
    func next(asked: [SignInWay], error: MSALAuthenticationError, line: String?) {
        let chain = SignInChain(asked, otherwise: .browser)
        #expect(chain.goingOn(after: 0, error, isBrowserMissing: false) == line)
        #expect(chain.goingOn(after: chain.ways.count - 1, error, isBrowserMissing: false) == nil)
    }

    @Test func aBrowserThatCannotBeStartedWasTold() {
        let line = SignInChain([.browser, .device], otherwise: .browser)
            .goingOn(after: 0, Self.error(.userCanceled), isBrowserMissing: true)
        #expect(line == "  Going on with a code for another device.")
    }

    @Test func theProgramsOwnFailuresEndIt() {
        let failure = CommandFailure(.cancelled, name: "nothingPasted", "Nothing was pasted.", nextStep: "")
        #expect(
            SignInChain([.paste, .device], otherwise: .browser)
                .goingOn(after: 0, failure, isBrowserMissing: false) == nil)
    }
}
