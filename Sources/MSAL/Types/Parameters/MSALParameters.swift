import Dispatch
import Foundation

/// The parameters that all requests share (MSAL for iOS and macOS, `MSALParameters`).
open class MSALParameters: NSObject {
    /// The queue on which to call the completion block. `nil` selects the main queue after an interactive request and
    /// any thread after a silent one.
    open var completionBlockQueue: DispatchQueue?

    /// A handler that receives each step of the flow in order. Not in MSAL for iOS and macOS.
    ///
    /// Events contain no secrets. The flow's own task calls the handler, which must not block.
    open var flowEventHandler: (@Sendable (MSALFlowEvent) -> Void)?

    /// A handler that receives each finished HTTP exchange and each browser redirect of the flow. Not in MSAL for iOS
    /// and macOS.
    ///
    /// Secrets are redacted. The flow's own task calls the handler, which must not block. While it is `nil`, the
    /// library records nothing.
    open var flowExchangeHandler: (@Sendable (MSALFlowExchange) -> Void)?

    /// A handler that holds each request of the flow, and each page for the browser, until it returns the changes to make,
    /// usually none (`keyturn step`). Not in MSAL for iOS and macOS.
    ///
    /// If it throws, the request isn't sent, and the flow is cancelled. A flow with a changed request saves nothing and returns no
    /// token. Requests that no other depends on can be held at the same time. While it holds one that refreshes a token, other
    /// programs wait for the account's tokens, at most 45 seconds.
    open var flowRequestHandler: (@Sendable (MSALHeldRequest) async throws -> [MSALRequestEdit])?

    public override init() {}
}
