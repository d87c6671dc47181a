import Foundation

/// Files saved from the screen, in the program's data folder. Never overwrites a file.
struct SavedFiles: Sendable {
    private let folder: String

    init(in environment: [String: String]) {
        folder = BaseDirectory.data(in: environment) + "/keyturn"
    }

    /// Writes a file that only its owner can read, and returns its path.
    func write(_ text: String, named name: String) throws -> String {
        let file = ExportedFile(path: freePath(name), replaces: false)
        try file.writeMakingFolder(Data(text.utf8))
        return file.path
    }

    /// A free path: `name.txt`, `name-2.txt` and so on.
    private func freePath(_ name: String) -> String {
        let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
        let ending = parts.count > 1 ? ".\(parts[1])" : ""
        let names = [name] + (2...999).map { "\(parts.first ?? name)-\($0)\(ending)" }
        let free = names.first { !FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
        return "\(folder)/\(free ?? name)"
    }
}
