import Foundation
import KeyturnSystem

/// The name of a file as a user types or drops it: as it is, in quotes or with backslashes as in a shell, or as a `file:` URL.
package struct TypedFileName: Sendable, Equatable {
    private enum Form: Sendable, Equatable {
        case plain, quoted(Character), escaped, url
    }

    private static let scheme = "file://"
    /// What a shell reads as something else than a part of a name.
    private static let special = Set(" '\"\\()&;<>|$`*?[]#!{}")

    /// The path, which can begin with `~/`.
    package let path: String
    private let form: Form

    package init(_ typed: String) {
        let text = typed.trimmingCharacters(in: .whitespaces)
        if text.lowercased().hasPrefix(Self.scheme) {
            let rest = text.dropFirst(Self.scheme.count)
            let path = String(rest.hasPrefix("/") ? rest : rest.drop { $0 != "/" })
            (self.path, form) = (path.removingPercentEncoding ?? path, .url)
        } else if let quote = text.first, "'\"".contains(quote) {
            // The last quote may not be typed yet.
            let closed = [text, text + String(quote)].map(ShellWords.split).first { $0.count == 1 && $0 != [text] }
            (path, form) = (closed?[0] ?? String(text.dropFirst()), .quoted(quote))
        } else if text.contains("\\"), case let words = ShellWords.split(text), words.count == 1 {
            (path, form) = (words[0], .escaped)
        } else {
            (path, form) = (typed.hasSuffix("/ ") ? text : typed, .plain)
        }
    }

    private init(_ path: String, _ form: Form) { (self.path, self.form) = (path, form) }

    /// Whether the text is more than the path itself, so that it names a file even if there is none.
    package var isMarked: Bool {
        switch form {
        case .plain: false
        case .url: true
        case .quoted, .escaped: path.contains("/") && !path.contains("://")
        }
    }

    /// The folder that contains the file, with its final slash; empty for the current one.
    package var folder: String { String(path[..<start]) }
    package var name: String { String(path[start...]) }

    private var start: String.Index { path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex }

    /// The same form of a longer path.
    fileprivate func typed(_ path: String, isWhole: Bool) -> String {
        switch form {
        case .plain: path
        case .url: Self.scheme + (path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path)
        case .escaped: path.map { Self.special.contains($0) ? "\\\($0)" : "\($0)" }.joined()
        case .quoted(let quote):
            String(quote) + path.map { Self.escaped($0, in: quote) }.joined() + (isWhole ? String(quote) : "")
        }
    }

    private static func escaped(_ character: Character, in quote: Character) -> String {
        guard character == quote || character == "\\" && quote == "\"" else { return String(character) }
        return quote == "'" ? "'\\''" : "\\\(character)"
    }
}

package struct FolderEntry: Sendable, Equatable {
    package var name: String
    package var isFolder: Bool

    package init(_ name: String, isFolder: Bool = false) { (self.name, self.isFolder) = (name, isFolder) }

    fileprivate var label: String { isFolder ? name + "/" : name }
}

package struct FileCompletion: Sendable, Equatable {
    /// The text, as far as all fitting names agree.
    package let text: String
    package let choices: [String]

    package init(of text: String, among entries: [FolderEntry]) {
        let typed = TypedFileName(text)
        let fitting = Self.fitting(typed.name, entries)
        guard let first = fitting.first else {
            (self.text, choices) = (text, [])
            return
        }
        let isOnly = fitting.count == 1
        let common = isOnly ? first.label : fitting.dropFirst().reduce(first.name) { $0.commonPrefix(with: $1.name) }
        // Names that differ only in case may agree on less than is typed.
        let name = common.count < typed.name.count ? typed.name : common
        self.text = typed.typed(typed.folder + name, isWhole: isOnly && !first.isFolder)
        choices = isOnly ? [] : fitting.map(\.label)
    }

    /// The entries that begin with the typed name, or else do so in another case. Hidden ones only after a dot.
    private static func fitting(_ name: String, _ entries: [FolderEntry]) -> [FolderEntry] {
        let visible = entries.filter { name.hasPrefix(".") || !$0.name.hasPrefix(".") }.sorted { $0.name < $1.name }
        let exact = visible.filter { $0.name.hasPrefix(name) }
        return exact.isEmpty ? visible.filter { $0.name.lowercased().hasPrefix(name.lowercased()) } : exact
    }
}
