/// What is wrong with a command line, as a fact. ``message`` puts it in words: one line, exit code 2.
package enum UsageError: Error, Sendable, Equatable {
    case unknownCommand(String, near: String?)
    case unknownOption(String, near: String?, command: String?)
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
    /// The full-screen program was asked for where it cannot be; `instead` is what works there.
    case needsTerminal(instead: String)

    package var message: String {
        switch self {
        case .unknownCommand(let word, let near):
            "there is no command '\(word)'\(Self.suggestion(near)) \(Self.pointer(nil))"
        case .unknownOption(let word, let near, let command):
            "there is no option \(word)\(Self.suggestion(near)) \(Self.pointer(command))"
        case .ambiguousOption(let word, let candidates, let command):
            "\(word) could be \(Self.list(candidates)). \(Self.pointer(command))"
        case .missingArgument(let option, let command):
            "--\(option.long) needs \(option.argument ?? "an argument"): \(option.sentence). \(Self.pointer(command))"
        case .unexpectedArgument(let option, let command):
            "--\(option.long) takes no argument. \(Self.pointer(command))"
        case .unknownChoice(let option, let argument, let near):
            "--\(option.long) takes \(Self.list(option.choices)), not '\(argument)'\(Self.suggestion(near))"
        case .badArgument(let option, let argument, let wanted):
            "--\(option.long) takes \(wanted), not '\(argument)'"
        case .missingOperand(let name, let command):
            "'keyturn \(command)' needs \(name). \(Self.pointer(command))"
        case .extraOperand(let word, let command):
            "'keyturn \(command)' has no use for '\(word)'. \(Self.pointer(command))"
        case .unknownOperand(let word, let wanted, let command):
            "'keyturn \(command)' takes \(wanted), not '\(word)'. \(Self.pointer(command))"
        case .unknownScenario(let word, let near):
            "there is no scenario '\(word)'\(Self.suggestion(near)) 'keyturn demo --list' lists them"
        case .unknownFault(let word, let near):
            "there is no fault '\(word)'\(Self.suggestion(near)) 'keyturn authority --list-faults' lists them"
        case .needsTerminal(let instead):
            "the full-screen program needs a terminal, and this is none. Use \(instead)"
        }
    }

    private static func suggestion(_ near: String?) -> String { near.map { "; did you mean \($0)?" } ?? "." }

    private static func pointer(_ command: String?) -> String {
        "See 'keyturn \(command.map { "\($0) " } ?? "")--help'"
    }

    private static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.joined() }
        return words.dropLast().joined(separator: ", ") + " or " + last
    }
}
