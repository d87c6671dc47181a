import Foundation
import POSIX

/// Has the desktop open the addresses of a scheme with this program, or no longer.
struct SchemeHandler {
    let scheme: String
    let environment: [String: String]

    private var fileName: String { DesktopEntry.fileName(scheme: scheme) }
    private var mimeType: String { DesktopEntry.mimeType(scheme: scheme) }
    private var folder: String { BaseDirectory.data(in: environment) + "/applications" }
    private var file: String { "\(folder)/\(fileName)" }

    /// Writes the entry, makes it the default, and asks the desktop whether it is. Returns its path.
    func install(program: String) async throws(CommandFailure) -> String {
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let entry = DesktopEntry(scheme: scheme, program: program)
            try DurableFile.write(Array(entry.text.utf8), to: file, replaces: true)
        } catch {
            throw CommandFailure(
                .failed, name: "desktopEntry", "\(file) cannot be written: \(error.localizedDescription)",
                nextStep: "See who may write there.")
        }
        await updateDatabase()
        _ = try await xdgMIME("default", fileName, mimeType)
        let found = try await xdgMIME("query", "default", mimeType)
        guard found == fileName else {
            let other = found.isEmpty ? "nothing" : found
            throw CommandFailure(
                .failed, name: "notDefault", "The entry was written, but the desktop opens \(scheme):// with \(other).",
                nextStep: "Choose \(fileName) in the desktop's settings, or remove the other entry.")
        }
        return file
    }

    /// `false`: there was no entry.
    func remove() async throws(CommandFailure) -> Bool {
        let wasThere = FileManager.default.fileExists(atPath: file)
        do {
            if wasThere { try FileManager.default.removeItem(atPath: file) }
            try forgetDefault()
        } catch {
            throw CommandFailure(
                .failed, name: "desktopEntry", "\(file) cannot be removed: \(error.localizedDescription)",
                nextStep: "See who may write there.")
        }
        if wasThere { await updateDatabase() }
        return wasThere
    }

    /// No list of a desktop is larger.
    private static let mostBytesOfList = 1 << 20

    /// xdg-mime can make a default and cannot take it back.
    private func forgetDefault() throws {
        let list = BaseDirectory.configuration(in: environment) + "/mimeapps.list"
        guard FileManager.default.fileExists(atPath: list) else { return }
        // A link to a file kept elsewhere goes on leading there.
        let file = URL(fileURLWithPath: list).resolvingSymlinksInPath().path
        let bytes = try PlainFile.read(file, atMost: Self.mostBytesOfList)
        // One that is no list of texts is left alone.
        guard bytes.count <= Self.mostBytesOfList, let text = String(validating: bytes, as: UTF8.self) else { return }
        let rest = MIMEAppsList.removing(fileName, for: mimeType, from: text)
        if rest != text { try DurableFile.write(Array(rest.utf8), to: file, replaces: true) }
    }

    /// The desktop entry that opens the scheme's addresses now; empty when none does. `nil`: the desktop cannot be asked.
    func current() async -> String? {
        try? await xdgMIME("query", "default", mimeType)
    }

    /// Whether that is this program's.
    func isOurs(_ entry: String) -> Bool { entry == fileName }

    /// The database is a cache that some desktops read; those without the program need none.
    private func updateDatabase() async {
        _ = await ExternalProgram.run(["update-desktop-database", "-q", folder], environment: environment)
    }

    private func xdgMIME(_ arguments: String...) async throws(CommandFailure) -> String {
        guard let result = await ExternalProgram.run(["xdg-mime"] + arguments, environment: environment) else {
            throw CommandFailure(
                .failed, name: "xdgMissing", "There is no xdg-mime here, so the desktop cannot be told.",
                nextStep: "Install xdg-utils, then run this again.")
        }
        guard result.status == 0 else {
            let line = "xdg-mime " + arguments.joined(separator: " ")
            throw CommandFailure(
                .failed, name: "xdgMime", "'\(line)' failed with status \(result.status).",
                nextStep: "Run it by hand to see why.")
        }
        return result.output
    }
}
