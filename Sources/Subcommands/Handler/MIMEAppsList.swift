/// `mimeapps.list`: which program opens what (Association between MIME types and applications, 1.0).
enum MIMEAppsList {
    /// The same list without one entry for one type; lines of other types stay as they are.
    static func removing(_ entry: String, for mimeType: String, from text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.compactMap { line -> String? in
            guard line.hasPrefix("\(mimeType)=") else { return String(line) }
            let entries = line.dropFirst(mimeType.utf8.count + 1).split(separator: ";").filter { $0 != entry }
            return entries.isEmpty ? nil : "\(mimeType)=\(entries.joined(separator: ";"));"
        }.joined(separator: "\n")
    }
}
