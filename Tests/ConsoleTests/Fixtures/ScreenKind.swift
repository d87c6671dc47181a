@testable import Console

/// The kinds of screens. A key layer, which a test requires in `Model+Screens`, does not compile without a kind, and a kind
/// needs golden screens: see ``ScreenMatrix``.
enum ScreenKind: String, Sendable, CaseIterable {
    case startProblem, accounts, filter, walk, walkPaste, scenarios, search, export
    case signInForm, signInField, browserSignIn, pasteSignIn, pasteEntry, deviceSignIn, brokerSignIn, silent, signOut
    case claims, rawToken, comparison, pastedToken, tokenEntry, claimsFilter
    case failure, check, inspector, exchange, flows, step, requestEdits, requestEntry, doors, agreements
    case providers, setUp, profiles
    case explainEntry, explanation, review, caseWalk, besideEntry, beside, callEntry
    case ownCommand
    case help, palette, removalDialog, interactionDialog, agreementDialog, profileRemovalDialog, discardDialog,
        saveAnywayDialog, saveDialog, doorDialog

    init(_ model: Model) {
        self =
            switch model.focus {
            case .startProblem: .startProblem
            case .accounts: .accounts
            case .filter: .filter
            case .signInForm: .signInForm
            case .signInField: .signInField
            case .signIn, .silent, .claims, .failure: Self.flow(model)
            // A field that is open by itself and empty belongs to the sign-in.
            case .pasteEntry:
                model.newest(SignInState.self).map { $0.method == .paste && $0.pasted == "" } == true
                    ? .pasteSignIn : .pasteEntry
            case .signOut: .signOut
            case .check: .check
            case .inspector: .inspector
            case .exchange: .exchange
            case .flows: .flows
            case .step: .step
            case .requestEdits: .requestEdits
            case .requestEntry: .requestEntry
            case .doors: .doors
            case .doorDialog: .doorDialog
            case .ownCommand: .ownCommand
            case .help: .help
            case .palette: .palette
            case .removalDialog, .removalsDialog: .removalDialog
            case .interactionDialog: .interactionDialog
            case .providers: .providers
            case .setUp: .setUp
            case .profiles: .profiles
            case .profileRemovalDialog: .profileRemovalDialog
            case .discardDialog: .discardDialog
            case .saveAnywayDialog: .saveAnywayDialog
            case .saveDialog: .saveDialog
            case .tokenEntry: .tokenEntry
            case .claimsFilter: .claimsFilter
            case .scenarios, .faults: .scenarios
            case .explainEntry: .explainEntry
            case .explanation: .explanation
            case .review: .review
            case .caseWalk: .caseWalk
            case .besideEntry: .besideEntry
            case .beside: .beside
            case .callEntry: .callEntry
            case .agreementDialog: .agreementDialog
            case .agreements: .agreements
            case .search: .search
            case .walk: .walk
            case .walkPaste: .walkPaste
            case .export: .export
            }
    }

    private static func flow(_ model: Model) -> ScreenKind {
        if let state = model.newest(SignInState.self) { return ScreenKind(state.method) }
        if let state = model.newest(ClaimsState.self) { return ScreenKind(state) }
        return model.focus == .silent ? .silent : .failure
    }

    private init(_ method: SignInMethod) {
        self =
            switch method {
            case .browser: .browserSignIn
            case .paste: .pasteSignIn
            case .device: .deviceSignIn
            case .broker: .brokerSignIn
            }
    }

    private init(_ claims: ClaimsState) {
        if claims.comparison != nil {
            self = .comparison
        } else if claims.showsJSON {
            self = .rawToken
        } else {
            self = claims.tab == .pasted ? .pastedToken : .claims
        }
    }
}
