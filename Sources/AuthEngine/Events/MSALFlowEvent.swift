import Foundation

/// One step of a flow, as it happens, for a person to follow. An addition of this library.
///
/// Secrets are left out where the event is made: it may be shown, saved and sent.
public struct MSALFlowEvent: Sendable, Equatable {
    public enum Step: String, Sendable, CaseIterable {
        case readCache
        case findAuthority
        case listen
        case openBrowser
        case waitForResponse
        /// Getting a code that the person enters on another device.
        case showCode
        /// Waiting until they have.
        case waitForCode
        case redeemCode
        case refreshToken
        case verifyIDToken
        case saveTokens
    }

    public enum Phase: Sendable, Equatable {
        case started
        case succeeded
        case failed
    }

    public let step: Step
    public let phase: Phase
    /// One line: what is being done or what came of it.
    public let detail: String
    public let date: Date
    /// With `openBrowser` and `started`: the page that the person can also open by hand.
    public let authorizationURL: URL?

    public init(step: Step, phase: Phase, detail: String, date: Date, authorizationURL: URL? = nil) {
        self.step = step
        self.phase = phase
        self.detail = detail
        self.date = date
        self.authorizationURL = authorizationURL
    }
}
