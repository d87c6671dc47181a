import Foundation

/// A step of a flow, as it happens. Not in MSAL for iOS and macOS.
///
/// Events contain no secrets; you can show, save and send them.
public struct MSALFlowEvent: Sendable, Equatable {
    /// The steps of a request, in the order of a sign-in.
    public enum Step: String, Sendable, CaseIterable {
        /// Search for a valid token in the cache.
        case readCache
        /// Call the session's identity broker, if the application may use one.
        case callBroker = "askBroker"
        /// Get the authority's endpoints, unless they are known.
        case findAuthority
        /// Listen at the redirect URI.
        case listen
        /// Leave the request with the authority, if it offers that (RFC 9126).
        case pushRequest
        /// Open the sign-in page.
        case openBrowser
        /// Wait for the authorization response.
        case waitForResponse
        /// Get a code that the user enters on another device.
        case showCode
        /// Wait until the user has entered the code.
        case waitForCode
        /// Redeem the authorization code for tokens.
        case redeemCode
        /// Redeem a refresh token for new tokens.
        case refreshToken
        /// Wait for another program that is refreshing the same account's tokens. Reported only after a short delay.
        case waitForRefresh
        /// Validate the ID token.
        case verifyIDToken
        /// Get the token of a managed server for the user's identity (``MSALManagedServer``).
        case exchangeIdentity
        /// Save the tokens.
        case saveTokens
    }

    /// The state of a step.
    public enum Phase: Sendable, Equatable {
        /// The step has started.
        case started
        /// The step continues after a noteworthy event.
        case noted
        /// The step has succeeded.
        case succeeded
        /// The step has failed. The request may continue with another sign-in method.
        case failed
    }

    /// The step.
    public let step: Step
    /// The state of the step.
    public let phase: Phase
    /// The current action or its outcome, in one line.
    public let detail: String
    /// The time of the event.
    public let date: Date
    /// The sign-in page, which the user can also open by hand. Set when `openBrowser` has started.
    public let authorizationURL: URL?
    /// Whether the event is about a response that the sign-in ignored.
    package var isIgnoredResponse = false
    /// Whether a browser has come to the redirect URI, so that the authority accepts it.
    package var hasVisitor = false
    /// The port of the redirect URI, which the URL of a page with a pushed request lacks (RFC 9126 §4).
    package var redirectPort: Int?

    /// Creates an event.
    public init(step: Step, phase: Phase, detail: String, date: Date, authorizationURL: URL? = nil) {
        self.step = step
        self.phase = phase
        self.detail = detail
        self.date = date
        self.authorizationURL = authorizationURL
    }
}
