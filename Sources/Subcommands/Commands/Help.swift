/// The text of `--help`, made from the tables.
package enum Help {
    package static func text(for command: CommandSpecification) -> String {
        var sections = ["Usage: \(command.invocation)", command.discussion]
        if command.name.isEmpty { sections.append(commands) }
        if !command.options.isEmpty { sections.append("Options:\n" + rows(command.options)) }
        sections.append((command.options.isEmpty ? "Options:\n" : "For every command:\n") + rows(Option.everywhere))
        sections.append("For example:\n  \(command.example)")
        return sections.joined(separator: "\n\n") + "\n"
    }

    private static var commands: String {
        let rows = CommandTable.all.map { ($0.specification.name, $0.specification.summary) }
        return "Commands:\n" + table(rows)
    }

    private static func rows(_ options: [Option]) -> String {
        table(options.map { ($0.spelling, $0.sentence) })
    }

    /// Two columns; a left cell too long for its column puts the right one on the next line.
    private static func table(_ rows: [(String, String)]) -> String {
        let width = 22
        return rows.map { left, right in
            left.count < width
                ? "  " + left + String(repeating: " ", count: width - left.count) + right
                : "  " + left + "\n" + String(repeating: " ", count: width + 2) + right
        }.joined(separator: "\n")
    }
}
