extension Explanation {
    /// The pages that define what it names: RFCs, OpenID Connect and Microsoft's error codes.
    package var links: [String] {
        let texts =
            findings.flatMap { [$0.subject, $0.fact, $0.fix ?? ""] }
            + sections.flatMap { section in
                [section.title] + section.rows.filter { $0.name == "Defined by" }.map(\.value)
            }
        var found: [String] = []
        for link in texts.lazy.flatMap(Self.links) where !found.contains(link) {
            found.append(link)
            if found.count == Self.mostLinks { break }
        }
        return found
    }

    private static let mostLinks = 6

    private static let pattern = Pattern(
        #/AADSTS(?<code>[0-9]{5,8})|RFC (?<number>[0-9]{4,5})(?: §(?<section>[0-9]+(?:\.[0-9]+)*))?|OpenID Connect Core/#
    )

    private static func links(in text: String) -> [String] {
        text.matches(of: pattern.regex).map { match in
            if let code = match.code { return "https://login.microsoftonline.com/error?code=\(code)" }
            guard let number = match.number else { return "https://openid.net/specs/openid-connect-core-1_0.html" }
            let section = match.section.map { "#section-\($0)" } ?? ""
            return "https://www.rfc-editor.org/rfc/rfc\(number)\(section)"
        }
    }
}
