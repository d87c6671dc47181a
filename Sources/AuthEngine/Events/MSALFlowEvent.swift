import Foundation

/// One step of a flow, as it happens, for a person to follow. Not in MSAL for iOS and macOS.
///
/// Secrets are left out where the event is made: it may be shown, saved and sent.
public struct MSALFlowEvent: Sendable, Equatable {
    /// What a request does, in the order in which a sign-in does it.
    public enum Step: String, Sendable, CaseIterable {
        /// Looks for a token that is still good.
        case readCache
        /// Asks the session's identity broker, where one may be used.
        case askBroker
        /// Asks for the authority's endpoints, unless they are known.
        case findAuthority
        /// Waits at the redirect URI.
        case listen
        /// Opens the sign-in page.
        case openBrowser
        /// Waits for the browser to come back.
        case waitForResponse
        /// Getting a code that the person enters on another device.
        case showCode
        /// Waiting until they have.
        case waitForCode
        /// Trades the code for tokens.
        case redeemCode
        /// Trades a refresh token for new ones.
        case refreshToken
        /// Wait for another program that is renewing the same account's tokens. Only when it takes a moment.
        case waitForRenewal
        /// Judges the ID token.
        case verifyIDToken
        /// Keeps the tokens.
        case saveTokens
    }

    /// How far a step is.
    public enum Phase: Sendable, Equatable {
        /// It begins.
        case started
        /// It goes on, and something happened that is worth a word.
        case noted
        /// It is done.
        case succeeded
        /// It failed; the request may go on by another way.
        case failed
    }

    /// Which step.
    public let step: Step
    /// How far it is.
    public let phase: Phase
    /// One line: what is being done or what came of it.
    public let detail: String
    /// When it happened.
    public let date: Date
    /// With `openBrowser` and `started`: the page that the person can also open by hand.
    public let authorizationURL: URL?

    /// As it happened.
    public init(step: Step, phase: Phase, detail: String, date: Date, authorizationURL: URL? = nil) {
        self.step = step
        self.phase = phase
        self.detail = detail
        self.date = date
        self.authorizationURL = authorizationURL
    }
}
