/// What a command is called and takes: the parser, the help and the near misses read it here.
package struct CommandSpecification: Sendable {
    /// Empty for the program without a command.
    package var name: String
    /// One sentence for the list of commands.
    package var summary: String
    /// A paragraph for its own help.
    package var discussion: String
    package var options: [Option] = []
    /// What the help calls the word it needs; `nil` when it takes none. `a|b` are the words it can be.
    package var operand: String?
    /// What the help calls a word that it may be given.
    package var optionalOperand: String?
    /// A second word after it, which the command asks for itself when the first calls for one.
    package var furtherOperand: String?
    /// Whether words of any number follow, dashes and all: a command for programs, of which no list tells.
    package var takesAnyWords = false
    /// A line that can be typed as it stands.
    package var example: String

    package var invocation: String {
        name.isEmpty
            ? "keyturn [options] [command]"
            : ["keyturn", name, "[options]", operand, optionalOperand.map { "[\($0)]" }, furtherOperand]
                .compactMap(\.self).joined(separator: " ")
    }
}
