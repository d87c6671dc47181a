import TerminalUI

/// The form of a sign-in: opening it, filling it in, sending it off.
extension Model {
    /// The ways to sign in here, the one that fits best first.
    package var proposal: WayProposal { options.proposal }

    /// How to sign in unless the person chooses: as the profile says, else as the machine suggests.
    package var preferredWay: SignInWay { profile?.ways.first ?? proposal.best }

    /// The ways of a sign-in. Whoever leaves the usual one wants the other alone.
    func chain(startingWith way: SignInWay) -> SignInChain {
        let configured = profile?.ways ?? []
        return SignInChain(configured.first == way ? configured : [way], otherwise: proposal.best)
    }

    mutating func performOnForm(_ command: CommandID) -> [Effect] {
        if command == .signInOptions {
            routes.append(.signInForm(newForm))
            return []
        }
        guard case .signInForm(var form) = routes.last else { return [] }
        switch command {
        case .chooseRow: form.choose()
        case .nextAnswer: form.chooseAnswer(by: 1)
        case .previousAnswer: form.chooseAnswer(by: -1)
        default:
            routes.removeLast()
            return [signIn(asking: form.request, in: chain(startingWith: form.request.way))]
        }
        routes[routes.count - 1] = .signInForm(form)
        return []
    }

    /// A broker only serves where an organisation set one up: then the profile names it.
    private var offeredWays: [SignInWay] {
        (profile?.ways.contains(.broker) == true ? [.broker] : []) + proposal.choices.map(\.way)
    }

    private var newForm: SignInForm {
        SignInForm(
            ways: offeredWays, way: preferredWay, profileScopes: profile?.scopes ?? [],
            recent: recentScopes)
    }

    /// A key that edits the selected field of the form. False: it does not.
    mutating func typeInSignInForm(_ key: Key) -> Bool {
        guard case .signInForm(var form) = routes.last, form.press(key) else { return false }
        routes[routes.count - 1] = .signInForm(form)
        return true
    }

    mutating func pasteIntoSignInForm(_ text: String) {
        guard case .signInForm(var form) = routes.last else { return }
        form.insert(text)
        routes[routes.count - 1] = .signInForm(form)
    }

    /// Keeps what was granted, to be offered again, the latest first.
    mutating func remember(scopes: [String]) {
        recentScopes = Array((scopes + recentScopes.filter { !scopes.contains($0) }).prefix(Self.mostRecentScopes))
    }

    private static let mostRecentScopes = 12
}
