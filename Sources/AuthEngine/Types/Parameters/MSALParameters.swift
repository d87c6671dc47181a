import Dispatch
import Foundation

/// What every request has in common (MSAL for iOS and macOS, `MSALParameters`).
open class MSALParameters: NSObject {
    /// Where the completion block runs. `nil`: the main queue after an interactive request, any thread after a silent
    /// one.
    open var completionBlockQueue: DispatchQueue?

    /// Told each step of the flow as it happens; nothing in an event is secret. An addition of this library.
    ///
    /// It is called from the flow's own task, in order; it must not block.
    open var flowEventHandler: (@Sendable (MSALFlowEvent) -> Void)?

    /// Told each HTTP exchange of the flow when it is over, and each leg of the browser's; secrets are redacted in it. An
    /// addition of this library.
    ///
    /// It is called from the flow's own task; it must not block. Nothing is made of any message while it is `nil`.
    open var flowExchangeHandler: (@Sendable (MSALFlowExchange) -> Void)?

    public override init() {}
}
