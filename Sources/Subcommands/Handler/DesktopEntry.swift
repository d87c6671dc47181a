import Foundation

/// The desktop entry that has the addresses of a scheme opened with `keyturn open-url` (Desktop Entry Specification 1.5).
struct DesktopEntry: Equatable {
    /// In lower case, as in the names of MIME types.
    let scheme: String
    /// The path of the program.
    let program: String

    init(scheme: String, program: String) {
        self.scheme = scheme.lowercased()
        self.program = program
    }

    /// A scheme has no characters that a file name must not have (RFC 3986 §3.1).
    static func fileName(scheme: String) -> String { "keyturn-\(scheme.lowercased()).desktop" }

    static func mimeType(scheme: String) -> String { "x-scheme-handler/\(scheme.lowercased())" }

    var text: String {
        String(decoding: EmbeddedResource.urlHandler, as: UTF8.self)
            .replacingOccurrences(of: "@SCHEME@", with: scheme)
            .replacingOccurrences(of: "@PROGRAM@", with: Self.quoted(program))
    }

    /// An argument of the key `Exec`: in quotes, with what quotes do not protect escaped, once for the quotes and once for
    /// the value that they stand in. A percent sign would begin a field code. One that needs no quotes has none: xdg-open
    /// does not read them.
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

/// `mimeapps.list`: which program opens what (Association between MIME types and applications, 1.0).
enum MIMEAppsList {
    /// The same list without one entry for one type; lines of other types stay as they are.
    static func removing(_ entry: String, for mimeType: String, from text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.compactMap { line -> String? in
            guard line.hasPrefix("\(mimeType)=") else { return String(line) }
            let entries = line.dropFirst(mimeType.utf8.count + 1).split(separator: ";").filter { $0 != entry }
            return entries.isEmpty ? nil : "\(mimeType)=\(entries.joined(separator: ";"));"
        }.joined(separator: "\n")
    }
}
