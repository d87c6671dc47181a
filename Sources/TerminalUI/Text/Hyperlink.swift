/// A link in terminal output (OSC 8). Terminals without it show the text alone.
package enum Hyperlink {
    /// - Parameter url: a URL of this program, without control characters.
    package static func text(_ url: String) -> String { "\u{1B}]8;;\(url)\u{1B}\\\(url)\u{1B}]8;;\u{1B}\\" }
}
