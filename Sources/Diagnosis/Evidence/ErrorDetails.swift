import MSAL

/// What an error's text says besides its code: the redirect URI, the application, the IDs and the times.
///
/// An administrator finds the sign-in by them in the provider's logs.
enum ErrorDetails {
    private struct Detail {
        let label: String
        /// The parameter whose rule in ``Privacy`` decides about the value.
        let parameter: String
        /// The value is the last group.
        let pattern: Regex<(Substring, Substring)>
    }

    /// Entra's sentences, the lines of its error page, and the members of its JSON response.
    private static var details: [Detail] {
        [
            Detail(
                label: "Redirect URI", parameter: "redirect_uri",
                pattern:
                    #/(?i:redirect[ _]UR[IL]|reply (?:URL|address))(?:[^'"\n]{0,60}['"]|=)([A-Za-z][^'"\s&,]{0,254}:\/[^'"\s&,]*)/#
            ),
            Detail(
                label: "Application", parameter: "client_id",
                pattern: #/(?i:application|client)(?:(?!(?i:resource))[^\n]){0,120}?'([0-9A-Fa-f-]{36})'/#),
            Detail(
                label: "Resource", parameter: "resource",
                pattern: #/(?i:resource (?:principal|application)|API)[^\n]{0,60}?\s'?((?:https?|api):\/\/[^\s'"]+)/#),
            Detail(
                label: "Tenant", parameter: "client_id",
                pattern:
                    #/(?i:directory|tenant)[^'"\n]{0,40}?(?:'|named )([0-9A-Fa-f-]{36}|[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)/#
            ),
            Detail(label: "Issued", parameter: "timestamp", pattern: #/issued on '?([0-9T: -]{19})/#),
            Detail(label: "Revoked", parameter: "timestamp", pattern: #/TokensValidFrom[^'\n]{0,80}'([0-9T: -]{19})/#),
            Detail(
                label: "Request ID", parameter: "trace_id",
                pattern: #/(?i:(?:Request|Trace)[ _]ID)["':\s]{1,4}([0-9A-Fa-f-]{36})/#),
            Detail(
                label: "Correlation ID", parameter: "correlation_id",
                pattern: #/(?i:Correlation[ _]ID)["':\s]{1,4}([0-9A-Fa-f-]{36})/#),
            Detail(label: "Time", parameter: "timestamp", pattern: #/(?i:Timestamp)["':\s]{1,4}([0-9T: -]{19})/#),
        ]
    }

    /// How many lines below the code belong to it. Entra's page shows the IDs in a list.
    private static let linesBelow = 8
    /// The longest part of a text that is read, in bytes.
    private static let mostBytes = 16 * 1024

    /// The details of the error at a line, or `nil` if there are none.
    static func section(in bytes: [UInt8], at line: Int) -> Explanation.Section? {
        let newline = UInt8(ascii: "\n")
        let start = (1..<line).reduce(0) { start, _ in bytes[start...].firstIndex(of: newline).map { $0 + 1 } ?? start }
        let lines = bytes[start...].prefix(mostBytes).split(separator: newline, maxSplits: linesBelow)
        // JSON of .NET escapes the quotation mark.
        let text = String(decoding: Array(lines.prefix(linesBelow).joined(separator: [newline])), as: UTF8.self)
            .replacing("\\u0027", with: "'")
        let rows = details.compactMap { detail in
            text.firstMatch(of: detail.pattern).map { match in
                let value = Privacy.text(String(match.1), of: detail.parameter, for: .explanation)
                return Explanation.Row(
                    detail.label, detail.parameter == "timestamp" ? "\(value.replacing("T", with: " ")) UTC" : value)
            }
        }
        return rows.isEmpty ? nil : Explanation.Section(title: "Details of the error", rows: rows)
    }
}
