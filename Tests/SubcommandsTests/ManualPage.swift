import Foundation

@testable import Subcommands

/// The manual pages from the command table, in man(7) format: `keyturn.1`, and one for each command.
enum ManualPage {
    /// The pages by the name of their file.
    static func pages(version: String) -> [String: String] {
        let commands = CommandTable.all.map { $0.specification }
        return Dictionary(
            uniqueKeysWithValues: [("keyturn.1", text(version: version))]
                + commands.map { ("keyturn-\($0.name).1", text(of: $0, version: version)) })
    }

    private static func head(_ name: String, _ summary: String, _ synopsis: String, version: String) -> String {
        """
        .\\" The command table writes this page, and a test compares the two.
        .TH \(escaped(name.uppercased())) 1 \(date) "Keyturn \(version)"
        .SH NAME
        \(escaped(name)) \\- \(escaped(summary))
        .SH SYNOPSIS
        \(synopsis)
        .SH DESCRIPTION
        """
    }

    private static func text(of command: CommandSpecification, version: String) -> String {
        let summary = command.summary.prefix(1).lowercased() + command.summary.dropFirst()
        let sections = [
            head("keyturn-\(command.name)", summary, ".B \(escaped(command.invocation))", version: version),
            body(command),
            command.options.isEmpty ? "" : ".SH OPTIONS\n" + items(command.options),
            ".PP\nOther options, exit statuses, variables and files are in\n.BR keyturn (1).", ".SH EXAMPLES",
            examples(of: [command]), ".SH SEE ALSO\n.BR keyturn (1)",
        ]
        return sections.filter { !$0.isEmpty }.joined(separator: "\n") + "\n"
    }

    private static func text(version: String) -> String {
        let synopsis = ".B keyturn\n.RI [ options ]\n.RI [ COMMAND ]"
        let sections = [
            head("keyturn", "sign in users and get tokens from a terminal", synopsis, version: version),
            body(OpenCommand.specification), ".SH COMMANDS", "Each command has a manual page of its own.",
            commands, ".SH OPTIONS", "Every command accepts these options, before or after its name.",
            items(Option.everywhere), ".SH EXIT STATUS",
            items(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) }), signals, ".SH ENVIRONMENT",
            items(environment), ".SH FILES", items(files), ".SH EXAMPLES",
            examples(of: CommandTable.all.map { $0.specification }), seeAlso,
        ]
        return sections.joined(separator: "\n") + "\n"
    }

    /// The date of the release.
    private static let date = "2026-11-23"

    private static var commands: String {
        CommandTable.groups.map { title, commands in
            let rows = commands.map { $0.specification }.map { command in
                ".TP\n.BR \(escaped("keyturn-\(command.name)")) (1)\n\(escaped(command.summary))."
            }
            return ([".SS \(escaped(title))"] + rows).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// The summary, the discussion and its terms.
    private static func body(_ command: CommandSpecification) -> String {
        let paragraphs = ([command.summary + "."] + command.discussion).map(escaped).joined(separator: "\n.PP\n")
        return ([paragraphs] + (command.terms.map { [".PP\n\(escaped($0.title)):", items($0.rows)] } ?? [])).joined(
            separator: "\n")
    }

    private static func examples(of commands: [CommandSpecification]) -> String {
        let lines = commands.flatMap { $0.examples.map(escaped) }
        return ".nf\n" + lines.joined(separator: "\n") + "\n.fi"
    }

    private static let signals = """
        .PP
        SIGINT, SIGTERM and SIGHUP cancel the command, and its exit status is 128 plus the signal's number
        ('keyturn authority' and 'keyturn watch' exit with 0 after SIGTERM). A command that has sent a code or refresh token first waits for the
        response, for at most 10 seconds, and caches the tokens. A second signal at least 0.3 s later ends it at once. If the
        reader of standard output closes the pipe, the exit status is 1, without an error message.
        """

    private static let environment = [
        ("KEYTURN_CONFIG", "The configuration file if there is no --config"),
        ("KEYTURN_PROFILE", "The profile if there is no --profile"),
        ("BROWSER", "The browser's command, with %s for the URL"),
        ("VISUAL, EDITOR", "The text editor that opens an invalid configuration file"),
        ("ACCESSIBLE", "If not empty, line mode, like --plain"),
        ("COLUMNS", "The width of a terminal that doesn't tell its own"),
        ("NO_COLOR", "If not empty, disables colours"),
        (
            "HTTPS_PROXY, NO_PROXY",
            "The proxy, and the hosts to reach without it. Requests to this computer use no proxy"
        ),
        (
            "SSL_CERT_FILE",
            "A PEM file of certificates to trust instead of the system's. --ca-file and caFile override it"
        ),
        (
            "SSL_CERT_DIR",
            "Folders of such files, prepared by openssl rehash and separated by colons. The same options override it"
        ),
        (
            "KEYTURN_TRUSTED_OWNERS",
            "Users to trust as root if they own a folder on the path of a file: names or numbers, separated by commas"
        ),
        (
            "KUBERNETES_EXEC_INFO",
            "Set by Kubernetes clients: the ExecCredential version, and whether a user can sign in"
        ),
        ("XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_RUNTIME_DIR", "The folders of the files below"),
    ]

    private static let files = [
        ("~/.config/keyturn/config.json", "The configuration"),
        (
            "~/.local/state/keyturn/*.db",
            "The encrypted token caches, one for each keychainSharingGroup. Each needs its .anchor file and, if there is one, its .key file"
        ),
        (
            "~/.local/state/keyturn/screen.json",
            "The terminal program's settings and the default accounts, safe to delete"
        ),
        (
            "~/.local/state/keyturn/last-attempt.json",
            "The last token request, without secrets, for 'keyturn report'. Safe to delete"
        ),
        ("~/.cache/keyturn", "Authority metadata for unified caches, safe to delete"),
        ("$XDG_RUNTIME_DIR/keyturn", "Sockets and locks of pending sign-ins"),
    ]

    private static let seeAlso = """
        .SH SEE ALSO
        .BR curl (1),
        .BR xdg\\-open (1)
        """

    private static func items(_ options: [Option]) -> String { items(options.map { ($0.spelling, $0.description) }) }

    private static func items(_ rows: [(String, String)]) -> String {
        rows.map { ".TP\n.B \(escaped($0))\n\(escaped($1))." }.joined(separator: "\n")
    }

    /// Escapes requests and special characters. Dashes stay ASCII.
    private static func escaped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let line = line.reduce(into: "") { $0 += replacements[$1] ?? String($1) }
            return line.hasPrefix(".") || line.hasPrefix("'") ? "\\&\(line)" : line
        }.joined(separator: "\n")
    }

    private static let replacements: [Character: String] = [
        "\\": "\\e", "-": "\\-", "'": "\\(aq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti", "\"": "\\(dq", "…": "...",
    ]
}

extension ExitCode {
    /// A sentence for the manual, without a full stop.
    fileprivate var meaning: String {
        switch self {
        case .done: "Success"
        case .failed: "Any other failure"
        case .usage: "Invalid command line, or several accounts match"
        case .configuration: "Invalid configuration, or a check failed (claims --fail)"
        case .interactionRequired: "Sign-in required, but not allowed, or needed (status)"
        case .cancelled: "The user cancelled or denied consent"
        case .network: "The authority is unreachable or busy, or another process takes too long"
        case .store: "The token cache or the keyring failed"
        case .declinedScopes: "The authority granted only some of the scopes; the tokens are cached"
        case .notExecutable: "The program to run can't be executed"
        case .notFound: "The program to run doesn't exist"
        case .interrupted: "Interrupted (SIGINT)"
        case .hungUp: "The terminal closed (SIGHUP)"
        case .terminated: "Terminated (SIGTERM)"
        }
    }
}
