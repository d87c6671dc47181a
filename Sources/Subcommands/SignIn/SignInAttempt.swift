import Console
import Foundation
import KeyturnSystem
import MSAL

final class SignInAttempt: Sendable {
    let method: SignInMethod
    let application: MSALPublicClientApplication
    let surroundings: Surroundings
    private let isQuiet: Bool
    private let toldAuthority: Locked<String?>
    private let turn: Int
    private let chain: SignInChain
    private let toldFailure = Locked<String?>(nil)
    private let page = Locked<URL?>(nil)
    let hasResponse = Locked(false)

    init(
        _ turn: Int, of chain: SignInChain, application: MSALPublicClientApplication, surroundings: Surroundings,
        isQuiet: Bool, after previous: SignInAttempt? = nil
    ) {
        toldAuthority = previous?.toldAuthority ?? Locked(nil)
        self.isQuiet = isQuiet
        self.turn = turn
        self.chain = chain
        method = chain.methods[turn]
        self.application = application
        self.surroundings = surroundings
    }

    var proposal: MethodProposal { MethodProposal(in: surroundings, for: application) }

    /// Whether the user can paste the response, also while a browser is open, whose redirect may not arrive.
    var takesPastes: Bool { method == .paste || method == .browser && surroundings.canPrompt }

    func lines(_ event: MSALFlowEvent) -> [String] {
        guard !repeatsAuthority(event) else { return [] }
        let page = page.withLock { page in
            page = event.authorizationURL ?? page
            return page
        }
        surroundings.errorWriter?.note(page: page)
        let configuration = application.configuration
        return FlowNarrator(
            method: method, proposal: proposal, page: page,
            isRegistered: configuration.resource?.clientSource == .registration, takesPastes: takesPastes,
            fixesPort: RedirectRegistration.fixesPort(configuration.redirectUri, configuration.loopbackListener),
            isQuiet: (isQuiet || surroundings.errorWriter != nil) && !wantsPaste(event),
            isLent: surroundings.machine.lendsBrowser && method == .browser,
            hidesFailure: method == .broker || turn + 1 < chain.methods.count
        ).lines(event)
    }

    private func repeatsAuthority(_ event: MSALFlowEvent) -> Bool {
        guard (event.step, event.phase) == (.findAuthority, .succeeded) else { return false }
        return toldAuthority.withLock { replace(&$0, with: event.detail) } == event.detail
    }

    /// Whether the event has the URL for the paste method, which also --quiet prints.
    private func wantsPaste(_ event: MSALFlowEvent) -> Bool { method == .paste && event.authorizationURL != nil }

    func needsUser(for event: MSALFlowEvent) -> Bool {
        wantsPaste(event) || (event.step, event.phase) == (.openBrowser, .failed)
    }

    var browserFailure: String? { toldFailure.withLock { $0 } }

    func heed(_ event: MSALFlowEvent) {
        guard chain.givesUp(at: turn, on: event) else { return }
        toldFailure.withLock { $0 = event.detail }
        MSALPublicClientApplication.cancelCurrentWebAuthSession()
    }
}

extension MethodProposal {
    init(in surroundings: Surroundings, for application: MSALPublicClientApplication) {
        self.init(
            surroundings.machine, namesBrowser: application.configuration.browser != nil || surroundings.browser != nil,
            offersDeviceCode: application.cachedDeviceCodeSupport,
            prefersPaste: surroundings.hasTypedInput && application.configuration.authority is MSALAADAuthority)
    }
}
