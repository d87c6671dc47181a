import Diagnosis
import Foundation

extension ErrorReport {
    /// Codes and times to quote to support. Contains no secrets.
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

    /// The dictionary entries of the error's codes, the most specific first.
    var explanations: [ErrorDictionary.Entry] {
        let dictionary = ErrorDictionary.bundled
        let named =
            [oauthSubError.flatMap { dictionary.entry(.suberror, $0) }]
            + [oauthError.flatMap { dictionary.entry(.oauth, $0) }]
            + [internalCode.flatMap { dictionary.entry(msal: $0) }, dictionary.entry(msal: code)]
        // An authorization response has AADSTS codes in its text only.
        let told = ErrorDictionary.codes(in: reason).compactMap { dictionary.entry($0.kind, $0.number) }
        let listed = serviceCodes.compactMap { dictionary.entry(sts: $0) }
        return listed + told.filter { !listed.contains($0) } + named.compactMap { $0 }
    }

    /// The codes with their meanings.
    var meanings: [(name: String, value: String?)] { explanations.map { ($0.code, $0.meaning) } }

    /// The library's advice, or else the first dictionary entry's next step.
    var bestAdvice: String { advice.isEmpty ? explanations.first?.nextStep ?? "" : advice }

    /// The whole report as plain text, for copying.
    package func text(in zone: TimeZone) -> String {
        let told =
            [("Why", reason), ("Next", bestAdvice)] + (facts(in: zone) + meanings).map { ($0.name, $0.value ?? "") }
        return ([headline] + told.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }).joined(separator: "\n") + "\n"
    }

    /// The report's lines in line mode.
    var lines: [String] { ["Error: \(headline) \(reason) \(advice)"] }
}
