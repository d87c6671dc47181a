import Foundation
import KeyturnSystem

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
        (self.step, self.phase, self.detail, self.date) = (step, phase, detail, date)
        self.authorizationURL = authorizationURL
    }
}

/// Reports the steps of a flow. Details never come from the body of a response.
package struct FlowReporter: Sendable {
    package let log: EngineLog
    var handler: (@Sendable (MSALFlowEvent) -> Void)?

    package func started(
        _ step: MSALFlowEvent.Step, _ detail: String, authorizationURL: URL? = nil, redirectPort: Int? = nil
    ) {
        tell(step, .started, detail, authorizationURL, redirectPort)
    }

    package func noted(_ step: MSALFlowEvent.Step, _ detail: String, hasVisitor: Bool = false) {
        tell(step, .noted, detail, nil, hasVisitor: hasVisitor)
    }

    /// - Parameter hasVisitor: whether it came to the redirect URI.
    func ignoredResponse(_ explanation: String, hasVisitor: Bool = true) {
        tell(.waitForResponse, .noted, explanation, nil, isIgnoredResponse: true, hasVisitor: hasVisitor)
    }

    /// - Parameter name: the user's name in the detail, which the log masks.
    package func succeeded(_ step: MSALFlowEvent.Step, _ detail: String, naming name: String? = nil) {
        tell(step, .succeeded, detail, nil, naming: name)
    }

    package func failed(_ step: MSALFlowEvent.Step, _ detail: String) {
        tell(step, .failed, detail, nil)
    }

    private func tell(
        _ step: MSALFlowEvent.Step, _ phase: MSALFlowEvent.Phase, _ detail: String, _ url: URL?,
        _ redirectPort: Int? = nil, isIgnoredResponse: Bool = false, hasVisitor: Bool = false,
        naming name: String? = nil
    ) {
        switch phase {
        case .started: log.verbose("Step \(step) started: \(detail: detail, naming: name)")
        case .noted: log.verbose("Step \(step) continues: \(detail: detail, naming: name)")
        case .succeeded: log.verbose("Step \(step) done: \(detail: detail, naming: name)")
        case .failed: log.warning("Step \(step) failed: \(detail: detail, naming: name)")
        }
        guard let handler else { return }
        var event = MSALFlowEvent(step: step, phase: phase, detail: detail, date: log.time.now(), authorizationURL: url)
        event.isIgnoredResponse = isIgnoredResponse
        event.hasVisitor = hasVisitor
        event.redirectPort = redirectPort
        handler(event)
    }
}

/// The record of one token request. Not in MSAL for iOS and macOS.
///
/// Records contain no secrets. See ``MSALPublicClientApplicationConfig/flowRecordHandler``.
public struct MSALFlowRecord: Sendable {
    /// Whether a request involves the user.
    public enum Kind: String, Sendable, CaseIterable {
        /// A sign-in with a browser, a broker or a code.
        case interactive
        /// A request with cached tokens.
        case silent
    }

    /// Whether the request involved the user.
    public let kind: Kind
    /// The ID of the request in logs.
    public let correlationId: UUID
    /// The time at which the request started.
    public let startDate: Date
    /// The time at which the request ended.
    public let endDate: Date
    /// The steps, in order.
    public let events: [MSALFlowEvent]
    /// The HTTP exchanges, in order.
    public let exchanges: [MSALFlowExchange]
    /// The error, or `nil` when the request returned a token.
    public let failure: MSALAuthenticationError?

    /// Creates a record.
    public init(
        kind: Kind, correlationId: UUID, startDate: Date, endDate: Date, events: [MSALFlowEvent] = [],
        exchanges: [MSALFlowExchange] = [], failure: MSALAuthenticationError? = nil
    ) {
        (self.kind, self.correlationId, self.startDate, self.endDate) = (kind, correlationId, startDate, endDate)
        (self.events, self.exchanges, self.failure) = (events, exchanges, failure)
    }
}

final class FlowRecording: Sendable {
    struct Gathered {
        var events: [MSALFlowEvent] = []
        var exchanges: [MSALFlowExchange] = []
    }

    private let handler: @Sendable (MSALFlowRecord) -> Void
    private let correlationID: UUID
    private let startDate: Date
    fileprivate let gathered = Locked(Gathered())

    init(correlationID: UUID, startDate: Date, handler: @escaping @Sendable (MSALFlowRecord) -> Void) {
        (self.handler, self.correlationID, self.startDate) = (handler, correlationID, startDate)
    }

    /// Passes the record on, except for a token from the cache, which involves no exchange.
    func finish(_ kind: MSALFlowRecord.Kind, at endDate: Date, _ failure: MSALAuthenticationError?) {
        let gathered = gathered.withLock { $0 }
        guard failure != nil || !gathered.exchanges.isEmpty else { return }
        handler(
            MSALFlowRecord(
                kind: kind, correlationId: correlationID, startDate: startDate, endDate: endDate,
                events: gathered.events, exchanges: gathered.exchanges, failure: failure))
    }
}

extension FlowRecording? {
    /// A handler that also adds what it gets to the recording. `nil` if there is neither.
    func observing<Fact: Sendable>(
        _ handler: (@Sendable (Fact) -> Void)?, _ note: @escaping @Sendable (inout FlowRecording.Gathered, Fact) -> Void
    ) -> (@Sendable (Fact) -> Void)? {
        guard let recording = self else { return handler }
        return { fact in
            recording.gathered.withLock { note(&$0, fact) }
            handler?(fact)
        }
    }
}
