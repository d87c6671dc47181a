import Diagnosis
import TerminalUI

/// The set-up: a provider is chosen, three questions are answered, the profile is saved and signed in with.
extension Model {
    mutating func performOnProviders(_ command: CommandID) -> [Effect] {
        if focus == .startProblem { routes.append(.providers(ProviderChoice(selection: ProviderChoice.rows - 1))) }
        guard case .providers(var choice) = routes.last, choice.opening == nil else { return [] }
        if command == .chooseProvider, let kind = choice.kind {
            routes.append(.setUp(SetUpState(.add, kind.draft, taken: choice.taken)))
            return [judgeForm()].compactMap(\.self)
        }
        let id = makeEffectID()
        choice.opening = id
        choice.problem = nil
        replaceTop(.providers(choice))
        return [.profiles(id, .openDemo)]
    }

    mutating func performOnSetUp(_ command: CommandID) -> [Effect] {
        guard case .setUp(var state) = routes.last, state.saving == nil else { return [] }
        switch command {
        case .nextField: state.moveFocus(by: 1)
        case .previousField: state.moveFocus(by: -1)
        case .askAuthority: return [askAuthority(&state)]
        default: return submit(state)
        }
        replaceTop(.setUp(state))
        return []
    }

    private mutating func askAuthority(_ state: inout SetUpState) -> Effect {
        let id = makeEffectID()
        state.answer = .asking(id)
        replaceTop(.setUp(state))
        return .profiles(id, .ask(state.draft))
    }

    /// Goes on to the next question, and asks the authority when its own is answered; from the last question on, saves, or
    /// goes to what keeps it from that.
    private mutating func submit(_ state: SetUpState) -> [Effect] {
        var state = state
        if let place = ProfileDraft.Field.questions.firstIndex(of: state.focus),
            place + 1 < ProfileDraft.Field.questions.count
        {
            let asks = state.asksOnLeaving
            state.focus = ProfileDraft.Field.questions[place + 1]
            replaceTop(.setUp(state))
            return asks ? [askAuthority(&state)] : []
        }
        state.isSubmitted = state.judging != nil
        guard !state.isSubmitted else {
            replaceTop(.setUp(state))
            return []
        }
        if let obstacle = state.judgement.firstObstacle {
            state.focus = obstacle
            replaceTop(.setUp(state))
            let what = state.draft[obstacle].isEmpty ? "is missing" : "cannot be used"
            notice = Notice(.warning, "\(obstacle.title) \(what).")
            return []
        }
        let id = makeEffectID()
        state.saving = id
        state.problem = nil
        replaceTop(.setUp(state))
        guard case .edit(let name) = state.purpose else { return [.profiles(id, .save(state.draft, replacing: nil))] }
        return [.profiles(id, .save(state.draft, replacing: name))]
    }

    /// A key that edits the field. Nil: it does not.
    mutating func typeInForm(_ key: Key) -> [Effect]? {
        guard case .setUp(var state) = routes.last, state.saving == nil else { return nil }
        var field = state.focused
        guard field.press(key) else { return nil }
        state.focused = field
        return edit(state)
    }

    mutating func pasteInForm(_ text: String) -> [Effect] {
        guard case .setUp(var state) = routes.last, state.saving == nil else { return [] }
        state.focused.insert(text)
        return edit(state)
    }

    private mutating func edit(_ state: SetUpState) -> [Effect] {
        let isSame = if case .setUp(let old) = routes.last { old.draft == state.draft } else { false }
        replaceTop(.setUp(state))
        return isSame ? [] : [judgeForm()].compactMap(\.self)
    }

    mutating func judgeForm() -> Effect? {
        guard case .setUp(var state) = routes.last else { return nil }
        let id = makeEffectID()
        state.judging = id
        replaceTop(.setUp(state))
        return .profiles(id, .judge(state.draft))
    }

    mutating func take(_ judgement: DraftJudgement, of id: EffectID) -> [Effect] {
        guard case .setUp(var state) = routes.last, state.judging == id else { return [] }
        state.judging = nil
        state.judgement = judgement
        replaceTop(.setUp(state))
        return state.isSubmitted ? submit(state) : []
    }

    mutating func take(asked findings: [CheckFinding], of id: EffectID) {
        guard case .setUp(var state) = routes.last, state.answer == .asking(id) else { return }
        state.take(findings)
        replaceTop(.setUp(state))
    }

    mutating func take(saved outcome: Outcome<ProfileAnswer.Saved>, of id: EffectID) -> [Effect] {
        guard case .setUp(var state) = routes.last, state.saving == id else { return [] }
        if case .failure(let report) = outcome {
            state.saving = nil
            state.problem = report
            replaceTop(.setUp(state))
            return []
        }
        notice = Notice(.success, "Saved the profile \(state.draft.name).")
        guard case .edit(let name) = state.purpose else { return openSaved(state, isNew: true) }
        if name == profile?.name { return openSaved(state, isNew: false) }
        routes.removeLast()
        return listProfiles()
    }

    /// The form stays until the application is there: what the library refuses can be put right in it.
    private mutating func openSaved(_ state: SetUpState, isNew: Bool) -> [Effect] {
        var state = state
        let id = makeEffectID()
        state.saving = id
        // It is in the file now: saving once more replaces it.
        state.purpose = .edit(state.draft.name)
        state.signsInWhenOpened = isNew || state.signsInWhenOpened
        replaceTop(.setUp(state))
        return [.profiles(id, .open(state.draft.name))]
    }
}
