import Console
import Locks
import MSAL

/// One way of a sign-in, tried once.
final class SignInAttempt: Sendable {
    let way: SignInWay
    let application: MSALPublicClientApplication
    let surroundings: Surroundings
    let narrator: FlowNarrator
    private let turn: Int
    private let chain: SignInChain
    private let toldFailure = Locked<String?>(nil)

    init(
        _ turn: Int, of chain: SignInChain, application: MSALPublicClientApplication, surroundings: Surroundings
    ) {
        self.turn = turn
        self.chain = chain
        way = chain.ways[turn]
        self.application = application
        self.surroundings = surroundings
        narrator = FlowNarrator(
            way: way, proposal: WayProposal(surroundings.machine),
            tellsNoEnd: way == .broker || turn + 1 < chain.ways.count)
    }

    /// What was told when no browser could be started, for which the wait was ended.
    var browserFailure: String? { toldFailure.withLock { $0 } }

    func heed(_ event: MSALFlowEvent) {
        guard chain.givesUp(at: turn, on: event) else { return }
        toldFailure.withLock { $0 = event.detail }
        MSALPublicClientApplication.cancelCurrentWebAuthSession()
    }
}
