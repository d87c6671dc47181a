import Console
import Locks
import MSAL

/// One way of a sign-in, tried once.
final class SignInAttempt: Sendable {
    let way: SignInWay
    let application: MSALPublicClientApplication
    let surroundings: Surroundings
    let narrator: FlowNarrator
    /// Whether no other way comes after it.
    private let isLast: Bool
    private let endedForBrowser = Locked(false)

    init(way: SignInWay, application: MSALPublicClientApplication, surroundings: Surroundings, isLast: Bool) {
        self.way = way
        self.application = application
        self.surroundings = surroundings
        self.isLast = isLast
        narrator = FlowNarrator(
            way: way, proposal: WayProposal(surroundings.machine), tellsNoEnd: way == .broker || !isLast)
    }

    /// It was ended because no browser could be started, and there is another way.
    var isBrowserMissing: Bool { endedForBrowser.withLock { $0 } }

    /// Where there is no other way the person can still open the address by hand, so the wait goes on.
    func heed(_ event: MSALFlowEvent) {
        guard !isLast, way == .browser, event.step == .openBrowser, event.phase == .failed else { return }
        endedForBrowser.withLock { $0 = true }
        MSALPublicClientApplication.cancelCurrentWebAuthSession()
    }
}
