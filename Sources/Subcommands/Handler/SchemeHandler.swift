import Foundation
import KeyturnSystem
import MSAL

/// Registers this program as the desktop's handler of a scheme.
struct SchemeHandler {
    let scheme: String
    let environment: [String: String]

    private var fileName: String { DesktopEntry.fileName(scheme: scheme) }
    private var mimeType: String { DesktopEntry.mimeType(scheme: scheme) }
    private var folder: String { BaseDirectory.data(in: environment) + "/applications" }
    private var file: String { "\(folder)/\(fileName)" }

    /// Writes the entry, makes it the default and verifies that. Returns its path.
    func install(program: String) async throws(Failure) -> String {
        // Where xdg-mime is missing, no entry stays behind.
        _ = try await xdgMIME("--version")
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let entry = DesktopEntry(scheme: scheme, program: program)
            try DurableFile.write(Array(entry.text.utf8), to: file, replaces: true)
        } catch {
            throw Failure(
                .failed, name: "desktopEntry", "Can't write \(file): \(error.localizedDescription)",
                nextStep: "Check the permissions of the folder.")
        }
        await updateDatabase()
        _ = try await xdgMIME("default", fileName, mimeType)
        let found = try await xdgMIME("query", "default", mimeType)
        guard found == fileName else {
            throw Failure(
                .failed, name: "notDefault",
                "The desktop still opens \(scheme):// with \(found.isEmpty ? "nothing" : found).",
                nextStep: "Choose \(fileName) in the desktop's settings, or remove the other entry.")
        }
        return file
    }

    func remove() async throws(Failure) -> Bool {
        let wasThere = FileManager.default.fileExists(atPath: file)
        do {
            if wasThere { try FileManager.default.removeItem(atPath: file) }
            try forgetDefault()
        } catch {
            throw Failure(
                .failed, name: "desktopEntry", "Can't remove \(file): \(error.localizedDescription)",
                nextStep: "Check the permissions of the folder.")
        }
        if wasThere { await updateDatabase() }
        return wasThere
    }

    /// Removes the default, which xdg-mime can't.
    private func forgetDefault() throws {
        let list = BaseDirectory.configuration(in: environment) + "/mimeapps.list"
        guard FileManager.default.fileExists(atPath: list) else { return }
        // Keeps a symbolic link.
        let file = URL(fileURLWithPath: list).resolvingSymlinksInPath().path
        let most = 1 << 20
        let bytes = try PlainFile.read(file, atMost: most)
        // Doesn't change an invalid file.
        guard bytes.count <= most, let text = String(validating: bytes, as: UTF8.self) else { return }
        let rest = MIMEAppsList.removing(fileName, for: mimeType, from: text)
        if rest != text { try DurableFile.write(Array(rest.utf8), to: file, replaces: true) }
    }

    /// The desktop entry that opens the scheme; empty if none, `nil` if unknown.
    func current() async -> String? { try? await xdgMIME("query", "default", mimeType) }

    func isOurs(_ entry: String) -> Bool { entry == fileName }

    /// Updates the cache of some desktops. Ignores a missing program.
    private func updateDatabase() async {
        _ = await ExternalProgram.run(["update-desktop-database", "-q", folder], environment: environment)
    }

    private func xdgMIME(_ arguments: String...) async throws(Failure) -> String {
        guard let result = await ExternalProgram.run(["xdg-mime"] + arguments, environment: environment) else {
            throw Failure(
                .failed, name: "xdgMissing", "xdg-mime is missing.", nextStep: "Install xdg-utils, then try again.")
        }
        guard result.status == 0 else {
            throw Failure(
                .failed, name: "xdgMime",
                "'xdg-mime \(arguments.joined(separator: " "))' failed with status \(result.status).",
                nextStep: "Run it in a terminal to see why.")
        }
        return result.output
    }
}

/// The desktop entry that opens a scheme's URLs with `keyturn open-url` (Desktop Entry Specification 1.5).
struct DesktopEntry: Equatable {
    /// In lower case, as in MIME types.
    let scheme: String
    let program: String

    init(scheme: String, program: String) { (self.scheme, self.program) = (scheme.lowercased(), program) }

    /// A valid file name, as schemes have no special characters (RFC 3986 §3.1).
    static func fileName(scheme: String) -> String { "keyturn-\(scheme.lowercased()).desktop" }

    static func mimeType(scheme: String) -> String { "x-scheme-handler/\(scheme.lowercased())" }

    var text: String {
        String(decoding: EmbeddedResource.urlHandler, as: UTF8.self)
            .replacingOccurrences(of: "@SCHEME@", with: scheme)
            .replacingOccurrences(of: "@PROGRAM@", with: Self.quoted(program))
    }

    /// For the `Exec` key. Escapes special characters for the quotes and again for the value, and doubles percent signs. Uses
    /// quotes only if needed, as xdg-open doesn't support them.
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
    static func removing(_ entry: String, for mimeType: String, from text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.compactMap { line -> String? in
            guard line.hasPrefix("\(mimeType)=") else { return String(line) }
            let entries = line.dropFirst(mimeType.utf8.count + 1).split(separator: ";").filter { $0 != entry }
            return entries.isEmpty ? nil : "\(mimeType)=\(entries.joined(separator: ";"));"
        }.joined(separator: "\n")
    }
}
