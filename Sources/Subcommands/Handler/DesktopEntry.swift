import Foundation

/// The desktop entry that opens a scheme's URLs with `keyturn open-url` (Desktop Entry Specification 1.5).
struct DesktopEntry: Equatable {
    /// The scheme in lower case, as in MIME types.
    let scheme: String
    /// The path of the program.
    let program: String

    init(scheme: String, program: String) {
        self.scheme = scheme.lowercased()
        self.program = program
    }

    /// A valid file name, as schemes have no special characters (RFC 3986 §3.1).
    static func fileName(scheme: String) -> String { "keyturn-\(scheme.lowercased()).desktop" }

    static func mimeType(scheme: String) -> String { "x-scheme-handler/\(scheme.lowercased())" }

    var text: String {
        String(decoding: EmbeddedResource.urlHandler, as: UTF8.self)
            .replacingOccurrences(of: "@SCHEME@", with: scheme)
            .replacingOccurrences(of: "@PROGRAM@", with: Self.quoted(program))
    }

    /// An argument of the `Exec` key. Escapes special characters for the quotes and again for the value, and doubles percent
    /// signs. Uses quotes only if needed, as xdg-open doesn't support them.
    static func quoted(_ argument: String) -> String {
        if argument.unicodeScalars.allSatisfy(isPlain) { return argument }
        let inQuotes = argument.reduce(into: "") { text, character in
            text += "\"`$\\".contains(character) ? "\\\(character)" : character == "%" ? "%%" : "\(character)"
        }
        return "\"\(inQuotes.replacingOccurrences(of: "\\", with: "\\\\"))\""
    }

    private static func isPlain(_ character: Unicode.Scalar) -> Bool {
        character.properties.isAlphabetic || "0123456789/._-+".unicodeScalars.contains(character)
    }
}

/// `mimeapps.list` (Association between MIME types and applications 1.0).
enum MIMEAppsList {
    /// The list without an entry for a type.
    static func removing(_ entry: String, for mimeType: String, from text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.compactMap { line -> String? in
            guard line.hasPrefix("\(mimeType)=") else { return String(line) }
            let entries = line.dropFirst(mimeType.utf8.count + 1).split(separator: ";").filter { $0 != entry }
            return entries.isEmpty ? nil : "\(mimeType)=\(entries.joined(separator: ";"));"
        }.joined(separator: "\n")
    }
}
