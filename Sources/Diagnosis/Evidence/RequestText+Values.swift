import Foundation
import OAuthCore

/// Values in a line.
extension RequestText {
    /// The text of a literal of Python's `bytes`.
    static func unescaped(_ text: Substring) -> String {
        String(text).replacing("\\r", with: "\r").replacing("\\n", with: "\n").replacing("\\'", with: "'")
            .replacing("\\\\", with: "\\")
    }

    /// The first object with one of the members, as JSON or as Python prints a dictionary.
    static func members(in line: String, with names: [String]) -> [String: JSONValue]? {
        guard names.contains(where: line.contains) else { return nil }
        for start in line.indices.filter({ line[$0] == "{" }).prefix(8) {
            let text = String(BodyCompletion.object(line[start...]))
            let python = text.replacing("'", with: "\"").replacing("None", with: "null").replacing("True", with: "true")
            for candidate in [text, python] {
                let members = (try? JSONValue(parsing: candidate))?.object
                if let members, names.contains(where: { members[$0] != nil }) { return members }
            }
        }
        return nil
    }

    /// The time at the start of a line, without a zone as UTC.
    static func time(_ line: String) -> (time: Date, hasZone: Bool)? {
        guard let match = line.prefix(60).firstMatch(of: LinePattern.time.regex),
            let time = try? Date("\(match.day)T\(match.time)\(match.zone ?? "Z")", strategy: .iso8601)
        else { return nil }
        return (time, match.zone != nil)
    }
}
