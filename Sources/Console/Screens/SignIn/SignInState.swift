import AuthEngine
import TerminalUI

/// A sign-in that is running.
package struct SignInState: Sendable, Equatable {
    package var id: EffectID
    /// The account it is for, when one has to sign in again.
    package var account: AccountSummary?
    package let request: SignInRequest
    /// All ways of it, of which the request goes by one.
    package private(set) var chain: SignInChain
    /// The ways before this one, and why they could not be had.
    package let refusals: [SignInRefusal]
    package var progress: FlowProgress
    /// The code to enter on another device, once the authority gave one.
    package var deviceCode: ShownDeviceCode?
    /// The page's address as a picture, for the ways that open it elsewhere.
    package var pagePicture: QRCode?
    /// The picture is all that is shown.
    package var showsPictureAlone = false
    /// What was typed so far of the address that a browser ended on; nil while nothing is being typed.
    package var pasted: String?

    /// - Parameter chain: the request's own way alone, unless given.
    package init(
        id: EffectID, account: AccountSummary? = nil, request: SignInRequest, chain: SignInChain? = nil,
        refusals: [SignInRefusal] = []
    ) {
        self.id = id
        self.account = account
        self.request = request
        self.chain = chain ?? SignInChain([request.way], otherwise: [])
        self.refusals = refusals
        progress =
            switch request.way {
            case .device: .deviceCode
            case .broker: .broker
            case .browser, .paste: .interactive
            }
    }

    package var way: SignInWay { request.way }

    /// Where in its chain it is.
    private var turn: Int { refusals.count }

    /// Whether the wait is to be ended for this.
    func givesUp(on event: MSALFlowEvent) -> Bool { chain.givesUp(at: turn, on: event) }

    /// Leaves out the ways still to come that cannot work.
    mutating func leaveOut(_ canWork: (SignInWay) -> Bool) { chain.keep(after: turn, canWork) }

    /// Why it goes on by another way; `nil`: it has failed.
    /// - Parameter isAbsent: the authority does not offer its way.
    func refusal(_ report: ErrorReport, isAbsent: Bool) -> SignInRefusal? {
        let failure = progress.steps.first { $0.step == .openBrowser && $0.state == .failed }
        return chain.refusal(
            of: turn, report, isAbsent: isAbsent, browserFailure: way == .browser ? failure?.detail : nil)
    }

    /// The address to open on another device, as a picture.
    var picture: QRCode? { deviceCode?.picture ?? (way == .paste ? pagePicture : nil) }

    /// What trying again repeats: all ways from the first on, because what kept one from being had may be over.
    var attempt: Attempt {
        var request = request
        request.way = chain.ways.first ?? request.way
        return .signIn(account, request, in: chain)
    }

    /// What becomes of an answer that was waited for, when another way takes over; nil: none was.
    var endOfWait: String? {
        switch way {
        case .device where deviceCode != nil: "The code before does not count any more."
        case .browser, .paste:
            progress.authorizationURL.map { _ in "What the page before sends is not waited for any more." }
        default: nil
        }
    }

    /// Whether an answer from a browser elsewhere would be of use now.
    package var takesPastes: Bool { way != .device && progress.authorizationURL != nil }
}
