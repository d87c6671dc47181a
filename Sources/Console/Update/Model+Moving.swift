import TerminalUI

/// Selection and scrolling. How far there is to go depends on the layout, which is a function of the model too.
extension Model {
    mutating func move(_ command: CommandID) {
        if let list = shownList { keepInSight(list, moving: command) }
        moveSelection(command)
    }

    private mutating func moveSelection(_ command: CommandID) {
        if case .help(let top) = overlay {
            let help = HelpView(self)
            let step = Step(command, page: help.height)
            overlay = .help(top: step.applied(to: min(top, help.lastTop), last: help.lastTop))
            return
        }
        if case .palette(var state) = overlay {
            let last = state.entries(on: screenFocus).count - 1
            let step = Step(command, page: PaletteView(state, self).pageHeight)
            state.select(row: step.applied(to: state.selection, last: last), on: screenFocus)
            overlay = .palette(state)
            return
        }
        if inspector != nil { return moveInInspector(command) }
        switch routes.last {
        case .claims(let state): replaceTop(.claims(moved(state, command)))
        case .failure(let state): replaceTop(.failure(moved(state, command)))
        case .signInForm(var form):
            let step = Step(command, page: SignInFormView(form, self).pageHeight)
            form.select(row: step.applied(to: form.selection, last: form.rows.count - 1))
            replaceTop(.signInForm(form))
        case .scenarios(var state):
            let step = Step(command, page: ScenariosView(state, self).pageHeight)
            state.selection = step.applied(to: state.selection, last: (profile?.scenarios.count ?? 0) - 1)
            replaceTop(.scenarios(state))
        case .providers(var choice):
            choice.select(row: Step(command, page: ProviderChoice.rows).applied(to: choice.selection, last: .max))
            replaceTop(.providers(choice))
        case .profiles(var state):
            let step = Step(command, page: ProfilesView(state, self).pageHeight)
            state.select(row: step.applied(to: state.selection, last: state.entries.count - 1))
            replaceTop(.profiles(state))
        case .check(var state):
            let step = Step(command, page: CheckView(state, self).pageHeight)
            state.selection = step.applied(to: state.selection, last: state.rows.count - 1)
            replaceTop(.check(state))
        case .signIn, .silent, .setUp: break
        case nil:
            let step = Step(command, page: AccountsView(self).pageHeight)
            accounts.select(row: step.applied(to: accounts.selection, last: accounts.visible.count - 1))
        }
    }

    /// Puts the selection of the visible list on a row.
    mutating func select(row: Int) {
        if case .palette(var state) = overlay {
            state.select(row: row, on: screenFocus)
            overlay = .palette(state)
            return
        }
        if inspector != nil { return selectInInspector(row) }
        switch routes.last {
        case .signInForm(var form):
            form.select(row: row)
            replaceTop(.signInForm(form))
        case .scenarios(var state):
            state.selection = max(0, min(row, (profile?.scenarios.count ?? 0) - 1))
            replaceTop(.scenarios(state))
        case .check(var state):
            state.selection = max(0, min(row, state.rows.count - 1))
            replaceTop(.check(state))
        case .providers(var choice):
            choice.select(row: row)
            replaceTop(.providers(choice))
        case .profiles(var state):
            state.select(row: row)
            replaceTop(.profiles(state))
        case .claims(var state):
            state.selection = max(0, min(row, state.rows.count - 1))
            replaceTop(.claims(state))
        case nil: accounts.select(row: row)
        default: break
        }
    }

    private func moved(_ state: ClaimsState, _ command: CommandID) -> ClaimsState {
        var state = state
        let view = ClaimsView(state, self)
        let step = Step(command, page: view.pageHeight)
        if state.showsJSON {
            state.top = step.applied(to: min(state.top, view.lastTop), last: view.lastTop)
        } else {
            state.selection = step.applied(to: state.selection, last: state.rows.count - 1)
        }
        return state
    }

    private func moved(_ state: FailureState, _ command: CommandID) -> FailureState {
        var state = state
        let view = FailureView(state, self)
        state.top = Step(command, page: view.pageHeight).applied(to: min(state.top, view.lastTop), last: view.lastTop)
        return state
    }
}

/// How far a moving command goes.
enum Step {
    case by(Int)
    case toFirst, toLast

    init(_ command: CommandID, page: Int) {
        self =
            switch command {
            case .up: .by(-1)
            case .down: .by(1)
            case .pageUp: .by(-max(1, page))
            case .pageDown: .by(max(1, page))
            case .halfPageUp: .by(-max(1, page / 2))
            case .halfPageDown: .by(max(1, page / 2))
            case .first: .toFirst
            default: .toLast
            }
    }

    /// The new position, within 0 and `last`.
    func applied(to position: Int, last: Int) -> Int {
        let wanted =
            switch self {
            case .by(let distance): position + distance
            case .toFirst: 0
            case .toLast: last
            }
        return max(0, min(wanted, last))
    }
}
