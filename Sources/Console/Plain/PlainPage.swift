/// What is read out before an answer is waited for, and what the answers are.
struct PlainPage: Sendable, Equatable {
    enum Question: Sendable, Equatable {
        case choice
        /// A line of text for the field that has the keys.
        case text
        /// The address that a browser ended on, or the word that ends the sign-in.
        case paste
    }

    var body: [String]
    var question: Question
    var choices: [PlainChoice] = []
    var prompt: String

    /// An answer to this holds a code: it is shown nowhere.
    var isSecret = false
}

extension Model {
    /// Whether something runs whose end makes another page than the one there is.
    var isBusy: Bool {
        guard overlay == nil, inspector == nil else { return false }
        switch routes.last {
        case .signIn, .silent: return true
        case .check(let state): return state.running != nil
        case .providers(let choice): return choice.opening != nil
        case .profiles(let state): return state.working != nil
        case .scenarios(let state): return state.opening != nil
        case .setUp(let state):
            if case .asking = state.answer { return true }
            return state.judging != nil || state.saving != nil
        case nil:
            if accounts.removing != nil { return true }
            if case .reading = accounts.phase { return true }
            return accounts.phase == .unread && profile != nil
        default: return false
        }
    }

    /// Whether keys are letters of a text here, and no commands.
    var takesText: Bool { [.filter, .pasteEntry, .signInField, .tokenEntry].contains(focus) }
}
