/// One thing that is wrong in the configuration, where it is, and what would be right.
package struct ConfigurationMistake: Sendable, Equatable {
    /// Counted from 1; `nil` when it is not about a line.
    package var line: Int?
    /// The place in the file: `profiles.contoso.authority`; empty for the file itself.
    package var key: String
    package var problem: String
    package var remedy: String

    package init(line: Int?, key: String, problem: String, remedy: String) {
        self.line = line
        self.key = key
        self.problem = problem
        self.remedy = remedy
    }

    /// One line: the place, what is wrong, what would be right.
    package func message(in file: String) -> String {
        message(at: line.map { "\(file):\($0)" } ?? file)
    }

    /// The same where the file is named elsewhere.
    package var messageWithoutFile: String { message(at: line.map { "line \($0)" }) }

    private func message(at place: String?) -> String {
        // A command that is to be run ends where it ends.
        let end = remedy.hasSuffix("?") || remedy.hasPrefix("Run: ") ? "" : "."
        let subject = [place, key.isEmpty ? nil : key].compactMap(\.self)
        return (subject + ["\(problem). \(remedy)\(end)"]).joined(separator: ": ")
    }
}
