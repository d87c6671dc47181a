import Foundation

/// Folders are layers: no file names a type of a folder above its own, and no screen a type of another screen.
enum FolderRule {
    /// Relative to the package root, the highest first. Folders of one row do not use each other.
    static let console = ["LineMode", "Program", "EffectRunner", "Screens", "Screen", "Rules"]

    /// The folder of a file of the terminal program; each screen has its own.
    private static func folder(of file: SourceFile) -> (rank: Int, name: String)? {
        let parts = file.path.split(separator: "/").map(String.init)
        guard file.target == "Console", parts.count > 3, let rank = console.firstIndex(of: parts[2]) else { return nil }
        return (rank, parts[2] == "Screens" ? parts[3] : parts[2])
    }

    /// The types that each folder declares at the top level of its files and other folders can name.
    static func owners(of files: [SourceFile]) throws -> [String: (rank: Int, name: String)] {
        let declaration = #"^(package\s+)?(final\s+|indirect\s+)*(struct|class|enum|actor|protocol|typealias)\s+\w+"#
        var owners: [String: (rank: Int, name: String)] = [:]
        for file in files {
            guard let folder = folder(of: file) else { continue }
            for match in try file.matches(of: declaration) {
                if let name = match.text.split(separator: " ").last { owners[String(name)] = folder }
            }
        }
        return owners
    }

    static func violations(in file: SourceFile, owners: [String: (rank: Int, name: String)]) throws -> [Violation] {
        guard file.target == "Console" else { return [] }
        guard let own = folder(of: file) else {
            return [Violation(path: file.path, line: 1, reason: "its folder is missing in FolderRule")]
        }
        return try file.namedTypes().compactMap { match in
            guard let owner = owners[match.text], owner.name != own.name, owner.rank <= own.rank else { return nil }
            return Violation(
                path: file.path, line: match.line,
                reason: "\(match.text) belongs to \(owner.name), which is not a lower folder")
        }
    }

    /// The files outside its folder that name each screen.
    static func mentions(in files: [SourceFile]) throws -> [String: [String]] {
        let files = files.filter { $0.target == "Console" }
        var screens: [String: String] = [:]
        for file in files {
            for match in try file.matches(of: #"^(package )?struct \w+: .*(Screen|Question)\b"#) {
                let name = match.text.prefix { $0 != ":" }.split(separator: " ").last ?? ""
                screens[String(name)] = folder(of: file)?.name
            }
        }
        return try screens.reduce(into: [:]) { mentions, screen in
            mentions[screen.key] = try files.filter { file in
                try folder(of: file)?.name != screen.value && !file.matches(of: "\\b\(screen.key)\\b").isEmpty
            }.map(\.path)
        }
    }
}
