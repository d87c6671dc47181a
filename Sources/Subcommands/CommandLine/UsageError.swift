/// An invalid command line, with exit status 2.
package enum UsageError: Error, Sendable, Equatable {
    case unknownCommand(String, near: String?)
    case unknownOption(String, near: String?, command: String?)
    case earlyOption(String)
    case ambiguousOption(String, candidates: [String], command: String?)
    case missingArgument(Option, command: String?)
    case unexpectedArgument(Option, command: String?)
    case unknownChoice(Option, argument: String, near: String?)
    case badArgument(Option, argument: String, wanted: String)
    case missingOperand(String, command: String)
    case extraOperand(String, command: String)
    case unknownOperand(String, wanted: String, command: String)
    case unknownScenario(String, near: String?)
    case unknownFault(String, near: String?)
    case both(String, String)
    /// An option that does nothing without one of others.
    case unmet(Option, needs: [Option])
    case needsTerminal

    package var description: String {
        switch self {
        case .unknownCommand(let word, _): "Unknown command '\(Self.shown(word))'."
        case .unknownOption(let word, _, _): "Unknown option \(word)."
        case .earlyOption(let word): "\(word) is an option of a command."
        case .ambiguousOption(let word, let candidates, _): "\(word) is ambiguous: \(candidates.alternatives)."
        case .missingArgument(let option, _): "--\(option.long) needs an argument: \(option.argument ?? "")."
        case .unexpectedArgument(let option, _): "--\(option.long) takes no argument."
        case .unknownChoice(let option, let argument, _), .badArgument(let option, let argument, _):
            "Invalid --\(option.long) '\(Self.shown(argument))'."
        case .missingOperand(let name, let command): "'keyturn \(command)' needs \(name)."
        case .extraOperand(let word, let command): "'keyturn \(command)' doesn't accept '\(Self.shown(word))'."
        case .unknownOperand(let word, _, let command): "'keyturn \(command)' doesn't accept '\(Self.shown(word))'."
        case .unknownScenario(let word, _): "Unknown scenario '\(Self.shown(word))'."
        case .unknownFault(let word, _): "Unknown fault '\(Self.shown(word))'."
        case .both(let one, let other): "Both \(one) and \(other) are given."
        case .unmet(let option, let others): "--\(option.long) needs \(others.map { "--\($0.long)" }.alternatives)."
        case .needsTerminal: "The terminal program needs a terminal."
        }
    }

    package var nextStep: String {
        switch self {
        case .unknownCommand(_, let near): Self.suggestion(near) + Self.pointer(nil)
        case .unknownOption(_, let near, let command): Self.suggestion(near) + Self.pointer(command)
        case .earlyOption: "Put it after the command."
        case .ambiguousOption(_, _, let command), .missingArgument(_, let command), .unexpectedArgument(_, let command):
            Self.pointer(command)
        case .unknownChoice(let option, _, let near): Self.suggestion(near) + "Use \(option.choices.alternatives)."
        case .badArgument(_, _, let wanted): "Use \(wanted)."
        case .missingOperand(_, let command), .extraOperand(_, let command): Self.pointer(command)
        case .unknownOperand(_, let wanted, let command): "Use \(wanted). " + Self.pointer(command)
        case .unknownScenario(_, let near): Self.suggestion(near) + "'keyturn demo --list' lists the scenarios."
        case .unknownFault(_, let near): Self.suggestion(near) + "'keyturn authority --list-faults' lists the faults."
        case .both(let one, let other): "Use \(one) or \(other), not both."
        case .unmet(_, let others): "Add \(others.map { "--\($0.long)" }.alternatives)."
        case .needsTerminal: "Use 'keyturn --plain', 'keyturn token' or another command of 'keyturn help'."
        }
    }

    /// The word without what can be a secret: all of a token, and the query of a URL.
    private static func shown(_ word: String) -> String {
        let start = word.firstIndex { "?#".contains($0) }.map { "\(word[..<$0])\u{2026}" } ?? word
        return word.hasPrefix("eyJ") || start.count > 80 ? "\u{2026}" : start
    }

    private static func suggestion(_ near: String?) -> String { near.map { "Did you mean \($0)? " } ?? "" }

    private static func pointer(_ command: String?) -> String { "See 'keyturn help\(command.map { " \($0)" } ?? "")'." }
}
