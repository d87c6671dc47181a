import TerminalUI

/// Why a way to sign in could not be had, and which one is tried instead.
package struct SignInRefusal: Sendable, Equatable {
    /// Safe to print.
    package let reason: String
    package let next: SignInWay
    /// The step that failed has given the reason already, where steps are told one after the other.
    private let isToldAsStep: Bool

    init(_ reason: String, next: SignInWay, isToldAsStep: Bool = false) {
        self.reason = Printable.sanitize(reason)
        self.next = next
        self.isToldAsStep = isToldAsStep
    }

    private var announcement: String { "Trying \(next.asObject) instead." }

    /// All of it.
    package var text: String { "\(reason) \(announcement)" }

    /// The line that follows the steps that were told.
    package var line: String { isToldAsStep ? "  \(announcement)" : "  ! \(text)" }
}
