import TerminalUI

/// What can be done on the screens of the set-up and of the profiles.
extension Commands {
    static let profileCommands = [
        Command(
            .profiles, [.character("P")], "Choose, add, edit or remove a profile.", hint: "profiles",
            in: [.accounts, .startProblem]),
        Command(.profiles, [.character("P")], "Choose, add, edit or remove a profile.", in: [.failure]),
        Command(
            .chooseProvider, [.enter], "Set up sign-in at the marked provider: three questions.", hint: "choose",
            in: [.providers]),
        Command(
            .tryDemo, [.character("t")], "Try the built-in authority: nothing to set up, nothing is kept.",
            hint: "try the demo", in: [.providers, .startProblem]),
        Command(
            .useProfile, [.enter], "Use the selected profile from now on.", hint: "use", in: [.profiles],
            if: needsProfile),
        Command(.addProfile, [.character("a")], "Add a profile.", hint: "add", in: [.profiles], if: needsList),
        Command(
            .editProfile, [.character("e")], "Edit the selected profile.", hint: "edit", in: [.profiles],
            if: needsProfile),
        Command(
            .makeDefault, [.character("*")], "Start with the selected profile from now on.", hint: "default",
            in: [.profiles], if: canMakeDefault),
        Command(
            .removeProfile, [.character("D")], "Remove the selected profile from the configuration; asks first.",
            hint: "remove", in: [.profiles], dangerous: true, if: canRemoveProfile),
        Command(
            .submit, [.enter], "Go on to the next question; after the last one, save and sign in.", hint: "go on",
            in: [.setUp]),
        Command(.nextField, [.tab, .down], "To the next field.", hint: "next field", in: [.setUp]),
        Command(.previousField, [.backTab, .up], "To the field before.", in: [.setUp]),
        Command(
            .askAuthority, [.control("t"), .function(5)], "Ask the authority whether it is one, and what it offers.",
            hint: "ask it", in: [.setUp], if: canAskAuthority),
    ]

    private static let needsList: @Sendable (Model) -> Availability = { model in
        guard case .profiles(let state) = model.routes.last else { return .available }
        if state.working != nil { return .unavailable("The configuration is being read or written.") }
        return state.isRead ? .available : .unavailable("The configuration has to be put right first.")
    }

    private static let needsProfile: @Sendable (Model) -> Availability = { model in
        guard case .profiles(let state) = model.routes.last, needsList(model) == .available else {
            return needsList(model)
        }
        return state.selected == nil ? .unavailable("There is no profile yet; a adds one.") : .available
    }

    private static let canMakeDefault: @Sendable (Model) -> Availability = { model in
        guard case .profiles(let state) = model.routes.last, state.selected?.isDefault == true else {
            return needsProfile(model)
        }
        return .unavailable("The program starts with it already.")
    }

    private static let canRemoveProfile: @Sendable (Model) -> Availability = { model in
        guard case .profiles(let state) = model.routes.last, state.selected != nil else { return needsProfile(model) }
        guard state.entries.count > 1 else {
            return .unavailable("It is the only profile: edit it, or remove the file.")
        }
        return state.selected?.name == model.profile?.name
            ? .unavailable("It is in use: change to another first.") : needsProfile(model)
    }

    private static let canAskAuthority: @Sendable (Model) -> Availability = { model in
        guard case .setUp(let state) = model.routes.last else { return .available }
        if case .asking = state.answer { return .unavailable("It is being asked.") }
        // What was typed last is still being judged; what cannot be asked is answered as such.
        if state.judging != nil { return .available }
        switch state.judgement[.authority]?.verdict {
        case .good, .attention: return .available
        default: return .unavailable("There is no address to ask yet.")
        }
    }
}
