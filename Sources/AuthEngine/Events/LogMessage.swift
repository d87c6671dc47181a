import Foundation
import KeyturnCrypto
import OAuthCore

/// One line for the log, in which every part that is not this library's own text is marked as what it is.
///
/// There is no way to put in a plain text: `"Signed in \(username)"` does not compile, `"Signed in \(name: username)"`
/// does. Masking is therefore decided when the line is written, not where the message is made
/// (docs/upstream-behaviour.md §12). A token cannot be put in at all; its digest can.
package struct LogMessage: Sendable, Equatable, ExpressibleByStringInterpolation {
    enum Part: Sendable, Equatable {
        case text(String)
        /// Names the person: a name, a mail address, a user name.
        case name(String?)
        /// Stands for the person or the organisation: an object ID, a tenant.
        case identifier(String?)
        /// What was asked for: scopes.
        case list([String])
        /// The facts of an error; its text, which may be a server's, stays out.
        case failure(domain: String, code: Int, details: String)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { parts.append(.text(literal)) }

        package mutating func appendInterpolation(_ count: Int) { parts.append(.text(String(count))) }

        package mutating func appendInterpolation(_ fact: Bool) { parts.append(.text(fact ? "yes" : "no")) }

        /// A step's name; the raw values are this library's own.
        package mutating func appendInterpolation(_ step: MSALFlowEvent.Step) { parts.append(.text(step.rawValue)) }

        /// The name or the address of an authority.
        package mutating func appendInterpolation(host: String) { parts.append(.text(host.withoutControls)) }

        package mutating func appendInterpolation(name: String?) { parts.append(.name(name?.withoutControls)) }

        package mutating func appendInterpolation(id: String?) { parts.append(.identifier(id?.withoutControls)) }

        package mutating func appendInterpolation(list: [String]) {
            parts.append(.list(list.map(\.withoutControls)))
        }

        /// Tells two tokens apart without showing either.
        package mutating func appendInterpolation(digest secret: Secret?) {
            parts.append(.text(secret.map { $0.reveal().shortDigest } ?? "none"))
        }

        package mutating func appendInterpolation(error: any Error) {
            let error = error as NSError
            let numbers = [
                (error.userInfo[MSALInternalErrorCodeKey] as? Int).map { "internal \($0)" },
                (error.userInfo[MSALSTSErrorCodesKey] as? [Int]).map { "STS \($0)" },
            ].compactMap(\.self)
            parts.append(
                .failure(domain: error.domain, code: error.code, details: numbers.joined(separator: ", ")))
        }
    }

    let parts: [Part]

    package init(stringLiteral value: String) { parts = [.text(value)] }

    package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    /// Whether it holds something personal that this level of masking lets through.
    package func showsPersonalData(_ masking: MSALLogMaskingLevel) -> Bool {
        parts.contains { part in
            switch part {
            case .text, .failure: false
            case .name: masking == .settingsMaskSecretsOnly
            case .identifier, .list: masking != .settingsMaskAllPII
            }
        }
    }

    package func text(_ masking: MSALLogMaskingLevel) -> String {
        parts.map { $0.text(masking) }.joined()
    }
}

extension LogMessage.Part {
    fileprivate func text(_ masking: MSALLogMaskingLevel) -> String {
        switch self {
        case .text(let text): text
        case .name(let name): masking == .settingsMaskSecretsOnly ? name ?? "none" : Self.masked(name)
        case .identifier(let identifier):
            masking == .settingsMaskAllPII ? identifier.map(\.shortDigest) ?? "Masked(null)" : identifier ?? "none"
        case .list(let list):
            masking == .settingsMaskAllPII ? "MaskedArray(count=\(list.count))" : list.joined(separator: " ")
        case .failure(let domain, let code, let details):
            masking == .settingsMaskAllPII || details.isEmpty
                ? "MaskedError(\(domain), \(code))" : "Error(\(domain), \(code), \(details))"
        }
    }

    /// Of a mail address the domain stays: it tells organisations apart, not people.
    private static func masked(_ name: String?) -> String {
        guard let name else { return "Masked(null)" }
        let halves = name.split(separator: "@", omittingEmptySubsequences: false)
        guard halves.count == 2, !halves[0].isEmpty, !halves[1].isEmpty, !name.contains(where: \.isWhitespace) else {
            return "Masked(not-null)"
        }
        return "auth.placeholder-\(name.shortDigest)__\(halves[1])"
    }
}

extension String {
    /// The first eight hexadecimal digits of the SHA-256: enough to follow one value through a log.
    fileprivate var shortDigest: String {
        SHA2.sha256(Array(utf8)).prefix(4).hexadecimal
    }
}
