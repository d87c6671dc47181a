import TerminalUI

/// A screen that was opened over the account list.
package enum Route: Sendable, Equatable {
    case signInForm(SignInForm)
    case signIn(SignInState)
    case silent(SilentState)
    case claims(ClaimsState)
    case failure(FailureState)
    case check(CheckState)
    case providers(ProviderChoice)
    case setUp(SetUpState)
    case profiles(ProfilesState)
    case scenarios(ScenariosState)

    /// The effect this screen waits for, if any.
    package var runningEffect: EffectID? {
        switch self {
        case .signIn(let state): state.id
        case .silent(let state): state.id
        case .check(let state): state.running
        case .scenarios(let state): state.opening
        case .signInForm, .claims, .failure, .providers, .setUp, .profiles: nil
        }
    }

    /// What an authority is being asked, which nobody needs to know once the form is closed.
    package var asking: EffectID? {
        guard case .setUp(let state) = self, case .asking(let id) = state.answer else { return nil }
        return id
    }

    /// The effect whose outcome this screen shows, if any.
    package var endedEffect: EffectID? {
        switch self {
        case .claims(let state): state.flow
        case .failure(let state): state.flow
        default: nil
        }
    }
}

/// What lies over the screen and takes all keys.
package enum Overlay: Sendable, Equatable {
    /// The keys of the screen beneath, scrolled down by `top` rows.
    case help(top: Int)
    /// What the screen beneath can do, to choose from.
    case palette(PaletteState)
    case confirmRemoval(AccountSummary, focus: DialogFocus)
    /// What was typed or pasted so far of a token to read.
    case pasteToken(TextField)
    case confirmProfileRemoval(String, focus: DialogFocus)
    /// Leaving the form would lose what was typed in it.
    case confirmDiscard(focus: DialogFocus)
    case offerInteraction(AccountSummary, reason: String, focus: DialogFocus)
}

/// Which answer of a dialog Enter gives.
package enum DialogFocus: Sendable, Equatable {
    case cancel, confirm

    package var other: DialogFocus { self == .cancel ? .confirm : .cancel }
}
