/// A link in terminal output (OSC 8). Most terminals without it show the text alone.
package enum Hyperlink {
    /// - Parameter url: a URL of this program, without control characters.
    package static func text(_ url: String) -> String { "\(start(of: url))\(url)\(end)" }

    /// Begins a link, of which all text belongs to the URL until its ``end``.
    package static func start(of url: String) -> String { "\u{1B}]8;;\(url)\u{1B}\\" }

    package static let end = "\u{1B}]8;;\u{1B}\\"

    /// Whether a terminal of this name (`TERM`) has links, or ignores them. The Linux console can print them.
    package static func isPossible(on terminal: String?) -> Bool {
        !["", "dumb", "linux", "vt100", "vt220"].contains(terminal ?? "")
    }

    /// The text, with each line that is a URL alone as a link.
    package static func linked(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { isURL($0) ? self.text(String($0)) : String($0) }.joined(separator: "\n")
    }

    private static func isURL(_ line: Substring) -> Bool {
        (line.hasPrefix("https://") || line.hasPrefix("http://")) && line.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
