import Foundation

/// `keyturn.1`, made from the tables: man(7).
package enum ManualPage {
    package static func text(version: String) -> String {
        let head = """
            .\\" The command table writes this page, and a test compares the two.
            .TH KEYTURN 1 \(date) "Keyturn \(version)"
            .SH NAME
            keyturn \\- sign people in from a terminal
            .SH SYNOPSIS
            .B keyturn
            .RI [ options ]
            .RI [ command ]
            .SH DESCRIPTION
            """
        let sections = [
            head, paragraphs(OpenCommand.specification.discussion), ".SH COMMANDS",
            commands, ".SH OPTIONS", "Every command takes these, before or after its name.",
            items(Option.everywhere.map { ($0.spelling, $0.sentence) }), ".SH EXIT STATUS",
            items(ExitCode.allCases.map { ("\($0.rawValue)", $0.meaning) }), signals, ".SH ENVIRONMENT",
            items(environment), ".SH FILES", items(files), ".SH EXAMPLES", examples, seeAlso,
        ]
        return sections.joined(separator: "\n") + "\n"
    }

    /// Of the last release.
    private static let date = "2026-11-20"

    private static var commands: String {
        CommandTable.all.map { command in
            let specification = command.specification
            let options = items(specification.options.map { ($0.spelling, $0.sentence) })
            let lines = [".SS " + escaped(specification.invocation), paragraphs(specification.discussion), options]
            return lines.filter { !$0.isEmpty }.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static var examples: String {
        let lines = CommandTable.all.map { escaped($0.specification.example) }
        return ".nf\n" + lines.joined(separator: "\n") + "\n.fi"
    }

    private static let signals = """
        .PP
        SIGINT, SIGTERM and SIGHUP cancel what is under way: listeners are closed and temporary files removed, and the exit
        status is 128 and the signal's number. The same again ends the program at once. A reader of standard output that is
        gone is no error to report: the exit status is 1, and nothing is said.
        """

    private static let environment = [
        ("KEYTURN_CONFIG", "the configuration file, where --config is not given"),
        ("KEYTURN_PROFILE", "the profile, where --profile is not given"),
        ("BROWSER", "the command of the browser; %s in it is the address"),
        ("NO_COLOR", "no colours, whatever its value, but an empty one"),
        ("HTTPS_PROXY, NO_PROXY", "the proxy of every request, and the hosts that are reached without it"),
        ("SSL_CERT_FILE", "PEM certificates to trust in place of the system's; --ca-file counts before it"),
        (
            "KUBERNETES_EXEC_INFO",
            "set by a Kubernetes client: the version of -o exec-credential, and whether a person can be asked"
        ),
        ("XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_RUNTIME_DIR", "where the files below are"),
    ]

    private static let files = [
        ("~/.config/keyturn/config.json", "the profiles"),
        ("~/.local/state/keyturn/*.db", "the tokens, sealed, for each group of applications that share them"),
        ("~/.local/state/keyturn/screen.json", "what was chosen on the screen in the last run; it can be deleted"),
        ("~/.cache/keyturn", "what the authorities publish of themselves, beside a unified cache; it can be deleted"),
        ("$XDG_RUNTIME_DIR/keyturn", "where sign-ins wait for the browser"),
    ]

    private static let seeAlso = """
        .SH SEE ALSO
        .BR curl (1),
        .BR xdg\\-open (1)
        """

    private static func items(_ rows: [(String, String)]) -> String {
        rows.map { ".TP\n.B \(escaped($0))\n\(escaped(capitalised($1)))." }.joined(separator: "\n")
    }

    private static func capitalised(_ sentence: String) -> String {
        // A variable's or a file's name stays as it is written.
        sentence.prefix(1).uppercased() + sentence.dropFirst()
    }

    /// Paragraphs of a discussion; one with columns stays as it is laid out.
    private static func paragraphs(_ text: String) -> String {
        text.components(separatedBy: "\n\n").map { paragraph in
            let lines = escaped(paragraph)
            return paragraph.contains("  ") ? ".nf\n\(lines)\n.fi" : lines
        }.joined(separator: "\n.PP\n")
    }

    /// Nothing in it is a request or an escape, and dashes are those that can be typed.
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
