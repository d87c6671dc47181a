import Foundation
import MSAL
import OAuthCore

/// The last token request, without secrets or personal data. It is safe to store and share.
///
/// External text appears only if a list here allows it. The rest is hidden without a search for secrets. This also applies
/// to a saved report, because another program may have changed the file.
package struct AttemptReport: Sendable, Equatable {
    package struct Step: Sendable, Equatable {
        package var name: String
        /// "started", "succeeded" or "failed".
        package var phase: String
        /// The time since the start.
        package var milliseconds: Int
    }

    package struct Failure: Sendable, Equatable {
        package var code: Int
        package var name: String?
        package var internalCode: Int?
        package var internalName: String?
        package var oauthError: String?
        package var subError: String?
        package var stsCodes: [Int]
        package var status: Int?
        /// The failed ID token checks. `nil` in reports of earlier versions.
        package var failedChecks: [String]?
        /// The domain and code of the underlying error.
        package var cause: String?
    }

    package var kind: String
    package var correlationID: UUID
    package var startDate: Date
    package var milliseconds: Int
    package var steps: [Step]
    /// Of the parameters only those whose names the protocols define, and of a failure only that there was one.
    package var exchanges: [MSALFlowExchange]
    package var failure: Failure?

    package init(_ record: MSALFlowRecord) {
        kind = record.kind.rawValue
        correlationID = record.correlationId
        startDate = record.startDate
        func offset(_ date: Date) -> Int { Int(millisecondsOf: date.timeIntervalSince(record.startDate)) }
        milliseconds = offset(record.endDate)
        // Omits the details of steps, which contain usernames, addresses and error messages.
        steps = record.events.map {
            Step(name: $0.step.rawValue, phase: "\($0.phase)", milliseconds: offset($0.date))
        }
        exchanges = record.exchanges.map { exchange in
            exchange.disclosed(from: record.startDate, after: offset(exchange.startDate))
        }
        failure = record.failure.map(Failure.init)
    }
}

extension AttemptReport {
    /// Reads a saved report. Returns `nil` for a damaged or changed one.
    package init?(saved bytes: [UInt8]) {
        guard let report = try? AttemptReport(JSONValue(parsing: bytes)), report.isShareable else { return nil }
        self = report
    }

    private var isShareable: Bool {
        MSALFlowRecord.Kind(rawValue: kind) != nil && Self.years.contains(startDate)
            && correlationID.isRandom && milliseconds.isDuration && steps.allSatisfy(\.isShareable)
            && exchanges.allSatisfy(\.isShareable)
            && failure.map(\.isShareable) ?? true
    }

    /// The accepted dates, from 1970 to 9999.
    private static let years = Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 253_402_300_799)
}

extension AttemptReport.Step {
    fileprivate var isShareable: Bool {
        let phases: [MSALFlowEvent.Phase] = [.started, .noted, .succeeded, .failed]
        return MSALFlowEvent.Step(rawValue: name) != nil && phases.contains { "\($0)" == phase }
            && milliseconds.isDuration
    }
}

extension MSALFlowExchange {
    fileprivate var isShareable: Bool {
        (method.isEmpty || Self.methods.contains(method)) && Masking.isShareable(address: address)
            && mediaType.map { $0 == Masking.hidden || Self.mediaTypes.contains($0) } ?? true
            && status.map(\.isStatus) ?? true && parameters.allSatisfy(\.isShareable)
    }

    private static let methods: Set<String> = ["GET", "POST"]

    /// What a report has of it.
    fileprivate func disclosed(from start: Date, after milliseconds: Int) -> MSALFlowExchange {
        MSALFlowExchange(
            number: 0, direction: direction, correlationId: correlationId,
            startDate: start.addingTimeInterval(Double(milliseconds) / 1000),
            duration: Double(Int(millisecondsOf: duration)) / 1000, method: Self.methods.contains(method) ? method : "",
            address: Masking().address(address), status: status.flatMap { $0.isStatus ? $0 : nil },
            mediaType: mediaType.map { Self.mediaTypes.contains($0) ? $0 : Masking.hidden },
            parameters: parameters.compactMap(\.disclosed), failure: failure.map { _ in "" })
    }

    private static let mediaTypes: Set<String> = [
        "application/json", "text/html", "text/plain", "application/jwk-set+json", "application/x-www-form-urlencoded",
    ]
}

extension MSALFlowParameter {
    /// `nil` for an unknown name, which may contain anything.
    fileprivate var disclosed: MSALFlowParameter? {
        guard WireParameter.isListed(name) else { return nil }
        let shown = kind == .plain ? Privacy.text(shareableValue, of: name, for: .support) : Masking.hidden
        return MSALFlowParameter(name: name, place: .query, value: shown)
    }

    /// Whether a report can contain it.
    fileprivate var isShareable: Bool {
        WireParameter.isListed(name) && Privacy.text(value, of: name, for: .support) == value
    }
}

extension AttemptReport.Failure {
    /// The numbers, and the codes in the dictionary. Omits descriptions.
    fileprivate init(_ error: MSALAuthenticationError) {
        let info = error.userInfo
        let dictionary = ErrorDictionary.bundled
        let inner = info[MSALInternalErrorCodeKey] as? Int
        let cause = info[NSUnderlyingErrorKey] as? NSError
        self.init(
            code: error.code, name: dictionary.entry(msal: error.code)?.name, internalCode: inner,
            internalName: inner.flatMap { dictionary.entry(msal: $0)?.name },
            oauthError: (info[MSALOAuthErrorKey] as? String).map { Self.known(.oauth, $0) },
            subError: (info[MSALOAuthSubErrorKey] as? String).map { Self.known(.suberror, $0) },
            stsCodes: Array(
                (info[MSALSTSErrorCodesKey] as? [Int] ?? []).filter(\.isSTSCode).prefix(WireParameter.Form.mostSTSCodes)
            ),
            status: (info[MSALHTTPResponseCodeKey] as? String).flatMap(Int.init).flatMap { $0.isStatus ? $0 : nil },
            failedChecks: (info[MSALFailedChecksKey] as? [String])?.filter { Verdict.Rule(rawValue: $0) != nil },
            cause: cause.map { "\(Self.domains.contains($0.domain) ? $0.domain : Masking.hidden) \($0.code)" })
    }

    private static func known(_ kind: ErrorDictionary.Kind, _ word: String) -> String {
        ErrorDictionary.bundled.entry(kind, word)?.code ?? Masking.hidden
    }

    fileprivate var isShareable: Bool {
        let dictionary = ErrorDictionary.bundled
        func isKnown(_ kind: ErrorDictionary.Kind, _ word: String?) -> Bool {
            word.map { $0 == Masking.hidden || dictionary.entry(kind, $0)?.code == $0 } ?? true
        }
        return code.isErrorCode && internalCode.map(\.isErrorCode) ?? true && status.map(\.isStatus) ?? true
            && stsCodes.count <= WireParameter.Form.mostSTSCodes && stsCodes.allSatisfy(\.isSTSCode)
            && name == dictionary.entry(msal: code)?.name
            && internalName == internalCode.flatMap { dictionary.entry(msal: $0)?.name }
            && isKnown(.oauth, oauthError) && isKnown(.suberror, subError)
            && (failedChecks ?? []).allSatisfy { Verdict.Rule(rawValue: $0) != nil }
            && cause.map(Self.isShareable(cause:)) ?? true
    }

    private static func isShareable(cause: String) -> Bool {
        let words = cause.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
        return words.count == 2 && (words[0] == Masking.hidden || domains.contains(words[0]))
            && Int(words[1]).map { $0.isErrorCode && "\($0)" == words[1] } ?? false
    }

    private static let domains: Set<String> = ["NSURLErrorDomain", "NSOSStatusErrorDomain", "MSALErrorDomain"]
}

extension UUID {
    /// Whether this is a random UUID (RFC 9562 §5.4), as sign-ins use.
    fileprivate var isRandom: Bool { uuid.6 & 0xF0 == 0x40 && uuid.8 & 0xC0 == 0x80 }
}

/// The ranges of the report's numbers, because a number outside them could encode anything.
extension Int {
    private static let longest = 86_400_000

    /// Creates a number of milliseconds, at most a day.
    fileprivate init(millisecondsOf seconds: Double) {
        self = Int(Swift.min(Swift.max(seconds * 1000, 0), Double(Self.longest)))
    }

    var isDuration: Bool { (0...Self.longest).contains(self) }
    fileprivate var isStatus: Bool { (100...599).contains(self) }
    fileprivate var isSTSCode: Bool { WireParameter.Form.stsCodes.contains(self) }
    fileprivate var isErrorCode: Bool { (-99_999...99_999).contains(self) }
}
