import TerminalUI

/// The only place that names every screen: opens each, and defines their order in the documentation.
extension Destination {
    func open(_ context: inout Context) -> Opening {
        switch self {
        case .help: Opening(HelpState())
        case .palette: Opening(PaletteState())
        case .profiles: ProfilesState.open(&context)
        case .scenarios: Opening(ScenariosState())
        case .check: CheckState.open(&context)
        case .signInForm: SignInForm.open(&context)
        case .tokenEntry: Opening(TokenEntry())
        case .providers(let taken, let isDemo): ProviderChoice.open(taken: taken, isDemo: isDemo, &context)
        case .setUp(let purpose, let draft, let taken): SetUpState.open(purpose, draft, taken: taken, &context)
        case .signIn(let account, let request, let chain, let refusals):
            SignInState.open(as: account, asking: request, in: chain, after: refusals, &context)
        case .silent(let account, let isForced): SilentState.open(account, isForced: isForced, &context)
        case .walkSignIn(let id, let request): Opening(SignInState(id: id, request: request))
        case .walkSilent(let id, let account): Opening(SilentState(id: id, account: account))
        case .claims(let acquisition, let flow, _): Opening(ClaimsState.of(acquisition, flow: flow, &context))
        case .pastedToken(let token): Opening(ClaimsState(pasted: token))
        case .failure(let report, let attempt, let flow):
            Opening(FailureState(report, attempt: attempt, flow: flow))
        case .inspector(let flow, let row): Opening(InspectorState(flow, selection: row))
        case .removal(let account): Opening(RemovalQuestion(account))
        case .profileRemoval(let name): Opening(ProfileRemovalQuestion(name))
        case .interaction(let account, let reason): Opening(InteractionQuestion(account, reason: reason))
        case .discard: Opening(DiscardQuestion())
        }
    }
}

/// All screens, in the order of `docs/keys.md`.
let allScreens: [any ConsoleScreen.Type] = [
    StartProblemScreen.self, AccountsScreen.self, SignInForm.self, SignInState.self, SilentState.self, ClaimsState.self,
    FailureState.self, CheckState.self, InspectorState.self, HelpState.self, PaletteState.self, RemovalQuestion.self,
    InteractionQuestion.self, ProviderChoice.self, SetUpState.self, ProfilesState.self, ProfileRemovalQuestion.self,
    DiscardQuestion.self, TokenEntry.self, ScenariosState.self,
]

extension KeyTable {
    package static let all: [KeyTable] = allScreens.flatMap { $0.keyLayers }
}
