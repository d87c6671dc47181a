import MSAL
import TerminalUI

/// The sign-in methods of one sign-in in order, and when to fall back to the next.
package struct SignInChain: Sendable, Equatable {
    package private(set) var methods: [SignInMethod]
    /// Whether the methods after the first are defaults. They replace an unavailable or refused method, not a failing one.
    private let isCompleted: Bool

    package init(_ requested: [SignInMethod], otherwise usual: [SignInMethod]) {
        methods = requested.isEmpty || requested == [.broker] ? requested + usual : requested
        isCompleted = methods.count > max(1, requested.count)
    }

    package mutating func keep(after index: Int, _ canWork: (SignInMethod) -> Bool) {
        methods = methods.prefix(index + 1) + methods.dropFirst(index + 1).filter(canWork)
    }

    /// Whether no browser could start. With the last method, the sign-in waits: the user can open the URL by hand.
    package func givesUp(at index: Int, on event: MSALFlowEvent) -> Bool {
        index + 1 < methods.count && methods[index] == .browser && event.step == .openBrowser && event.phase == .failed
    }

    /// Why the method at `index` ended, and the next one to try; nil if the sign-in ends.
    /// - Parameter isAbsent: whether the authority doesn't support the method.
    /// - Parameter browserFailure: why no browser could start.
    package func rejection(
        of index: Int, _ report: Failure, isAbsent: Bool = false, browserFailure: String? = nil
    ) -> SignInRejection? {
        guard index + 1 < methods.count else { return nil }
        let next = methods[index + 1]
        if let browserFailure { return SignInRejection(browserFailure, next: next, isToldAsStep: true) }
        let isRejected = methods[index] == .device && report.rejectsDeviceCode
        let isThere = !isAbsent && !report.isBrokerAbsent && !isRejected
        if isThere, isCompleted || !Self.leavesTheNextOpen(report) { return nil }
        return SignInRejection(report.reason, next: next)
    }

    /// Whether another method can help: not after the user cancelled, declined scopes or signed in as somebody else.
    private static func leavesTheNextOpen(_ report: Failure) -> Bool {
        report.domain == MSALErrorDomain
            && ![.userCanceled, .serverDeclinedScopes].contains(MSALError(rawValue: report.code))
            && report.internalCode != MSALInternalError.internalErrorMismatchedUser.rawValue
    }
}

extension Failure {
    var isBrokerAbsent: Bool { internalCode == MSALInternalError.internalBrokerNotAvailable.rawValue }

    /// Whether the authority knows the client, but its registration or a policy excludes the device authorization grant
    /// (RFC 6749 §5.2, RFC 8628 §3.2).
    var rejectsDeviceCode: Bool {
        guard serviceCodes.isEmpty else { return !Self.deviceCodeRejections.isDisjoint(with: serviceCodes) }
        return switch oauthError {
        case "unauthorized_client", "unsupported_grant_type", "device_flow_disabled": true
        // From the device authorization endpoint. Later, the user has declined.
        case "access_denied", "authorization_declined": kind != .canceled
        // Google's response to a client of another type. Elsewhere it is for an unknown client.
        case "invalid_client": reason.lowercased().contains("client type")
        default: false
        }
    }

    /// The application isn't a public client, or a policy excludes its grant.
    private static let deviceCodeRejections: Set<Int> = [53_003, 530_035, 7_000_218]
}

/// Why a sign-in method failed, and which one is tried instead.
package struct SignInRejection: Sendable, Equatable {
    /// The reason, safe to print.
    package let reason: String
    package let next: SignInMethod
    /// Whether the step list already shows the reason.
    private let isToldAsStep: Bool

    init(_ reason: String, next: SignInMethod, isToldAsStep: Bool = false) {
        (self.reason, self.next, self.isToldAsStep) = (Printable.sanitize(reason), next, isToldAsStep)
    }

    private var announcement: String { "Trying \(next.asObject) instead." }

    package var text: String { "\(reason) \(announcement)" }

    /// The line that follows the printed steps.
    package var line: String { isToldAsStep ? "  \(announcement)" : "  ! \(text)" }
}
