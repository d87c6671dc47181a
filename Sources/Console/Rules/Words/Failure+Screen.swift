import Diagnosis
import Foundation
import MSAL
import TerminalUI

package typealias Outcome<Value> = Result<Value, Failure>

extension Result {
    package var error: Failure? { if case .failure(let error) = self { error } else { nil } }

    func notice(of done: (Success) -> Notice) -> Notice where Failure == MSAL.Failure {
        switch self {
        case .success(let value): done(value)
        case .failure(let report): Notice(.warning, report.paragraph)
        }
    }
}

extension Failure {
    /// What an error says, at a time. The advice is in the library's words, because a screen names keys beside it.
    package init(_ error: any Error, at date: Date) {
        self = Failure(error).withDictionaryAdvice.told(\.sentence)
        if agreement != nil { advice = "If you trust the server, repeat the call and allow it." }
        self.date = date
    }

    /// Codes and times to quote to support. Contains no secrets.
    func facts(in zone: TimeZone) -> [(name: String, value: String?)] {
        let sub = oauthSubError.map { " (\($0))" } ?? ""
        return [
            ("Code", ([domain, "\(code)"] + codeNames.prefix(1)).joined(separator: " ")),
            ("Internal code", internalCode.map { "\($0) \(codeNames.dropFirst().first ?? "")" }),
            ("OAuth error", oauthError.map { $0 + sub }),
            ("AADSTS", serviceCodes.map(String.init).joined(separator: ", ")),
            ("Correlation ID", correlationID),
            ("Time", date.map { Moment.utc($0) }),
            ("Local time", date.map { Moment.local($0, in: zone) }),
        ]
    }

    var codes: [String] { serviceCodes.map { "AADSTS\($0)" } + [oauthError].compactMap(\.self) }

    /// What the error means in Keyturn's own words, from the dictionary; nil if it doesn't have it.
    var meaning: String? { explanations.first?.meaning }

    var meanings: [(name: String, value: String?)] { explanations.map { ($0.code, $0.meaning) } }

    /// The library's advice, or else the first dictionary entry's next step.
    var bestAdvice: String { advice.isEmpty ? explanations.first?.nextStep ?? "" : advice }

    /// The advice with a screen's keys. A copied error keeps the library's words.
    var screenAdvice: String { advice.onScreen }

    package func text(in zone: TimeZone) -> String {
        let told =
            [("Why", reason), ("Next", bestAdvice)] + (facts(in: zone) + meanings).map { ($0.name, $0.value ?? "") }
        return ([headline] + told.filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1)" }).joined(separator: "\n") + "\n"
    }

    var paragraph: String { [headline, cause, screenAdvice].filter { !$0.isEmpty }.joined(separator: " ") }

    var lines: [String] { ["Error: \(paragraph)"] }

    var retryDate: Date? { retryAfter.flatMap { date?.addingTimeInterval($0) } }

    /// The seconds until the server accepts requests again; nil if it does now.
    func wait(at now: Date?) -> Int? {
        guard let now, let left = retryDate?.timeIntervalSince(now), left > 0, left < 1e9 else { return nil }
        return Int(left.rounded(.up))
    }
}

extension Failure.NextStep {
    var phrase: String {
        switch self {
        case .tryAgain: "Try again"
        case .signIn, .signInAsAdvised: "Sign in"
        case .check: "Check the set-up"
        case .changeRequest: "Change the scopes, tenant or sign-in method"
        case .changeProfile: "Edit the profile"
        case .chooseProfile: "Choose another profile"
        }
    }
}

extension StyledLine {
    static func problem(_ report: Failure, width: Int, glyphs: Glyphs) -> [StyledLine] {
        wrap("\(glyphs.cross) \(report.headline)", to: width, style: .danger)
            + wrap("\(report.reason) \(report.screenAdvice)", to: width)
    }
}
