import Foundation
import JSON
import MSAL
import OAuthCore

/// The last token request, without secrets or personal data. It is safe to store and share.
///
/// External text appears only if a list here allows it. The rest is hidden without a search for secrets. A saved report goes
/// through the same rule, because another program may have changed the file.
package struct AttemptReport: Sendable, Equatable {
    /// Its steps have no details, which contain usernames and addresses. Its exchanges have only parameters that the protocols
    /// define, and its failure only codes.
    package let record: MSALFlowRecord

    package init(_ record: MSALFlowRecord) {
        let start = record.startDate
        func rounded(_ date: Date) -> Date { start.adding(milliseconds: date.milliseconds(since: start)) }
        self.record = MSALFlowRecord(
            kind: record.kind, correlationId: record.correlationId, startDate: start, endDate: rounded(record.endDate),
            events: record.events.map {
                MSALFlowEvent(step: $0.step, phase: $0.phase, detail: "", date: rounded($0.date))
            },
            exchanges: record.exchanges.map { $0.disclosed(at: rounded($0.startDate)) },
            failure: record.failure?.disclosed)
    }

    /// Reads a saved report. Returns `nil` for a damaged one, and for one that has anything to hide.
    package init?(saved bytes: [UInt8]) {
        guard let json = try? JSONValue(parsing: bytes), let record = try? MSALFlowRecord(json),
            Self.years.contains(record.startDate), record.correlationId.isRandom
        else { return nil }
        self.init(record)
        guard self.json.serialized == json.serialized else { return nil }
    }

    /// The accepted dates, from 1970 to 9999.
    private static let years = Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 253_402_300_799)

    package static func == (left: AttemptReport, right: AttemptReport) -> Bool { left.json == right.json }

    package var json: JSONValue {
        let start = record.startDate
        return JSONValue(members: [
            "kind": .string(record.kind.rawValue), "correlationID": .string(record.correlationId.uuidString),
            "startDate": .number(start.timeIntervalSinceReferenceDate),
            "milliseconds": JSONValue(record.endDate.milliseconds(since: start)),
            "steps": .array(
                record.events.map {
                    [
                        "name": .string($0.step.rawValue), "phase": .string("\($0.phase)"),
                        "milliseconds": JSONValue($0.date.milliseconds(since: start)),
                    ]
                }), "exchanges": .array(record.exchanges.map { $0.json(since: start) }),
            "failure": record.failure?.json,
        ])
    }
}

extension MSALFlowRecord {
    fileprivate init(_ json: JSONValue) throws(JSONValue.UnexpectedMember) {
        let start = Date(timeIntervalSinceReferenceDate: try json.required("startDate", \.number))
        let flow = try json.required("correlationID") { $0.string.flatMap(UUID.init) }
        self.init(
            kind: try json.required("kind") { $0.string.flatMap(Kind.init) }, correlationId: flow, startDate: start,
            endDate: try json.date(since: start),
            events: try json.required("steps", \.array).map { step throws(JSONValue.UnexpectedMember) in
                let phases: [MSALFlowEvent.Phase] = [.started, .noted, .succeeded, .failed]
                return MSALFlowEvent(
                    step: try step.required("name") { $0.string.flatMap(MSALFlowEvent.Step.init) },
                    phase: try step.required("phase") { text in phases.first { "\($0)" == text.string } }, detail: "",
                    date: try step.date(since: start))
            },
            exchanges: try json.required("exchanges", \.array).map { exchange throws(JSONValue.UnexpectedMember) in
                try MSALFlowExchange(exchange, of: flow, since: start)
            },
            failure: try json.optional("failure") { $0 }.map(MSALAuthenticationError.init(json:)))
    }
}

extension JSONValue {
    fileprivate func date(since start: Date) throws(UnexpectedMember) -> Date {
        start.adding(milliseconds: try required("milliseconds", \.integer))
    }
}

extension MSALFlowExchange {
    fileprivate func disclosed(at date: Date) -> MSALFlowExchange {
        MSALFlowExchange(
            number: 0, direction: direction, correlationId: correlationId, startDate: date,
            duration: Double(Int(millisecondsOf: duration)) / 1000, method: Self.methods.contains(method) ? method : "",
            address: Masking().address(address), status: status.flatMap { (100...599).contains($0) ? $0 : nil },
            mediaType: mediaType.map { Self.mediaTypes.contains($0) ? $0 : Masking.hidden },
            parameters: parameters.compactMap(\.disclosed), failure: failure.map { _ in "" })
    }

    private static let methods: Set<String> = ["GET", "POST"]
    private static let mediaTypes: Set<String> = [
        "application/json", "text/html", "text/plain", "application/jwk-set+json", "application/x-www-form-urlencoded",
    ]

    fileprivate func json(since start: Date) -> JSONValue {
        JSONValue(members: [
            "direction": .string(direction.rawValue), "method": .string(method), "address": .string(address),
            "status": status.map { JSONValue($0) }, "mediaType": mediaType.map(JSONValue.string),
            "milliseconds": JSONValue(startDate.milliseconds(since: start)),
            "duration": JSONValue(Int(millisecondsOf: duration)),
            "parameters": .array(parameters.map { ["name": .string($0.name), "value": .string($0.value)] }),
            "hasFailed": .bool(failure != nil),
        ])
    }

    fileprivate init(
        _ json: JSONValue, of correlationID: UUID, since start: Date
    ) throws(JSONValue.UnexpectedMember) {
        self.init(
            number: 0, direction: try json.required("direction") { $0.string.flatMap(Direction.init) },
            correlationId: correlationID, startDate: try json.date(since: start),
            duration: Double(try json.required("duration", \.integer)) / 1000,
            method: try json.required("method", \.string), address: try json.required("address", \.string),
            status: try json.optional("status", \.integer), mediaType: try json.optional("mediaType", \.string),
            parameters: try json.required("parameters", \.array).map { parameter throws(JSONValue.UnexpectedMember) in
                MSALFlowParameter(
                    name: try parameter.required("name", \.string), place: .query,
                    value: try parameter.required("value", \.string))
            },
            failure: try json.required("hasFailed", \.bool) ? "" : nil)
    }
}

extension MSALFlowParameter {
    /// `nil` for an unknown name, which may contain anything.
    fileprivate var disclosed: MSALFlowParameter? {
        guard WireParameter.isListed(name) else { return nil }
        let shown = kind == .plain ? Privacy.text(shareableValue, of: name, for: .support) : Masking.hidden
        return MSALFlowParameter(name: name, place: .query, value: shown)
    }
}

extension MSALAuthenticationError {
    /// The numbers, and the codes in the dictionary. Omits descriptions.
    fileprivate var disclosed: MSALAuthenticationError {
        func text(_ key: String) -> String? { userInfo[key] as? String }
        func known(_ kind: ErrorDictionary.Kind, _ key: String) -> String? {
            text(key).map { ErrorDictionary.bundled.entry(kind, $0)?.code ?? Masking.hidden }
        }
        let codes = (userInfo[MSALSTSErrorCodesKey] as? [Int] ?? []).filter(WireParameter.Form.stsCodes.contains)
        let members: [String: Any?] = [
            MSALInternalErrorCodeKey: (userInfo[MSALInternalErrorCodeKey] as? Int)?.errorCode,
            MSALOAuthErrorKey: known(.oauth, MSALOAuthErrorKey),
            MSALOAuthSubErrorKey: known(.suberror, MSALOAuthSubErrorKey),
            MSALSTSErrorCodesKey: Array(codes.prefix(WireParameter.Form.mostSTSCodes)),
            MSALHTTPResponseCodeKey: text(MSALHTTPResponseCodeKey).flatMap { Int($0) }.flatMap {
                (100...599).contains($0) ? "\($0)" : nil
            },
            MSALFailedChecksKey: (userInfo[MSALFailedChecksKey] as? [String])?.filter {
                Verdict.Rule(rawValue: $0) != nil
            },
            NSUnderlyingErrorKey: (userInfo[NSUnderlyingErrorKey] as? NSError).map {
                NSError(
                    domain: Self.domains.contains($0.domain) ? $0.domain : Masking.hidden, code: $0.code.errorCode ?? 0)
            },
        ]
        return MSALAuthenticationError(
            domain: MSALErrorDomain, code: code.errorCode ?? 0, userInfo: members.compactMapValues(\.self))
    }

    private static let domains: Set<String> = ["NSURLErrorDomain", "NSOSStatusErrorDomain", "MSALErrorDomain"]

    /// The domain and code of the underlying error.
    var cause: String? { (userInfo[NSUnderlyingErrorKey] as? NSError).map { "\($0.domain) \($0.code)" } }
    var internalCode: Int? { userInfo[MSALInternalErrorCodeKey] as? Int }
    var oauthError: String? { userInfo[MSALOAuthErrorKey] as? String }
    var subError: String? { userInfo[MSALOAuthSubErrorKey] as? String }
    var stsCodes: [Int] { userInfo[MSALSTSErrorCodesKey] as? [Int] ?? [] }
    var status: String? { userInfo[MSALHTTPResponseCodeKey] as? String }
    var failedChecks: [String]? { userInfo[MSALFailedChecksKey] as? [String] }

    fileprivate var json: JSONValue {
        func name(_ code: Int?) -> JSONValue? {
            code.flatMap { ErrorDictionary.bundled.entry(msal: $0)?.name }.map(JSONValue.string)
        }
        return JSONValue(members: [
            "code": JSONValue(code), "name": name(code), "internalCode": internalCode.map { JSONValue($0) },
            "internalName": name(internalCode), "oauthError": oauthError.map(JSONValue.string),
            "subError": subError.map(JSONValue.string), "stsCodes": .array(stsCodes.map { JSONValue($0) }),
            "status": status.flatMap { Int($0) }.map { JSONValue($0) },
            "failedChecks": failedChecks.map { JSONValue($0) }, "cause": cause.map(JSONValue.string),
        ])
    }

    fileprivate convenience init(json: JSONValue) throws(JSONValue.UnexpectedMember) {
        let members: [String: Any?] = [
            MSALInternalErrorCodeKey: try json.optional("internalCode", \.integer),
            MSALOAuthErrorKey: try json.optional("oauthError", \.string),
            MSALOAuthSubErrorKey: try json.optional("subError", \.string),
            MSALSTSErrorCodesKey: try json.required("stsCodes", \.integers),
            MSALHTTPResponseCodeKey: try json.optional("status", \.integer).map { "\($0)" },
            MSALFailedChecksKey: try json.optional("failedChecks", \.strings),
            NSUnderlyingErrorKey: try json.optional("cause") { cause in
                let words = cause.string?.split(separator: " ") ?? []
                return words.last.flatMap { Int($0) }.map { NSError(domain: String(words[0]), code: $0) }
            },
        ]
        self.init(
            domain: MSALErrorDomain, code: try json.required("code", \.integer),
            userInfo: members.compactMapValues(\.self))
    }
}

extension UUID {
    /// Whether this is a random UUID (RFC 9562 §5.4), as sign-ins use.
    fileprivate var isRandom: Bool { uuid.6 & 0xF0 == 0x40 && uuid.8 & 0xC0 == 0x80 }
}

/// The ranges of the report's numbers, because a number outside them could encode anything.
extension Int {
    /// Creates a number of milliseconds, at most a day.
    init(millisecondsOf seconds: Double) { self = Int(Swift.min(Swift.max(seconds * 1000, 0), 86_400_000).rounded()) }

    fileprivate var errorCode: Int? { (-99_999...99_999).contains(self) ? self : nil }
}

extension Date {
    func milliseconds(since start: Date) -> Int { Int(millisecondsOf: timeIntervalSince(start)) }

    fileprivate func adding(milliseconds: Int) -> Date { addingTimeInterval(Double(milliseconds) / 1000) }
}
