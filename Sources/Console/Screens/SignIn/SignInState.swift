import AuthEngine
import TerminalUI

/// A running sign-in.
package struct SignInState: Sendable, Equatable {
    package var id: EffectID
    /// The account that must sign in again; nil for any account.
    package var account: AccountSummary?
    package let request: SignInRequest
    /// The sign-in methods to try; the request uses one of them.
    package private(set) var chain: SignInChain
    /// The methods that failed before the current one, with the reasons.
    package let refusals: [SignInRefusal]
    package var progress: FlowProgress
    /// The device code, once the authority has issued one.
    package var deviceCode: ShownDeviceCode?
    /// The page address as a QR code, for methods that use another browser.
    package var pagePicture: QRCode?
    /// Whether only the QR code is shown.
    package var showsPictureAlone = false
    /// The address typed so far; nil while the paste line is closed.
    package var pasted: String?

    /// - Parameter chain: the methods to try (default: the request's method alone).
    package init(
        id: EffectID, account: AccountSummary? = nil, request: SignInRequest, chain: SignInChain? = nil,
        refusals: [SignInRefusal] = []
    ) {
        self.id = id
        self.account = account
        self.request = request
        self.chain = chain ?? SignInChain([request.method], otherwise: [])
        self.refusals = refusals
        progress =
            switch request.method {
            case .device: .deviceCode
            case .broker: .broker
            case .browser, .paste: .interactive
            }
    }

    package var method: SignInMethod { request.method }

    /// The index of the current method in the chain.
    private var turn: Int { refusals.count }

    /// Whether the event ends the wait for the current method.
    func givesUp(on event: MSALFlowEvent) -> Bool { chain.givesUp(at: turn, on: event) }

    /// Drops later methods that can't work.
    mutating func leaveOut(_ canWork: (SignInMethod) -> Bool) { chain.keep(after: turn, canWork) }

    /// Why the next method is tried; nil if the sign-in has failed.
    /// - Parameter isAbsent: whether the authority doesn't support the current method.
    func refusal(_ report: ErrorReport, isAbsent: Bool) -> SignInRefusal? {
        let failure = progress.steps.first { $0.step == .openBrowser && $0.state == .failed }
        return chain.refusal(
            of: turn, report, isAbsent: isAbsent, browserFailure: method == .browser ? failure?.detail : nil)
    }

    /// The QR code to show.
    var picture: QRCode? { deviceCode?.picture ?? (method == .paste ? pagePicture : nil) }

    /// The attempt to repeat. It starts with the first method, which may work by now.
    var attempt: Attempt {
        var request = request
        request.method = chain.methods.first ?? request.method
        return .signIn(account, request, in: chain)
    }

    /// The notice for when another method takes over; nil if nothing was pending.
    var endOfWait: String? {
        switch method {
        case .device: deviceCode.map { _ in "The previous code is no longer valid." }
        case .browser, .paste:
            progress.authorizationURL.map { _ in "The previous page is no longer valid." }
        case .broker: nil
        }
    }

    /// Whether a pasted address is accepted now.
    package var takesPastes: Bool { method != .device && progress.authorizationURL != nil }
}
