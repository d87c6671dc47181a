/// All screens, in the order of `docs/keys.md`.
let allScreens: [any ConsoleScreen.Type] = [
    StartProblemScreen.self, AccountsScreen.self, SignInForm.self, SignInState.self, SilentState.self,
    SignOutState.self,
    ClaimsState.self, FailureState.self, CheckState.self, InspectorState.self, HelpState.self, PaletteState.self,
    RemovalQuestion.self,
    InteractionQuestion.self, ProviderChoice.self, SetUpState.self, ProfilesState.self, ProfileRemovalQuestion.self,
    DiscardQuestion.self, SaveAnywayQuestion.self, ClaimsEntry.self, ScenariosState.self, WalkState.self,
    ExportState.self, SaveQuestion.self,
    ExplainEntry.self, ExplainState.self, ReviewState.self, CaseWalkState.self, BesideEntry.self, BesideState.self,
    CallEntry.self, AgreementQuestion.self, AgreementsState.self, FlowsState.self, DoorsState.self, DoorQuestion.self,
]

extension KeyTable {
    package static let all: [KeyTable] = allScreens.flatMap { $0.keyLayers }
}
