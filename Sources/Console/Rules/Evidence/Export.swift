import Diagnosis

/// A file to export, with a proposed path. The user can change the path before it's written.
package struct Export: Sendable, Equatable {
    package enum Content: Sendable, Equatable {
        case text(String)
        /// The profile's support report, without secrets and names.
        case supportReport
        /// A copy of a text, or of the file with this name, without secrets, names and addresses.
        case redactedCopy(of: String, hiding: [String] = [])
        /// The copy with the answer, the handout and the versions: a folder, an archive, or the handout alone.
        case caseFiles(of: String, hiding: [String] = [])
    }

    package var name, path: String
    package var content: Content

    package init(_ name: String, path: String, _ content: Content) {
        (self.name, self.path, self.content) = (name, path, content)
    }

    var ending: String { Self.ending(of: path) }

    /// The ending of a path with its dot; empty without one.
    static func ending(of path: String) -> String {
        let file = path.split(separator: "/").last ?? ""
        return file.dropFirst().lastIndex(of: ".").map { String(file[$0...]) } ?? ""
    }

    package static var supportReport: Export {
        Export("the support report", path: "./keyturn-report.txt", .supportReport)
    }

    static func redactedCopy(of source: String, file: String?, hiding texts: [String] = []) -> Export {
        let isRecording = file == nil && HARFile.requestCount(in: Array(source.utf8)) != nil
        let name = file ?? (isRecording ? ".har" : ".txt")
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let stem = name[..<dot].isEmpty ? "redacted" : "\(name[..<dot])-redacted"
        return Export("the redacted copy", path: "./\(stem)\(name[dot...])", .redactedCopy(of: source, hiding: texts))
    }

    static func copies(of source: String, file: String?, hiding texts: [String] = [], hasRequests: Bool) -> [Export] {
        let copy = redactedCopy(of: source, file: file, hiding: texts)
        let stem = copy.path.dropLast(copy.ending.count)
        let name = stem.hasSuffix("-redacted") ? "\(stem.dropLast("-redacted".count))-case" : "./case"
        let handout = Export("the handout", path: "\(name).html", .caseFiles(of: source, hiding: texts))
        return [
            copy, Export("the case", path: "\(name).zip", .caseFiles(of: source, hiding: texts)),
            Export("the case", path: name, .caseFiles(of: source, hiding: texts)),
        ] + (hasRequests ? [handout] : [])
    }
}

package struct Exported: Sendable, Equatable {
    package var path: String
    /// What a redacted copy replaced; empty for another file.
    package var changes: String
    package var isPathCopied: Bool

    package init(path: String, changes: String = "", isPathCopied: Bool) {
        (self.path, self.changes, self.isPathCopied) = (path, changes, isPathCopied)
    }

    func notice(of name: String) -> Notice {
        let copied = isPathCopied ? " The path is in the clipboard." : ""
        return Notice(.success, "Wrote \(name) to \(path)\(changes.isEmpty ? "" : ": \(changes)").\(copied)")
    }
}
