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
            let other = found.isEmpty ? "nothing" : found
            throw Failure(
                .failed, name: "notDefault", "The desktop still opens \(scheme):// with \(other).",
                nextStep: "Choose \(fileName) in the desktop's settings, or remove the other entry.")
        }
        return file
    }

    /// Returns whether there was an entry.
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

    /// Larger files aren't such a list.
    private static let mostBytesOfList = 1 << 20

    /// Removes the default, which xdg-mime can't.
    private func forgetDefault() throws {
        let list = BaseDirectory.configuration(in: environment) + "/mimeapps.list"
        guard FileManager.default.fileExists(atPath: list) else { return }
        // Keeps a symbolic link.
        let file = URL(fileURLWithPath: list).resolvingSymlinksInPath().path
        let bytes = try PlainFile.read(file, atMost: Self.mostBytesOfList)
        // Doesn't change an invalid file.
        guard bytes.count <= Self.mostBytesOfList, let text = String(validating: bytes, as: UTF8.self) else { return }
        let rest = MIMEAppsList.removing(fileName, for: mimeType, from: text)
        if rest != text { try DurableFile.write(Array(rest.utf8), to: file, replaces: true) }
    }

    /// The desktop entry that opens the scheme; empty if none, `nil` if unknown.
    func current() async -> String? { try? await xdgMIME("query", "default", mimeType) }

    /// Whether an entry is this program's.
    func isOurs(_ entry: String) -> Bool { entry == fileName }

    /// Updates the cache of some desktops. Ignores a missing program.
    private func updateDatabase() async {
        _ = await ExternalProgram.run(["update-desktop-database", "-q", folder], environment: environment)
    }

    private func xdgMIME(_ arguments: String...) async throws(Failure) -> String {
        guard let result = await ExternalProgram.run(["xdg-mime"] + arguments, environment: environment) else {
            throw Failure(
                .failed, name: "xdgMissing", "xdg-mime is missing.",
                nextStep: "Install xdg-utils, then try again.")
        }
        guard result.status == 0 else {
            let line = "xdg-mime " + arguments.joined(separator: " ")
            throw Failure(
                .failed, name: "xdgMime", "'\(line)' failed with status \(result.status).",
                nextStep: "Run it in a terminal to see why.")
        }
        return result.output
    }
}
