/// The name, options and texts of a command. The parser, the help, the manual page and the completions use them.
package struct CommandSpecification: Sendable {
    /// Two columns of the help under a title.
    package struct Terms: Sendable {
        package var title: String
        package var rows: [(String, String)]
    }

    /// Empty for the program without a command.
    package var name: String
    /// A sentence without a full stop, for the list of commands.
    package var summary: String
    /// The paragraphs of the help after the summary. Line breaks in a paragraph are spaces.
    package var discussion = ""
    package var terms: Terms?
    package var options: [Option] = []
    /// The placeholder of a required argument. `a|b` are the words to choose from.
    package var operand: String?
    /// The placeholder of an optional argument.
    package var optionalOperand: String?
    /// The placeholder of a second argument, which the command requires itself, depending on the first.
    package var furtherOperand: String?
    /// Whether any number of arguments can follow, also with dashes. For the hidden command of the shells.
    package var takesAnyWords = false
    /// Whether the options end at the first argument, which starts another program's command line.
    package var stopsAtOperand = false
    /// Command lines that work as typed.
    package var examples: [String]

    package var invocation: String {
        name.isEmpty
            ? "keyturn [options] [COMMAND]"
            : ["keyturn", name, "[options]", operand, optionalOperand.map { "[\($0)]" }, furtherOperand]
                .compactMap(\.self).joined(separator: " ")
    }
}
