import TerminalUI

/// One option: what the parser looks for and what the help says about it. Options are values of one table, so that
/// neither can know one that the other does not.
package struct Option: Sendable, Hashable {
    /// Without the dashes.
    package var long: String
    package var short: Character?
    /// What the help calls its argument; `nil` when it takes none.
    package var argument: String?
    /// The arguments it takes, when only some words are right.
    package var choices: [String]
    /// The name it had before: an error for that name suggests this one.
    package var formerName: String?
    /// One sentence without a full stop, for the help.
    package var sentence: String

    package init(
        _ long: String, formerly formerName: String? = nil, short: Character? = nil, argument: String? = nil,
        choices: [String] = [], _ sentence: String
    ) {
        self.long = long
        self.formerName = formerName
        self.short = short
        self.argument = argument
        self.choices = choices
        self.sentence = sentence
    }

    /// As a person types it: `-o token|json`, `--scope S`.
    var spelling: String {
        let names = [short.map { "-\($0)" }, "--\(long)"].compactMap(\.self).joined(separator: ", ")
        let word = choices.isEmpty ? argument : choices.joined(separator: "|")
        return word.map { "\(names) \($0)" } ?? names
    }
}

extension Option {
    static let help = Option("help", short: "h", "says what this command does, with an example")
    static let version = Option("version", "prints the version")

    static let config = Option("config", argument: "FILE", "reads this configuration (else $KEYTURN_CONFIG)")
    static let profile = Option("profile", argument: "NAME", "uses this profile of it (else $KEYTURN_PROFILE)")
    static let clientID = Option("client-id", argument: "ID", "the application's (client) ID")
    static let authority = Option("authority", argument: "URL", "where people sign in")
    static let redirectURI = Option("redirect-uri", argument: "URI", "the redirect URI registered for the application")
    static let cache = Option("cache", argument: "FILE", "keeps the tokens in this file")
    static let certificates = Option("ca-file", argument: "FILE", "trusts the certificate authorities of this PEM file")
    static let listen = Option(
        "listen", argument: "[ADDR:]PORT",
        "listens there for the browser, as 0.0.0.0:8400 in a container; PORT may be FIRST-LAST")
    static let quiet = Option(
        "quiet", short: "q", "writes only results, errors and what a waiting sign-in needs of the user")
    static let verbose = Option("verbose", short: "v", "logs what it does; twice logs more. No secret is logged")
    static let plain = Option("plain", "draws nothing: the program in lines, one question at a time")
    static let ascii = Option("ascii", "draws with ASCII only")
    static let noColor = Option("no-color", "uses no colour (so does $NO_COLOR)")
    static let theme = Option(
        "theme", argument: "NAME", choices: ScreenTheme.allCases.map(\.rawValue), "colours the screen so")
    static let mouse = Option("mouse", "lets clicks select and the wheel scroll")
    static let noMotion = Option("no-motion", "moves nothing on the screen by itself")

    /// What every command takes, before or after its name.
    package static let everywhere: [Option] = [
        config, profile, clientID, authority, redirectURI, listen, cache, certificates, quiet, verbose,
        plain, ascii, noColor, theme, mouse, noMotion,
        help, version,
    ]
}
