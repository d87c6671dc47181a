import Diagnosis
import TerminalUI

/// All screens, in the order of `docs/keys.md`.
let allScreens: [any ConsoleScreen.Type] = [
    StartProblemScreen.self, AccountsScreen.self, SignInForm.self, SignInState.self, SilentState.self,
    SignOutState.self, ClaimsState.self, FailureState.self, CheckState.self, InspectorState.self, HelpState.self,
    PaletteState.self, RemovalQuestion.self, InteractionQuestion.self, ProviderChoice.self, SetUpState.self,
    ProfilesState.self, Confirmation.self, ClaimsEntry.self, ScenariosState.self, WalkState.self, ExportState.self,
    ExplainEntry.self, ExplainState.self, ReviewState.self, CaseWalkState.self, BesideEntry.self, BesideState.self,
    CallEntry.self, AgreementQuestion.self, AgreementsState.self, FlowsState.self, StepState.self, EditState.self,
    EditEntry.self, DoorsState.self, OwnCommandState.self,
]

extension KeyTable {
    package static let all: [KeyTable] = allScreens.flatMap { $0.keyLayers }
}

extension OwnSettings {
    /// What terminals send as itself, and neither the program nor the terminal needs.
    private static let possible: [Key] =
        (0x21...0x7E).map { .character(Character(Unicode.Scalar($0))) }
        + "abdefgknoprtuvwxy".map(Key.control) + "abcdefghijklmnopqrstuvwxyz".map { .alt(.character($0)) }
        + (1...12).map(Key.function)

    package mutating func add(_ label: String, for name: String) throws(OwnMistake) {
        guard let verb = Verb.allCases.first(where: { "\($0)" == name }) else {
            let near = nearest(to: name, in: Verb.allCases.map { "\($0)" })
            throw OwnMistake(
                "unknown command", near.map { "Did you mean \"\($0)\"?" } ?? "Use a name from docs/keys.md")
        }
        keys[verb] = try free(label)
    }

    package mutating func add(command title: String, key label: String, _ arguments: [String]) throws(OwnMistake) {
        commands.append(OwnCommand(key: try free(label), title: title, arguments: arguments))
    }

    private func free(_ label: String) throws(OwnMistake) -> Key {
        guard let key = Self.possible.first(where: { KeyLabel.text($0) == label }) else {
            throw OwnMistake("invalid key \"\(label)\"", "Use a character, Ctrl-X, Alt-x or F2, for example")
        }
        let commands = KeyTable.all.lazy.flatMap(\.commands)
        let owner =
            keys.first { $0.value == key }.map { "\($0.key)" } ?? self.commands.first { $0.key == key }?.title
            ?? key.verb.map { "\($0)" } ?? commands.first { $0.keys.contains(key) }?.name.text
        if let owner { throw OwnMistake("\"\(label)\" is the key of \(owner), too", "Choose another key") }
        return key
    }
}
