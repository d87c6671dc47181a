extension Model {
    /// Does what a command says. It has been found available.
    mutating func perform(_ command: CommandID) -> [Effect] {
        switch command {
        case .up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .first, .last:
            move(command)
            return []
        case .detailsUp, .detailsDown:
            scrollDetails(by: command == .detailsDown ? 1 : -1)
            return []
        case .signIn, .signInWithCode, .signInByPaste:
            return signIn(by: command)
        case .signInOptions, .submitForm, .chooseRow, .nextAnswer, .previousAnswer:
            return performOnForm(command)
        case .renew:
            return renewable.map { [acquireSilently($0, isForced: true)] } ?? []
        case .paste, .sendPaste:
            return performOnPaste(command)
        case .picture:
            guard case .signIn(var state) = routes.last else { return [] }
            state.showsPictureAlone.toggle()
            replaceTop(.signIn(state))
            return []
        case .open, .remove, .reload, .filter, .keepFilter, .sort:
            return performOnAccounts(command)
        case .nextTab, .previousTab, .idTokenTab, .accessTokenTab, .json, .compare:
            performOnClaims(command)
            return []
        case .takeNextStep:
            return takeNextStep()
        case .tryAgain, .signInInstead:
            return performOnFailure(command)
        case .chooseProvider, .tryDemo:
            return performOnProviders(command)
        case .profiles, .useProfile, .addProfile, .editProfile, .removeProfile, .makeDefault:
            return performOnProfiles(command)
        case .submit, .nextField, .previousField, .askAuthority:
            return performOnSetUp(command)
        case .check:
            return check()
        case .report:
            return writeReport()
        case .confirm, .decline, .moveFocus, .choose:
            return performOnDialog(command)
        case .copy, .copyAddress, .saveCopy, .saveText, .saveHAR:
            return performOnCopy(command)
        case .pasteToken, .readToken:
            performOnPastedToken(command)
            return []
        case .reveal where inspector == nil:
            revealSignature()
            return []
        case .inspect, .openExchange, .reveal, .olderFlow, .newerFlow, .nextStep, .previousStep:
            performOnInspector(command)
            return []
        case .palette, .runCommand:
            return performOnPalette(command)
        case .scenarios, .startScenario, .walkOn:
            return performOnScenarios(command)
        case .help:
            overlay = .help(top: 0)
            return []
        case .back:
            return goBack()
        case .close:
            stopTyping()
            return isAtStart && inspector == nil && overlay == nil ? finish() : goBack()
        case .interrupt:
            guard routes.last?.runningEffect != nil else { return finish() }
            overlay = nil
            inspector = nil
            stopTyping()
            return goBack()
        }
    }

    private mutating func performOnAccounts(_ command: CommandID) -> [Effect] {
        switch command {
        case .open: return [accounts.selected.map { acquireSilently($0) } ?? signIn()]
        case .remove: overlay = accounts.selected.map { .confirmRemoval($0, focus: .cancel) }
        case .reload:
            // Whoever reads anew wants the broker to be asked anew as well.
            brokerRefusal = nil
            return [readAccounts()]
        case .filter: accounts.isEditingFilter = true
        case .sort:
            accounts.setOrder(accounts.order.next)
            notice = Notice(.quiet, "Ordered by \(accounts.order.title).")
            return keepChoices()
        default: accounts.isEditingFilter = false
        }
        return []
    }

    /// Starts a sign-in, in place of one that runs by another way.
    private mutating func signIn(by command: CommandID) -> [Effect] {
        let way: SignInWay? = command == .signInWithCode ? .device : command == .signInByPaste ? .paste : nil
        guard case .signIn(let running) = routes.last else { return [signIn(by: way)] }
        routes.removeLast()
        var request = running.request
        request.way = way ?? .browser
        notice = running.endOfWait.map { Notice(.quiet, $0) }
        return [cancel(running.id), signIn(as: running.account, asking: request)]
    }

    private mutating func performOnPaste(_ command: CommandID) -> [Effect] {
        guard case .signIn(var state) = routes.last else { return [] }
        let text = state.pasted
        state.pasted = command == .paste ? "" : nil
        state.showsPictureAlone = false
        replaceTop(.signIn(state))
        return command == .sendPaste ? [.deliver(state.id, text ?? "")] : []
    }

    private mutating func performOnDialog(_ command: CommandID) -> [Effect] {
        guard let dialog = overlay else { return [] }
        switch dialog {
        case .help, .palette, .pasteToken:
            return []
        case .confirmRemoval(let account, let focus):
            overlay = command == .moveFocus ? .confirmRemoval(account, focus: focus.other) : nil
            return focus.accepts(command) ? [remove(account)] : []
        case .confirmProfileRemoval(let name, let focus):
            overlay = command == .moveFocus ? .confirmProfileRemoval(name, focus: focus.other) : nil
            return focus.accepts(command) ? removeProfile(name) : []
        case .confirmDiscard(let focus):
            overlay = command == .moveFocus ? .confirmDiscard(focus: focus.other) : nil
            return focus.accepts(command) ? leave() : []
        case .offerInteraction(let account, let reason, let focus):
            overlay = command == .moveFocus ? .offerInteraction(account, reason: reason, focus: focus.other) : nil
            return focus.accepts(command) ? [signIn(as: account)] : []
        }
    }

    /// Whether there is nothing to go back to.
    private var isAtStart: Bool { routes.isEmpty || (root == .unconfigured && routes.count == 1) }

    /// What is being typed does not stand in the way of leaving.
    private mutating func stopTyping() {
        guard overlay == nil, case .signIn(var state) = routes.last else { return }
        state.pasted = nil
        state.showsPictureAlone = false
        replaceTop(.signIn(state))
    }

    /// One step back: out of the overlay, the filter, the route. Never out of the program.
    private mutating func goBack() -> [Effect] {
        if overlay != nil {
            overlay = nil
            return []
        }
        if inspector != nil {
            closeInInspector()
            return []
        }
        if case .claims(var state) = routes.last, state.comparison != nil {
            (state.comparison, state.selection) = (nil, 0)
            replaceTop(.claims(state))
            return []
        }
        if case .signIn(var state) = routes.last, state.pasted != nil || state.showsPictureAlone {
            if state.pasted == nil { state.showsPictureAlone = false }
            state.pasted = nil
            replaceTop(.signIn(state))
            return []
        }
        if isAtStart, !routes.isEmpty { return [] }
        if case .setUp(let state) = routes.last, state.isTouched {
            overlay = .confirmDiscard(focus: .cancel)
            return []
        }
        return leave()
    }

    /// Closes the newest route, and cancels what it waits for.
    private mutating func leave() -> [Effect] {
        guard let route = routes.popLast() else {
            accounts.isEditingFilter = false
            accounts.setFilter("")
            return []
        }
        guard let id = route.runningEffect else { return route.asking.map { [.cancel($0)] } ?? [] }
        stopStep(id)
        notice = Notice(.quiet, "Cancelled.")
        return [cancel(id)]
    }

    private mutating func cancel(_ id: EffectID) -> Effect {
        traces.change(id) { $0.ending = .cancelled }
        return .cancel(id)
    }
}

extension DialogFocus {
    /// True when `command` says yes: outright, or by choosing the answer that is marked.
    fileprivate func accepts(_ command: CommandID) -> Bool {
        command == .confirm || (command == .choose && self == .confirm)
    }
}
