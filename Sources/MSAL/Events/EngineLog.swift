import Foundation
import KeyturnCrypto
import OAuthCore

/// The engine's log. Messages are created only if a callback is set.
package struct EngineLog: Sendable {
    let configuration: MSALLoggerConfig
    let time: any TimeSource
    let system: SystemDescription
    let correlationID: UUID?

    package func error(_ message: @autoclosure () -> LogMessage) { write(.error, message) }
    package func warning(_ message: @autoclosure () -> LogMessage) { write(.warning, message) }
    package func info(_ message: @autoclosure () -> LogMessage) { write(.info, message) }
    package func verbose(_ message: @autoclosure () -> LogMessage) { write(.verbose, message) }

    func serverText(of failure: any Error) {
        guard configuration.snapshot.showsServerTexts,
            let text = (failure as? AuthenticationFailure)?.response?.wholeText
        else { return }
        verbose("The server's response: \(serverText: text)")
    }

    private func write(_ level: MSALLogLevel, _ message: () -> LogMessage) {
        let settings = configuration.snapshot
        guard let callback = settings.callback, level.rawValue <= settings.logLevel.rawValue else { return }
        let message = message()
        let masking = settings.logMaskingLevel
        callback(level, "\(head) \(message.text(masking))", message.showsPersonalData(masking))
    }

    /// The start of a line, as in MSAL for iOS and macOS but without the thread, because a task has none.
    private var head: String {
        let time = time.now().formatted(
            Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: .gmt)
        ).replacing("Z", with: "")
        let system = [system.name, system.version].compactMap(\.self).joined(separator: " ")
        let request = correlationID.map { " - \($0.uuidString)" } ?? ""
        return "MSAL \(MSAL__Framework_VersionString) \(system) [\(time) UTC\(request)]"
    }
}

/// A log message in which every part from outside is marked with its kind.
///
/// Plain strings can't be interpolated: `"Signed in \(username)"` doesn't compile, `"Signed in \(name: username)"`
/// does. Masking is therefore decided when the line is written (docs/upstream-behaviour.md §12). Only the digest of a
/// token can be interpolated.
package struct LogMessage: Sendable, Equatable, ExpressibleByStringInterpolation {
    enum Part: Sendable, Equatable {
        case text(String)
        /// A name, mail address or username.
        case name(String?)
        /// An identifier of the user or organisation, such as an object ID or a tenant.
        case identifier(String?)
        case list([String])
        /// The codes of an error, without its text, which may come from a server.
        case failure(domain: String, code: Int, details: String)
        /// A server's text, already without secrets.
        case serverText(String)
        /// A sentence of this library about a step, which can contain the path of a file.
        case detail(String)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        var parts: [Part] = []

        package init(literalCapacity: Int, interpolationCount: Int) {}

        package mutating func appendLiteral(_ literal: String) { parts.append(.text(literal)) }

        package mutating func appendInterpolation(_ count: Int) { parts.append(.text(String(count))) }

        package mutating func appendInterpolation(_ fact: Bool) { parts.append(.text(fact ? "yes" : "no")) }

        package mutating func appendInterpolation(_ step: MSALFlowEvent.Step) { parts.append(.text(step.rawValue)) }

        package mutating func appendInterpolation(name: String?) { parts.append(.name(name?.withoutControls)) }

        package mutating func appendInterpolation(id: String?) { parts.append(.identifier(id?.withoutControls)) }

        package mutating func appendInterpolation(list: [String]) {
            parts.append(.list(list.map(\.withoutControls)))
        }

        /// Appends a digest that tells tokens apart without disclosing them.
        package mutating func appendInterpolation(digest secret: Secret?) {
            parts.append(.text(secret.map { $0.reveal().shortDigest } ?? "none"))
        }

        package mutating func appendInterpolation(serverText: String) {
            parts.append(.serverText(serverText.withoutControls))
        }

        package mutating func appendInterpolation(detail: String, naming name: String?) {
            guard let name, let range = detail.range(of: name) else {
                parts.append(.detail(detail.withoutControls))
                return
            }
            parts.append(.detail(String(detail[..<range.lowerBound]).withoutControls))
            appendInterpolation(name: name)
            parts.append(.detail(String(detail[range.upperBound...]).withoutControls))
        }

        package mutating func appendInterpolation(error: any Error) {
            let error = error as NSError
            let numbers = [
                (error.userInfo[MSALInternalErrorCodeKey] as? Int).map { "internal \($0)" },
                (error.userInfo[MSALSTSErrorCodesKey] as? [Int]).map { "STS \($0)" },
            ].compactMap(\.self)
            parts.append(.failure(domain: error.domain, code: error.code, details: numbers.joined(separator: ", ")))
        }
    }

    let parts: [Part]

    package init(stringLiteral value: String) { parts = [.text(value)] }

    package init(stringInterpolation: StringInterpolation) { parts = stringInterpolation.parts }

    package func showsPersonalData(_ masking: MSALLogMaskingLevel) -> Bool {
        parts.contains { part in
            switch part {
            case .text, .failure: false
            case .detail(let text): masking == .settingsMaskSecretsOnly && text != text.withoutPersonalNames
            case .name: masking == .settingsMaskSecretsOnly
            case .identifier, .list: masking != .settingsMaskAllPII
            case .serverText: true
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
        case .serverText(let text): masking == .settingsMaskSecretsOnly ? text : text.withoutMailAddresses
        case .detail(let text): masking == .settingsMaskSecretsOnly ? text : text.withoutPersonalNames
        case .failure(let domain, let code, let details):
            masking == .settingsMaskAllPII || details.isEmpty
                ? "MaskedError(\(domain), \(code))" : "Error(\(domain), \(code), \(details))"
        }
    }

    /// Masks a name. Keeps the domain of a mail address, which identifies only the organisation.
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
    /// The text without mail addresses, and without the users' names in paths of home folders.
    fileprivate var withoutPersonalNames: String {
        var parts = withoutMailAddresses.components(separatedBy: "/home/")
        for index in parts.indices.dropFirst() {
            parts[index] = "\u{2026}\(parts[index].drop { $0 != "/" && !$0.isWhitespace })"
        }
        return parts.joined(separator: "/home/")
    }

    /// The first eight hexadecimal digits of the SHA-256, to follow a value through a log.
    fileprivate var shortDigest: String { SHA2.sha256(Array(utf8)).prefix(4).hexadecimal }
}
