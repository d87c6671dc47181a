import Foundation

/// The folders of a target are layers: a file may use types of its own folder and of lower ones, and of no higher one.
enum LayerRule {
    /// The layers of each target from the top, as in a document's diagram: `MSAL: Application ► Flows ► Values`.
    static func drawnLayers(document: String) -> [String: [String]] {
        var drawn: [String: [String]] = [:]
        for match in document.matches(of: #/(?m)^(?<target>\w+): (?<list>\w+(?: ► \w+)+)$/#) {
            drawn[String(match.target)] = match.list.matches(of: #/\w+/#).map { String($0.output) }
        }
        return drawn
    }

    /// The folder below the target's; for a file in none, the target itself.
    static func folder(of file: SourceFile) -> String {
        let parts = file.path.split(separator: "/")
        return String(parts.count > 3 ? parts[2] : parts[1])
    }

    /// - Parameter files: All files of one target.
    static func violations(in files: [SourceFile], layers: [String]) throws -> [Violation] {
        let rank = Dictionary(uniqueKeysWithValues: zip(layers, 0...))
        let declaration = #"^(@\w+\s+)*(\w+\s+)*?(struct|class|enum|actor|protocol|typealias)\s+\w+"#
        var homes: [String: String] = [:]
        for file in files {
            for found in try file.matches(of: declaration) where !found.text.contains("private") {
                if let name = found.text.split(separator: " ").last { homes[String(name)] = folder(of: file) }
            }
        }
        return try files.flatMap { file in
            guard let own = rank[folder(of: file)] else {
                return [Violation(path: file.path, line: 1, reason: "\(folder(of: file)) is drawn as no layer")]
            }
            return try file.matches(of: #"(?<![.\w])[A-Z]\w*"#).compactMap { found in
                guard let home = homes[found.text], let its = rank[home], its < own else { return nil }
                return Violation(
                    path: file.path, line: found.line, reason: "\(found.text) is in \(home), which is above")
            }
        }
    }
}
