import Diagnosis
import TerminalUI

/// The form of a sign-in: opening it, filling it in, sending it off.
extension Model {
    /// The ways to sign in here, the one that fits best first.
    package var proposal: WayProposal {
        options.proposal.fitting(
            namesBrowser: profile?.namesBrowser ?? false, offersDeviceCode: offersDeviceCode)
    }

    /// How to sign in unless the user chooses: as the profile says, else as the machine and the authority suggest.
    package var preferredWay: SignInWay { configuredWays.first ?? proposal.best }

    /// The profile's ways, without those that cannot work.
    private var configuredWays: [SignInWay] { (profile?.ways ?? []).filter { proposal.obstacle(to: $0) == nil } }

    /// The ways of a sign-in. A user who leaves the usual one wants the other alone.
    func chain(startingWith way: SignInWay) -> SignInChain {
        let isUsual = way == preferredWay
        return SignInChain(isUsual ? configuredWays : [way], otherwise: proposal.usual)
    }

    mutating func take(offersDeviceCode isOffered: Bool, of id: EffectID) {
        guard id == learning || id == routes.last?.runningEffect else { return }
        offersDeviceCode = isOffered
        switch routes.last {
        case .signIn(var state):
            state.leaveOut { proposal.obstacle(to: $0) == nil }
            replaceTop(.signIn(state))
        case .signInForm(var form):
            form.replace(offers: offers, otherwise: preferredWay)
            replaceTop(.signInForm(form))
        default: break
        }
    }

    mutating func performOnForm(_ command: CommandID) -> [Effect] {
        if command == .signInOptions { return openForm() }
        guard case .signInForm(var form) = routes.last else { return [] }
        switch command {
        case .chooseRow: form.choose()
        case .nextAnswer: form.chooseAnswer(by: 1)
        case .previousAnswer: form.chooseAnswer(by: -1)
        default:
            routes.removeLast()
            return [signIn(asking: form.request, in: chain(startingWith: form.request.way))]
        }
        replaceTop(.signInForm(form))
        return []
    }

    private var offers: [WayOffer] {
        WayOffer.all(profile: profile, proposal: proposal, brokerRefusal: brokerRefusal, handler: urlHandler)
    }

    /// The desktop is asked each time: somebody may have told it meanwhile.
    private mutating func openForm() -> [Effect] {
        var form = SignInForm(
            offers: offers, way: preferredWay, profileScopes: profile?.scopes ?? [], recent: recentScopes)
        let id = makeEffectID()
        form.asking = id
        routes.append(.signInForm(form))
        return [.askURLHandler(id, profile)]
    }

    mutating func take(urlHandler handler: MachineFindings.Handler, of id: EffectID) {
        guard case .signInForm(var form) = routes.last, form.asking == id else { return }
        urlHandler = handler
        form.asking = nil
        form.replace(offers: offers, otherwise: preferredWay)
        replaceTop(.signInForm(form))
    }

    /// A key that edits the selected field of the form. False: it does not.
    mutating func typeInSignInForm(_ key: Key) -> Bool {
        guard case .signInForm(var form) = routes.last, form.press(key) else { return false }
        replaceTop(.signInForm(form))
        return true
    }

    mutating func pasteIntoSignInForm(_ text: String) {
        guard case .signInForm(var form) = routes.last else { return }
        form.insert(text)
        replaceTop(.signInForm(form))
    }

    /// Keeps what was granted, to be offered again, the latest first.
    mutating func remember(scopes: [String]) -> [Effect] {
        let latest = Array((scopes + recentScopes.filter { !scopes.contains($0) }).prefix(Self.mostRecentScopes))
        guard latest != recentScopes else { return [] }
        recentScopes = latest
        return keepChoices()
    }

    private static let mostRecentScopes = 12
}
