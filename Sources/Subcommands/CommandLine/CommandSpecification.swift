import JSON

/// The name, options and arguments of a command. The parser, the help, the manual page and the completions use them, with the
/// texts of `Resources/commands.json`.
package struct CommandSpecification: Sendable {
    /// Empty for the program without a command.
    package var name: String
    package var options: [Option] = []
    /// The placeholder of a required argument. `a|b` are the words to choose from.
    package var operand: String?
    package var optionalOperand: String?
    /// The placeholder of a second argument, which the command requires itself, depending on the first.
    package var furtherOperand: String?
    /// Whether any number of arguments can follow, also with dashes. For the hidden command of the shells.
    package var takesAnyWords = false
    /// Whether the options end at the first argument, which starts another program's command line.
    package var stopsAtOperand = false

    package var invocation: String {
        name.isEmpty
            ? "keyturn [options] [COMMAND]"
            : ["keyturn", name, "[options]", operand, optionalOperand.map { "[\($0)]" }, furtherOperand]
                .compactMap(\.self).joined(separator: " ")
    }

    package struct Terms: Sendable {
        package var title: String
        package var rows: [(String, String)]
    }

    /// The texts by the name of their command, and those of the options.
    static let file = EmbeddedResource.commands

    private var texts: JSONValue { Self.file[name] ?? .null }

    /// A sentence without a full stop, for the list of commands.
    package var summary: String { texts["summary"]?.string ?? "" }

    package var discussion: [String] { texts["discussion"]?.strings ?? [] }

    package var terms: Terms? {
        texts["terms"].map { terms in
            let rows = (terms["rows"]?.array ?? []).compactMap(\.strings).map { ($0.first ?? "", $0.last ?? "") }
            return Terms(title: terms["title"]?.string ?? "", rows: rows)
        }
    }

    /// Command lines that work as typed.
    package var examples: [String] { texts["examples"]?.strings ?? [] }
}
