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

    package struct Exchange: Sendable, Equatable {
        package var direction: String
        package var method: String
        package var address: String
        package var status: Int?
        package var mediaType: String?
        /// The time since the start.
        package var milliseconds: Int
        package var duration: Int
        package var parameters: [Parameter]
        /// Whether no response arrived.
        package var hasFailed: Bool
    }

    package struct Parameter: Sendable, Equatable {
        package var name: String
        package var value: String
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
    package var exchanges: [Exchange]
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
        exchanges = record.exchanges.map { Exchange($0, milliseconds: offset($0.startDate)) }
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

extension AttemptReport.Exchange {
    fileprivate var isShareable: Bool {
        MSALFlowExchange.Direction(rawValue: direction) != nil && (method.isEmpty || Self.methods.contains(method))
            && Masking.isShareable(address: address)
            && mediaType.map { $0 == Masking.hidden || Self.mediaTypes.contains($0) } ?? true
            && status.map(\.isStatus) ?? true && milliseconds.isDuration && duration.isDuration
            && parameters.allSatisfy(\.isShareable)
    }

    private static let methods: Set<String> = ["GET", "POST"]

    fileprivate init(_ exchange: MSALFlowExchange, milliseconds: Int) {
        self.init(
            direction: exchange.direction.rawValue,
            method: Self.methods.contains(exchange.method) ? exchange.method : "",
            address: Masking().address(exchange.address), status: exchange.status.flatMap { $0.isStatus ? $0 : nil },
            mediaType: exchange.mediaType.map { Self.mediaTypes.contains($0) ? $0 : Masking.hidden },
            milliseconds: milliseconds, duration: Int(millisecondsOf: exchange.duration),
            parameters: exchange.parameters.compactMap(AttemptReport.Parameter.init), hasFailed: exchange.failure != nil
        )
    }

    private static let mediaTypes: Set<String> = [
        "application/json", "text/html", "text/plain", "application/jwk-set+json", "application/x-www-form-urlencoded",
    ]
}

extension AttemptReport.Parameter {
    /// `nil` for an unknown name, which may contain anything.
    fileprivate init?(_ parameter: MSALFlowParameter) {
        guard ParameterDictionary.bundled.isListed(parameter.name) else { return nil }
        self.init(name: parameter.name, value: Self.shown(parameter))
    }

    private static func shown(_ parameter: MSALFlowParameter) -> String {
        let value = parameter.shareableValue
        return parameter.kind == .plain && isAllowed(value, for: parameter.name) ? value : Masking.hidden
    }

    /// Whether a value of this parameter is harmless.
    static func isAllowed(_ value: String, for name: String) -> Bool {
        values[name.lowercased()].map { $0(value) } ?? false
    }

    fileprivate var isShareable: Bool {
        ParameterDictionary.bundled.isListed(name) && (value == Masking.hidden || Self.isAllowed(value, for: name))
    }

    /// The parameters with useful values, and the values that are shown.
    private static let values: [String: @Sendable (String) -> Bool] = [
        "response_type": { words($0, in: ["code", "token", "id_token", "none"]) },
        "response_mode": { words($0, in: ["query", "fragment", "form_post"]) },
        "grant_type": {
            [
                "authorization_code", "refresh_token", "device_code", "urn:ietf:params:oauth:grant-type:device_code",
                "client_credentials",
            ].contains($0)
        },
        "prompt": { words($0, in: Set(Prompt.allCases.map(\.rawValue))) },
        "code_challenge_method": { ["S256", "plain"].contains($0) },
        "scope": { words($0, in: ["openid", "profile", "email", "offline_access", "User.Read"]) },
        "token_type": { ["bearer", "pop"].contains($0.lowercased()) },
        "error": { ErrorDictionary.bundled.entry(.oauth, $0) != nil },
        "suberror": { ErrorDictionary.bundled.entry(.suberror, $0) != nil },
        "error_codes": areErrorCodes, "expires_in": isNumber, "ext_expires_in": isNumber, "refresh_in": isNumber,
        "interval": isNumber, "foci": isNumber, "retry-after": isNumber, "content-length": isNumber,
        "max_age": isNumber, "api-version": isVersion, "date": { HTTPDate.parse($0) != nil },
        "instance_aware": { ["true", "false"].contains($0) },
    ]

    /// A number of at most eight digits: longer ones could be telephone numbers.
    @Sendable private static func isNumber(_ text: String) -> Bool {
        (1...8).contains(text.utf8.count)
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// A list of AADSTS codes, as in `[50076,50079]`.
    @Sendable private static func areErrorCodes(_ text: String) -> Bool {
        let numbers = text.split { "[], ".contains($0) }.map { Int($0) }
        return text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || "[], ".utf8.contains($0) }
            && numbers.count <= AttemptReport.mostSTSCodes && numbers.allSatisfy { $0?.isSTSCode == true }
    }

    /// A version such as `1.1` or `2.0`.
    @Sendable private static func isVersion(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return parts.count <= 2 && parts.allSatisfy { $0.utf8.count <= 2 && isNumber($0) }
    }

    private static func words(_ text: String, in known: Set<String>) -> Bool {
        Set(text.split(separator: " ").map(String.init)).isSubset(of: known)
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
                (info[MSALSTSErrorCodesKey] as? [Int] ?? []).filter(\.isSTSCode).prefix(AttemptReport.mostSTSCodes)),
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
            && stsCodes.count <= AttemptReport.mostSTSCodes && stsCodes.allSatisfy(\.isSTSCode)
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

extension AttemptReport {
    fileprivate static let mostSTSCodes = 8
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

    fileprivate var isDuration: Bool { (0...Self.longest).contains(self) }
    fileprivate var isStatus: Bool { (100...599).contains(self) }
    fileprivate var isSTSCode: Bool { (1...9_999_999).contains(self) }
    fileprivate var isErrorCode: Bool { (-99_999...99_999).contains(self) }
}
