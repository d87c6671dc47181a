import JSON
import TerminalUI

/// An option for the parser, the help, the manual page and the completions, with texts in `Resources/commands.json`.
package struct Option: Sendable, Hashable {
    package var long: String
    /// The command that describes the option in words of its own, which others can share.
    private var owner: String?
    package var short: Character?
    /// The placeholder of the argument; `nil` if the option takes none.
    package var argument: String?
    /// The allowed arguments; empty for any.
    package var choices: [String]
    package var isRepeatable: Bool

    package init(
        _ long: String, of owner: String? = nil, short: Character? = nil, argument: String? = nil,
        choices: [String] = [], isRepeatable: Bool = false
    ) {
        (self.long, self.owner, self.short, self.argument) = (long, owner, short, argument)
        (self.choices, self.isRepeatable) = (choices, isRepeatable)
    }

    /// Commands describe an option with the same name in their own words.
    package static func == (first: Option, second: Option) -> Bool { first.long == second.long }

    package func hash(into hasher: inout Hasher) { hasher.combine(long) }

    /// The name of its texts, which leave out what an option of this name has anyway.
    var row: String { owner.map { "\(long) of \($0)" } ?? long }

    private func text(_ member: String) -> JSONValue? {
        let rows = CommandSpecification.file["options"]
        return rows?[row]?[member] ?? rows?[long]?[member]
    }

    /// A phrase without a full stop.
    package var summary: String { text("summary")?.string ?? "" }

    /// What to type instead of what users of other programs, or of a former version, type, both with dashes.
    func instead(of word: String) -> String? { text("instead")?[word]?.string }

    /// As typed: `-o, --output FORMAT`.
    var spelling: String {
        let names = [short.map { "-\($0)" }, "--\(long)"].compactMap(\.self).joined(separator: ", ")
        return [names, argument].compactMap(\.self).joined(separator: " ")
    }

    var description: String {
        let words = choices.isEmpty ? summary : "\(summary): \(choices.alternatives)"
        let notes = [isRepeatable ? "repeatable" : nil, text("default")?.string.map { "default: \($0)" }]
            .compactMap(\.self)
        return notes.isEmpty ? words : "\(words) (\(notes.joined(separator: "; ")))"
    }
}

extension Option {
    static let help = Option("help", short: "h")
    static let version = Option("version")
    static let config = Option("config", argument: "FILE")
    static let profile = Option("profile", argument: "NAME")
    static let clientID = Option("client-id", argument: "ID")
    static let clientSecretFile = Option("client-secret-file", argument: "FILE")
    static let authority = Option("authority", argument: "URL")
    static let redirectURI = Option("redirect-uri", argument: "URI")
    static let cache = Option("cache", argument: "FILE")
    static let certificates = Option("ca-file", argument: "FILE")
    static let listen = Option("listen", argument: "[ADDR:]PORT")
    static let timeout = Option("timeout", argument: "SECONDS")
    static let quiet = Option("quiet", short: "q")
    static let verbose = Option("verbose", short: "v")
    static let plain = Option("plain")
    static let ascii = Option("ascii")
    static let noColor = Option("no-color")
    static let theme = Option("theme", argument: "NAME", choices: ScreenTheme.allCases.map(\.rawValue))
    static let mouse = Option("mouse")
    static let noMotion = Option("no-motion")

    /// The options of every command, before or after its name.
    package static let everywhere: [Option] = [
        config, profile, clientID, clientSecretFile, authority, redirectURI, listen, cache, certificates, timeout,
        quiet, verbose, plain, ascii, noColor, theme, mouse, noMotion, help, version,
    ]
}
