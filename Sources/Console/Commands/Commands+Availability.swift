/// When a command cannot be used, and the reason it gives.
extension Commands {
    /// An empty list has one thing to do.
    static let canOpen: @Sendable (Model) -> Availability = { model in
        model.accounts.phase == .read && model.accounts.all.isEmpty ? .available : needsSelection(model)
    }

    static let needsSelection: @Sendable (Model) -> Availability = { model in
        guard model.accounts.selected == nil else { return .available }
        return .unavailable(
            model.accounts.all.isEmpty ? "There is no account yet; i signs in." : "No account matches the filter.")
    }

    /// Without a refresh token the authority gives nothing without the person. A broker has its own.
    static let canRenew: @Sendable (Model) -> Availability = { model in
        guard let account = model.renewable else {
            return model.routes.isEmpty ? needsSelection(model) : .unavailable("A token from elsewhere has no account.")
        }
        guard account.token?.canRenew == false, model.profile?.ways.contains(.broker) != true else { return .available }
        return .unavailable("There is no refresh token for \(account.displayName): only a sign-in gets the next token.")
    }

    static let canRemove: @Sendable (Model) -> Availability = { model in
        if let removal = model.accounts.removing {
            return .unavailable("\(removal.account.displayName) is still being removed.")
        }
        return needsSelection(model)
    }

    static let canPaste: @Sendable (Model) -> Availability = { model in
        guard case .signIn(let state) = model.routes.last, !state.takesPastes else { return .available }
        return .unavailable(
            state.way == .device ? "A code needs nothing pasted here." : "There is no address to open yet.")
    }

    static let hasPicture: @Sendable (Model) -> Bool = { needsPicture($0) == .available }

    static let needsPicture: @Sendable (Model) -> Availability = { model in
        guard case .signIn(let state) = model.routes.last, state.picture == nil else { return .available }
        return .unavailable("There is no picture of an address here: a code on another device has one, and pasting.")
    }

    /// The sign-in that runs goes another way.
    static func isNot(_ way: SignInWay) -> @Sendable (Model) -> Availability {
        { model in
            guard case .signIn(let state) = model.routes.last, state.way == way else { return .available }
            return .unavailable("This sign-in goes that way already.")
        }
    }

    static let canUseCode: @Sendable (Model) -> Availability = { model in
        model.proposal.obstacle(to: .device).map(Availability.unavailable) ?? .available
    }

    static let canChangeToCode: @Sendable (Model) -> Availability = { model in
        let isOther = isNot(.device)(model)
        return isOther == .available ? canUseCode(model) : isOther
    }

    static let needsAccounts: @Sendable (Model) -> Availability = { model in
        model.accounts.all.isEmpty ? .unavailable("There is no account to look for.") : .available
    }

    static let canReload: @Sendable (Model) -> Availability = { model in
        guard case .reading = model.accounts.phase else { return .available }
        return .unavailable("The accounts are being read.")
    }

    static let hasEnded: @Sendable (Model) -> Availability = { model in
        model.routes.last?.runningEffect == nil ? .available : .unavailable("It is being looked at.")
    }

    static let hasCopyable: @Sendable (Model) -> Availability = { model in
        model.hasCopyable ? .available : .unavailable("There is nothing to copy yet.")
    }

    static let hasPageAddress: @Sendable (Model) -> Availability = { model in
        model.pageAddress == nil ? .unavailable("There is no address to open yet.") : .available
    }

    static let needsReadableToken: @Sendable (Model) -> Availability = { model in
        guard case .claims(let state) = model.routes.last else { return .available }
        switch state.token {
        case .decoded: return .available
        case .opaque: return .unavailable("Only the resource can read this token.")
        case .absent: return .unavailable("There is no such token.")
        }
    }

    static let canTryAgain: @Sendable (Model) -> Availability = { model in
        guard case .failure(let state) = model.routes.last, state.report.nextStep == .check else { return .available }
        return .unavailable("It would fail the same way again.")
    }

    static let canSignIn: @Sendable (Model) -> Availability = { model in
        guard case .failure(let state) = model.routes.last else { return .available }
        if case .removal = state.attempt { return .unavailable("A sign-in does not help with a removal.") }
        return canTryAgain(model)
    }

    static let hasScenarios: @Sendable (Model) -> Availability = { model in
        model.profile?.scenarios.isEmpty == false
            ? .available : .unavailable("Only the demonstration has scenarios: keyturn demo.")
    }

    static let hasNextStep: @Sendable (Model) -> Availability = { model in
        guard let walk = model.profile?.walk else { return .unavailable("There is no walk to go on with.") }
        if walk.running != nil { return .unavailable("The step is still under way.") }
        return walk.next == nil ? .unavailable("The walk is at its end.") : .available
    }
}
