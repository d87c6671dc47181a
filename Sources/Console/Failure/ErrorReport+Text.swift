import Foundation

extension ErrorReport {
    /// What to quote to somebody who can look further. Nothing in it is secret.
    func facts(in zone: TimeZone) -> [(name: String, value: String?)] {
        let sub = oauthSubError.map { " (\($0))" } ?? ""
        return [
            ("Code", ([domain, "\(code)"] + codeNames.prefix(1)).joined(separator: " ")),
            ("Internal code", internalCode.map { "\($0) \(codeNames.dropFirst().first ?? "")" }),
            ("OAuth error", oauthError.map { $0 + sub }),
            ("AADSTS", serviceCodes.map(String.init).joined(separator: ", ")),
            ("Correlation ID", correlationID),
            ("Time", Moment.utc(date)),
            ("Local time", Moment.local(date, in: zone)),
        ]
    }

    /// The whole report in lines of plain text, as it is copied.
    package func text(in zone: TimeZone) -> String {
        let told = [("Why", reason), ("Next", advice)] + facts(in: zone).map { ($0.name, $0.value ?? "") }
        return ([headline] + told.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }).joined(separator: "\n") + "\n"
    }
}
