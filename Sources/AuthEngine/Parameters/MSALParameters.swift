import Dispatch
import Foundation

/// What every request has in common (MSAL for iOS and macOS, `MSALParameters`).
open class MSALParameters: NSObject {
    /// Where the completion block runs. `nil`: the main queue after an interactive request, any thread after a silent
    /// one.
    public var completionBlockQueue: DispatchQueue?

    /// Told each step of the flow as it happens; nothing in an event is secret. An addition of this library.
    ///
    /// It is called from the flow's own task, in order; it must not block.
    public var flowEventHandler: (@Sendable (MSALFlowEvent) -> Void)?

    public override init() {}
}
