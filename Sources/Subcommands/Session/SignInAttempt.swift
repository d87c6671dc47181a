import Console
import Foundation
import Locks
import MSAL

/// One way of a sign-in, tried once.
final class SignInAttempt: Sendable {
    let way: SignInWay
    let application: MSALPublicClientApplication
    let surroundings: Surroundings
    private let turn: Int
    private let chain: SignInChain
    private let toldFailure = Locked<String?>(nil)
    private let page = Locked<URL?>(nil)

    init(
        _ turn: Int, of chain: SignInChain, application: MSALPublicClientApplication, surroundings: Surroundings
    ) {
        self.turn = turn
        self.chain = chain
        way = chain.ways[turn]
        self.application = application
        self.surroundings = surroundings
    }

    /// The ways that can work, as far as that is known by now: a sign-in begins with the discovery document.
    var proposal: WayProposal { WayProposal(surroundings.machine, for: application) }

    /// The lines of an event.
    func lines(_ event: MSALFlowEvent) -> [String] {
        let page = page.withLock { page in
            page = event.authorizationURL ?? page
            return page
        }
        return FlowNarrator(
            way: way, proposal: proposal, page: page, tellsNoEnd: way == .broker || turn + 1 < chain.ways.count
        ).lines(event)
    }

    /// What was told when no browser could be started, for which the wait was ended.
    var browserFailure: String? { toldFailure.withLock { $0 } }

    func heed(_ event: MSALFlowEvent) {
        guard chain.givesUp(at: turn, on: event) else { return }
        toldFailure.withLock { $0 = event.detail }
        MSALPublicClientApplication.cancelCurrentWebAuthSession()
    }
}

extension WayProposal {
    /// The ways for an application, by its browser and by the discovery document that is kept of its authority.
    init(_ machine: MachineFacts, for application: MSALPublicClientApplication) {
        self.init(
            machine, namesBrowser: application.configuration.browser != nil,
            offersDeviceCode: application.keptDeviceCodeOffer)
    }
}
