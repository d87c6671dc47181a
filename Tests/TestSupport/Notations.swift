import TerminalUI

// The notation of golden screens.

extension Surface.Cursor {
    /// `3,12`, `0,4 hidden`.
    package var notation: String { "\(position.x),\(position.y)\(isVisible ? "" : " hidden")" }
}

extension Style {
    /// `danger`, `text+bold+underline`.
    package var notation: String { ([role.rawValue] + attributes.names).joined(separator: "+") }
}

extension ColorTheme.Look {
    private static let colors = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]

    /// `plain`, `bold red`, `white on black`.
    package var notation: String {
        let words =
            attributes.names
            + [color.map { Self.colors[$0] }, background.map { "on " + Self.colors[$0] }].compactMap { $0 }
        return words.isEmpty ? "plain" : words.joined(separator: " ")
    }
}

extension Style.Attributes {
    fileprivate var names: [String] {
        let all: [(Style.Attributes, String)] = [
            (.bold, "bold"), (.dim, "dim"), (.reverse, "reverse"), (.underline, "underline"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}
