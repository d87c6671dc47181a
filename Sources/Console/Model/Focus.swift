/// What the keys go to: the overlay if there is one, else the newest route, else the root.
package enum Focus: String, Sendable, CaseIterable {
    case startProblem, accounts, filter, signInForm, signInField, signIn, pasteEntry, silent, claims, failure, check,
        inspector, exchange, help, palette, removalDialog, interactionDialog, providers, setUp, profiles,
        profileRemovalDialog, discardDialog, tokenEntry, scenarios

    /// How documentation calls it.
    package var title: String {
        switch self {
        case .startProblem: "Start problem"
        case .accounts: "Accounts"
        case .filter: "Filter"
        case .signInForm: "Sign in with options"
        case .signInField: "A field of the sign-in"
        case .signIn: "Sign in"
        case .pasteEntry: "Paste the answer"
        case .silent: "Getting a token"
        case .claims: "Claims"
        case .failure: "Error"
        case .check: "Check"
        case .inspector: "Inspector"
        case .exchange: "One exchange"
        case .tokenEntry: "Paste a token"
        case .scenarios: "Scenarios"
        case .help: "Help"
        case .palette: "Commands"
        case .removalDialog: "Remove an account?"
        case .interactionDialog: "Sign in again?"
        case .providers: "Choose a provider"
        case .setUp: "Set up"
        case .profiles: "Profiles"
        case .profileRemovalDialog: "Remove a profile?"
        case .discardDialog: "Discard the form?"
        }
    }
}

extension Model {
    package var focus: Focus {
        switch overlay {
        case .help: .help
        case .palette: .palette
        case .confirmRemoval: .removalDialog
        case .pasteToken: .tokenEntry
        case .offerInteraction: .interactionDialog
        case .confirmProfileRemoval: .profileRemovalDialog
        case .confirmDiscard: .discardDialog
        case nil: screenFocus
        }
    }

    /// The focus that closing the overlay would give back.
    package var screenFocus: Focus {
        if let inspector { return inspector.opened == nil ? .inspector : .exchange }
        return switch (routes.last, root) {
        case (.signIn(let state), _): state.pasted == nil ? .signIn : .pasteEntry
        case (.signInForm(let form), _): form.field == nil ? .signInForm : .signInField
        case (.silent, _): .silent
        case (.claims, _): .claims
        case (.failure, _): .failure
        case (.check, _): .check
        case (.scenarios, _): .scenarios
        case (.providers, _): .providers
        case (.setUp, _): .setUp
        case (.profiles, _): .profiles
        case (nil, .problem), (nil, .unconfigured): .startProblem
        case (nil, .accounts): accounts.isEditingFilter ? .filter : .accounts
        }
    }
}
