import Foundation

/// The commands that may open a page, in the order to try them, each as its arguments.
///
/// `$BROWSER` is a list of commands separated by colons; `%s` in one stands for the address, which is else appended. It
/// is taken as it stands: when it is set, nothing else is tried.
struct BrowserCommands: Equatable {
    let commands: [[String]]

    /// - Parameter isExecutable: whether a path names a program; one with blanks in it is not split.
    init(
        environment: [String: String], address: String,
        isExecutable: (String) -> Bool = FileManager.default.isExecutableFile(atPath:)
    ) {
        let entries = (environment["BROWSER"] ?? "").split(separator: ":").map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        let listed: [[String]] = entries.filter { !$0.isEmpty }.map { entry in
            let words =
                entry.hasPrefix("/") && isExecutable(entry)
                ? [entry] : entry.split(separator: " ").map(String.init)
            guard words.contains(where: { $0.contains("%s") }) else { return words + [address] }
            return words.map { $0.replacingOccurrences(of: "%s", with: address) }
        }
        commands = listed.isEmpty ? [["xdg-open", address]] : listed
    }
}
