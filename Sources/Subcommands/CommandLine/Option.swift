import TerminalUI

/// A command-line option. The parser, the help, the manual page and the completions use the same table.
package struct Option: Sendable, Hashable {
    /// The name without dashes.
    package var long: String
    /// What users of other programs, or of a former version, type, and what to type instead, both with dashes. The error for
    /// such an option suggests it.
    package var otherSpellings: [String: String]
    package var short: Character?
    /// The placeholder of the argument; `nil` if the option takes none.
    package var argument: String?
    /// The allowed arguments; empty for any.
    package var choices: [String]
    /// The value that applies without the option, for the help.
    package var standard: String?
    package var isRepeatable: Bool
    /// A phrase without a full stop.
    package var summary: String

    package init(
        _ long: String, short: Character? = nil, argument: String? = nil, choices: [String] = [],
        standard: String? = nil,
        isRepeatable: Bool = false, elsewhere otherSpellings: [String: String] = [:], _ summary: String
    ) {
        self.long = long
        self.otherSpellings = otherSpellings
        self.short = short
        self.argument = argument
        self.choices = choices
        self.standard = standard
        self.isRepeatable = isRepeatable
        self.summary = summary
    }

    /// Commands describe an option with the same name in their own words.
    package static func == (first: Option, second: Option) -> Bool { first.long == second.long }

    package func hash(into hasher: inout Hasher) { hasher.combine(long) }

    /// As typed: `-o, --output FORMAT`.
    var spelling: String {
        let names = [short.map { "-\($0)" }, "--\(long)"].compactMap(\.self).joined(separator: ", ")
        return [names, argument].compactMap(\.self).joined(separator: " ")
    }

    /// The summary with the choices and the default.
    var description: String {
        let words = choices.isEmpty ? summary : "\(summary): \(choices.alternatives)"
        let notes = [isRepeatable ? "repeatable" : nil, standard.map { "default: \($0)" }].compactMap(\.self)
        return notes.isEmpty ? words : "\(words) (\(notes.joined(separator: "; ")))"
    }
}

extension Option {
    static let help = Option("help", short: "h", "Show help for a command")
    static let version = Option(
        "version", elsewhere: ["-V": "--version"],
        "Print the version (-o json: with commit, toolchain and libraries)")

    static let config = Option(
        "config", argument: "FILE", standard: "$KEYTURN_CONFIG, else ~/.config/keyturn/config.json",
        "Configuration file")
    static let profile = Option(
        "profile", argument: "NAME", standard: "$KEYTURN_PROFILE, else the default profile", "Profile to use")
    static let clientID = Option("client-id", argument: "ID", "Application (client) ID")
    static let clientSecretFile = Option(
        "client-secret-file", argument: "FILE", elsewhere: ["--client-secret": "--client-secret-file"],
        "File with the client secret, for a provider that requires one of desktop applications")
    static let authority = Option("authority", argument: "URL", "URL of the authority")
    static let redirectURI = Option("redirect-uri", argument: "URI", "Registered redirect URI")
    static let cache = Option("cache", argument: "FILE", "Token cache")
    static let certificates = Option(
        "ca-file", argument: "FILE", standard: "the system's",
        elsewhere: ["--cacert": "--ca-file", "--insecure": "--ca-file", "-k": "--ca-file"],
        "PEM file of trusted certificates")
    static let listen = Option(
        "listen", argument: "[ADDR:]PORT",
        "Address to listen on for the browser, for example 0.0.0.0:8400 in a container; PORT can be FIRST-LAST")
    static let timeout = Option(
        "timeout", argument: "SECONDS", elsewhere: ["--max-time": "--timeout", "-m": "--timeout"],
        "End the command with exit status 6 when it takes longer")
    static let quiet = Option(
        "quiet", short: "q", elsewhere: ["--silent": "--quiet"],
        "Print only results, errors and sign-in prompts")
    static let verbose = Option(
        "verbose", short: "v", elsewhere: ["--debug": "-vv"],
        "Log steps to standard error, without secrets; -vv logs more")
    static let plain = Option("plain", "Line mode for screen readers: one question at a time (also with $ACCESSIBLE)")
    static let ascii = Option("ascii", "Use ASCII characters only")
    static let noColor = Option("no-color", "Disable colours, like $NO_COLOR")
    static let theme = Option(
        "theme", argument: "NAME", choices: ScreenTheme.allCases.map(\.rawValue), "Colour theme")
    static let mouse = Option("mouse", "Enable mouse clicks and the scroll wheel")
    static let noMotion = Option("no-motion", "Disable animations")

    /// The options of every command, before or after its name.
    package static let everywhere: [Option] = [
        config, profile, clientID, clientSecretFile, authority, redirectURI, listen, cache, certificates, timeout,
        quiet, verbose,
        plain, ascii, noColor, theme, mouse, noMotion,
        help, version,
    ]
}
