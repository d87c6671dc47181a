import Console

/// What can be on the screen. A new route or overlay does not compile here before it has a kind, and a kind needs golden
/// screens: see ``ScreenMatrix``.
enum ScreenKind: String, Sendable, CaseIterable {
    case startProblem, accounts, filter, walk, scenarios
    case signInForm, signInField, browserSignIn, pasteSignIn, pasteEntry, deviceSignIn, brokerSignIn, silent
    case claims, rawToken, comparison, pastedToken, tokenEntry
    case failure, check, inspector, exchange
    case providers, setUp, profiles
    case help, palette, removalDialog, interactionDialog, profileRemovalDialog, discardDialog

    init(_ model: Model) {
        self =
            switch model.overlay {
            case .help: .help
            case .palette: .palette
            case .confirmRemoval: .removalDialog
            case .confirmProfileRemoval: .profileRemovalDialog
            case .confirmDiscard: .discardDialog
            case .offerInteraction: .interactionDialog
            case .pasteToken: .tokenEntry
            case nil: Self.beneath(model)
            }
    }

    private static func beneath(_ model: Model) -> ScreenKind {
        if model.inspectedExchange != nil { return .exchange }
        if model.inspector != nil { return .inspector }
        if case .scenarios = model.routes.last { return .scenarios }
        if model.profile?.walk != nil { return .walk }
        return model.routes.last.map(ScreenKind.init) ?? root(model)
    }

    private static func root(_ model: Model) -> ScreenKind {
        switch model.root {
        case .problem: .startProblem
        case .unconfigured: .providers
        case .accounts: model.accounts.isEditingFilter ? .filter : .accounts
        }
    }

    private init(_ route: Route) {
        self =
            switch route {
            case .signInForm(let form): form.field == nil ? .signInForm : .signInField
            case .signIn(let state): state.pasted == nil ? ScreenKind(state.way) : .pasteEntry
            case .silent: .silent
            case .claims(let state): ScreenKind(state)
            case .failure: .failure
            case .check: .check
            case .providers: .providers
            case .setUp: .setUp
            case .profiles: .profiles
            case .scenarios: .scenarios
            }
    }

    private init(_ way: SignInWay) {
        self =
            switch way {
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
