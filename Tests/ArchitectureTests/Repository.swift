import Foundation

/// The package's sources, read from disk.
enum Repository {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Every Swift file of `Sources/`, read once.
    static let sources = Result { try files(below: "Sources") }

    /// The files below `folder` whose names end in one of `suffixes`, in the order of their paths.
    static func files(below folder: String, endingIn suffixes: [String] = [".swift"]) throws -> [SourceFile] {
        let base = root.appending(path: folder).path(percentEncoded: false)
        return try FileManager.default.subpathsOfDirectory(atPath: base)
            .filter { name in suffixes.contains { name.hasSuffix($0) } }
            .sorted()
            .map { name in SourceFile(path: "\(folder)/\(name)", text: try text("\(folder)/\(name)")) }
    }
}
