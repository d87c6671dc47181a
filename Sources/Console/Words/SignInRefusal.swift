import TerminalUI

/// Why a sign-in method failed, and which one is tried instead.
package struct SignInRefusal: Sendable, Equatable {
    /// The reason, safe to print.
    package let reason: String
    package let next: SignInMethod
    /// Whether the step list already shows the reason.
    private let isToldAsStep: Bool

    init(_ reason: String, next: SignInMethod, isToldAsStep: Bool = false) {
        self.reason = Printable.sanitize(reason)
        self.next = next
        self.isToldAsStep = isToldAsStep
    }

    private var announcement: String { "Trying \(next.asObject) instead." }

    /// The reason and the next method.
    package var text: String { "\(reason) \(announcement)" }

    /// The line that follows the printed steps.
    package var line: String { isToldAsStep ? "  \(announcement)" : "  ! \(text)" }
}
