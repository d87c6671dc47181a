import TerminalUI

package struct HelpCommand: Subcommand {
    package static let specification = CommandSpecification(name: "help", optionalOperand: "COMMAND")

    let topic: Help.Topic

    package init(_ options: ParsedOptions) throws(UsageError) { topic = try Self.topic(named: options.operands.first) }

    init(_ topic: Help.Topic) { self.topic = topic }

    private static func topic(named name: String?) throws(UsageError) -> Help.Topic {
        guard let name else { return .command(OpenCommand.specification) }
        if name == "options" { return .options }
        if let command = CommandTable.command(named: name) { return .command(command.specification) }
        throw .unknownCommand(name, near: CommandTable.near(name))
    }

    package func run(in surroundings: Surroundings) async throws -> ExitCode {
        let columns = surroundings.columns(of: surroundings.output)
        let isBold = columns != nil && !surroundings.machine.isDumb && surroundings.environment["NO_COLOR"] ?? "" == ""
        try surroundings.output.write(Help.text(for: topic, width: columns ?? 80, isBold ? .mono : nil))
        return .done
    }
}

package enum Help {
    package enum Topic: Sendable {
        case command(CommandSpecification)
        case options
    }

    /// - Parameter width: in columns. Words are never broken.
    package static func text(for topic: Topic, width: Int, _ theme: ColorTheme? = nil) -> String {
        let sections =
            switch topic {
            case .command(let command): text(of: command, width: width)
            case .options:
                [
                    wrap("Global options, before or after the command:", to: width) + "\n"
                        + table(rows(Option.everywhere), width: width)
                ]
            }
        let text = sections.joined(separator: "\n\n") + "\n"
        guard let theme else { return text }
        let headings = #/^(?:Usage:|[A-Z][A-Za-z -]*:$)/#.anchorsMatchLineEndings()
        return text.replacing(headings) { theme.text(String($0.output), in: .title) }
    }

    private static func text(of command: CommandSpecification, width: Int) -> [String] {
        let paragraphs = ["Usage: \(command.invocation)", "\(command.summary)."] + command.discussion
        var sections = paragraphs.map { wrap($0, to: width) }
        if command.name.isEmpty {
            let groups = CommandTable.groups.map { title, commands in
                (title, commands.map { ($0.specification.name, $0.specification.summary) })
            }
            sections += groups.map { "\($0):\n" + table($1, width: width) }
        }
        if let terms = command.terms { sections.append("\(terms.title):\n" + table(terms.rows, width: width)) }
        if !command.options.isEmpty { sections.append("Options:\n" + table(rows(command.options), width: width)) }
        sections.append(
            "Examples:\n" + command.examples.map { "  " + example($0, width: width) }.joined(separator: "\n"))
        let others = command.name.isEmpty ? "Help for a command: keyturn help COMMAND\n" : ""
        return sections + [wrap(others + "Global options: keyturn help options", to: width)]
    }

    private static func rows(_ options: [Option]) -> [(String, String)] {
        options.map { ($0.spelling, $0.description) }
    }

    /// Two columns; a term that is too long for its column has its meaning on the next line.
    private static func table(_ rows: [(String, String)], width: Int) -> String {
        TextTable(rows: rows.map { [$0, $1] }, indent: "  ", widestTerm: 24)
            .lines(columns: width).rows.flatMap(\.self).joined(separator: "\n")
    }

    /// A command line stays one that can be typed.
    private static func example(_ line: String, width: Int) -> String {
        lines(of: line, width: width - 6).joined(separator: " \\\n      ")
    }

    private static func wrap(_ text: String, to width: Int) -> String {
        lines(of: text, width: width).joined(separator: "\n")
    }

    private static func lines(of text: String, width: Int) -> [String] {
        TextFitting.wrap(text, to: max(1, width), breaksWords: false)
    }
}
